/**
 * The inner loop of a vector search as a WebAssembly module, assembled here: JavaScript has no
 * arithmetic of 128 bits. Encodings: WebAssembly Core Specification 3.0, section 5 (binary format).
 */

export interface Kernel {
  /**
   * By vector, as 16-bit whole numbers: MIDDLE + scale * factor * (product with the query - offset),
   * within 1 and 65,535; 0 where the factor is no number. Places are bytes of the memory that the
   * kernel was made with.
   *
   * @param vectors of 4 bits a coordinate, one after the other: see `nibbleOf`
   * @param factors of 32-bit floating-point numbers
   * @param count of the vectors, above 0; read and written is up to a multiple of AT_ONCE
   * @param query of 8 bits a coordinate, from -127 to 127, within SUM_MAX
   */
  score(
    vectors: number,
    factors: number,
    out: number,
    count: number,
    query: number,
    offset: number,
    scale: number,
  ): void;

  /**
   * The product of a vector and a query.
   *
   * @param upper four bits a coordinate: see `nibbleOf` @param lower as many
   * @param query of 16 bits a coordinate, of which 255 times the sum must fit into 31 bits
   */
  product(upper: number, lower: number, query: number): number;
}

/** So many coordinates are together in 128 bits. */
export const LANES = 32;

/** So many vectors are multiplied at once. */
export const AT_ONCE = 4;

/**
 * Sums are kept in eight numbers of 16 bits. What those coordinates of a query that `sumOf` gives the
 * same number add up to, the negative ones and the others apart, stays within this.
 */
export const SUM_MAX = Math.floor(32_767 / 15);
export const SUMS = 8;

/** Where 0 stands among scores. */
export const MIDDLE = 32_768;

/** Pages of 64 KiB: all that 32 bits address. */
export const PAGES_MAX = 65_536;

/**
 * @param memory shared, of PAGES_MAX at most
 * @param width of a vector in coordinates: a multiple of LANES
 */
export function createKernel(memory: WebAssembly.Memory, width: number): Kernel {
  const module = new WebAssembly.Module(assemble(width));
  return new WebAssembly.Instance(module, { "": { memory } }).exports as unknown as Kernel;
}

/**
 * Where a coordinate stands: the byte from its vector's first on, and the bits it is moved by. Lower
 * halves of 16 bytes hold 16 coordinates, and upper halves the 16 that follow.
 */
export function nibbleOf(coordinate: number): { byte: number; shift: number } {
  const within = coordinate % LANES;
  const byte = (coordinate - within) / 2 + within % (LANES / 2);
  return { byte, shift: within < LANES / 2 ? 0 : 4 };
}

/** Which sum a coordinate is added to: neighbours share one. */
export function sumOf(coordinate: number): number {
  return (coordinate >>> 1) % SUMS;
}

const I32 = 0x7f;
const F32 = 0x7d;
const V128 = 0x7b;

function assemble(width: number): Uint8Array<ArrayBuffer> {
  const score = [0x60, ...vector([I32, I32, I32, I32, I32, I32, F32]), 0];
  const product = [0x60, ...vector([I32, I32, I32]), ...vector([I32])];
  const memory = [...name(""), ...name("memory"), 2, 3, ...leb(1), ...leb(PAGES_MAX)];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [2, ...score, ...product]),
    ...section(2, [1, ...memory]),
    ...section(3, [2, 0, 1]),
    ...section(7, [2, ...name("score"), 0, 0, ...name("product"), 0, 1]),
    ...section(10, [2, ...vector(scoreBody(width)), ...vector(productBody(width))]),
  ]);
}

function section(id: number, bytes: number[]): number[] {
  return [id, ...vector(bytes)];
}

function vector(bytes: number[]): number[] {
  return [...leb(bytes.length), ...bytes];
}

function name(text: string): number[] {
  return vector([...new TextEncoder().encode(text)]);
}

/** Of a number that is not negative. */
function leb(value: number): number[] {
  return value < 0x80 ? [value] : [value % 0x80 | 0x80, ...leb(Math.floor(value / 0x80))];
}

/** Parameters, then locals of 128 bits, of which the last AT_ONCE are sums. */
const [VECTORS, FACTORS, OUT, COUNT, QUERY, OFFSET, SCALE] = [0, 1, 2, 3, 4, 5, 6];
const [LOW, FIRST, SECOND, LOADED, SUM] = [7, 8, 9, 10, 11];

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
/** Of a number that is not negative: without the last byte, a bit in the way would be its sign. */
const constant = (value: number) => [0x41, ...leb(value).with(-1, leb(value).at(-1)! | 0x80), 0];
const float = (value: number) => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)];
const ADD = 0x6a;
const SUBTRACT = 0x6b;
const GREATER = 0x4a;
const simd = (code: number) => [0xfd, ...leb(code)];
const load128 = (offset: number) => [...simd(0), 0, ...leb(offset)];
const AND = simd(78);
const AND_NOT = simd(79);
const OR = simd(80);
/** Of eight numbers of 16 bits. */
const SHIFT_LEFT = simd(139);
const SHIFT_RIGHT = simd(141);
const ADD_8 = simd(142);
/**
 * Products of signed bytes with bytes of at most 7 bits, neighbours added, as eight numbers of 16
 * bits. On such bytes all machines agree: what is relaxed is what becomes of an eighth bit.
 */
const DOT = simd(274);
/** Products of 16 bits, neighbours added, as four numbers of 32 bits. */
const DOT_16 = simd(186);
/** Eight bytes without a sign as numbers of 16 bits: the first and the last of sixteen. */
const EXTEND = [simd(137), simd(138)] as const;
/** Eight numbers of 16 bits as four of 32, neighbours added. */
const ADD_NEIGHBOURS = simd(126);
/** Of four numbers of 32 bits. */
const ADD_4 = simd(174);
const SUBTRACT_4 = simd(177);
const SPLAT_4 = simd(17);
const lane = (number: number) => [...simd(27), number];
const FLOATS_OF_INTEGERS = simd(250);
const SPLAT_FLOAT = simd(19);
const ADD_FLOATS = simd(228);
const MULTIPLY_FLOATS = simd(230);
/** Leaves what is no number. */
const MOST_FLOATS = simd(235);
/** What is no number becomes 0. */
const TRUNCATE = simd(248);
/** As 16 bits without a sign, all that is above as 65,535. */
const NARROW = simd(134);
const store64 = [...simd(91), 1, 0, 0];
/** Of two times four numbers of 32 bits, of which those of the second are 4 to 7. */
const shuffle = (...numbers: number[]) => [
  ...simd(13),
  ...numbers.flatMap((number) => [0, 1, 2, 3].map((byte) => 4 * number + byte)),
];

function scoreBody(width: number): number[] {
  const sums = Array.from({ length: AT_ONCE }, (_, row) => SUM + row);
  const steps = Array.from({ length: width / LANES }, (_, step) => step);
  const multiply = (step: number) => [
    ...[...get(QUERY), ...load128(LANES * step), ...set(FIRST)],
    ...[...get(QUERY), ...load128(LANES * step + LANES / 2), ...set(SECOND)],
    ...sums.flatMap((sum, row) => [
      ...[...get(VECTORS), ...load128((row * width + LANES * step) / 2), ...set(LOADED)],
      ...[...get(FIRST), ...get(LOADED), ...get(LOW), ...AND, ...DOT],
      ...(step === 0 ? [] : [...get(sum), ...ADD_8]),
      ...[...get(SECOND), ...get(LOADED), ...constant(4), ...SHIFT_RIGHT, ...get(LOW), ...AND],
      ...[...DOT, ...ADD_8, ...set(sum)],
    ]),
  ];
  const scoreSome = [
    ...steps.flatMap(multiply),
    ...[...get(OUT), ...addAcross(sums), ...get(OFFSET), ...SPLAT_4, ...SUBTRACT_4],
    ...[...FLOATS_OF_INTEGERS, ...get(FACTORS), ...load128(0), ...MULTIPLY_FLOATS],
    ...[...get(SCALE), ...SPLAT_FLOAT, ...MULTIPLY_FLOATS],
    ...[...float(MIDDLE), ...SPLAT_FLOAT, ...ADD_FLOATS],
    ...[...float(1), ...SPLAT_FLOAT, ...MOST_FLOATS],
    ...[...TRUNCATE, ...tee(LOADED), ...get(LOADED), ...NARROW, ...store64],
    ...advance(VECTORS, AT_ONCE * width / 2),
    ...advance(FACTORS, AT_ONCE * 4),
    ...advance(OUT, AT_ONCE * 2),
  ];
  const locals = [1, 4 + AT_ONCE, V128];
  const next = [...get(COUNT), ...constant(AT_ONCE), SUBTRACT, ...tee(COUNT)];
  const again = [...next, ...constant(0), GREATER, 0x0d, 0];
  return [...locals, ...mask(LOW), 0x03, 0x40, ...scoreSome, ...again, 0x0b, 0x0b];
}

/** The eight numbers of 16 bits of each sum added up: four numbers of 32 bits. */
function addAcross(sums: readonly number[]): number[] {
  const spread = sums.flatMap((sum) => [...get(sum), ...ADD_NEIGHBOURS, ...set(sum)]);
  const addHalves = (a: number, b: number) => [
    ...[...get(a), ...get(b), ...shuffle(0, 4, 1, 5)],
    ...[...get(a), ...get(b), ...shuffle(2, 6, 3, 7), ...ADD_4],
  ];
  const [a, b, c, d] = sums as [number, number, number, number];
  return [
    ...spread,
    ...[...addHalves(a, b), ...set(a), ...addHalves(c, d), ...set(c)],
    ...[...get(a), ...get(c), ...shuffle(0, 1, 4, 5)],
    ...[...get(a), ...get(c), ...shuffle(2, 3, 6, 7), ...ADD_4],
  ];
}

function productBody(width: number): number[] {
  const [upper, lower, query, low, above, below, bytes, sum] = [0, 1, 2, 3, 4, 5, 6, 7];
  const addDots = (from: number) =>
    EXTEND.flatMap((extend, half) => [
      ...[...get(query), ...load128(2 * from + 16 * half), ...get(bytes), ...extend, ...DOT_16],
      ...[...get(sum), ...ADD_4, ...set(sum)],
    ]);
  const multiply = (from: number) => [
    ...[...get(upper), ...load128(from / 2), ...set(above)],
    ...[...get(lower), ...load128(from / 2), ...set(below)],
    ...[...get(above), ...get(low), ...AND, ...constant(4), ...SHIFT_LEFT],
    ...[...get(below), ...get(low), ...AND, ...OR, ...set(bytes), ...addDots(from)],
    ...[...get(above), ...get(low), ...AND_NOT, ...get(below), ...constant(4), ...SHIFT_RIGHT],
    ...[...get(low), ...AND, ...OR, ...set(bytes), ...addDots(from + LANES / 2)],
  ];
  const steps = Array.from({ length: width / LANES }, (_, step) => multiply(LANES * step)).flat();
  const total = [
    ...[...get(sum), ...lane(0), ...get(sum), ...lane(1), ADD],
    ...[...get(sum), ...lane(2), ADD, ...get(sum), ...lane(3), ADD],
  ];
  return [1, 5, V128, ...mask(low), ...steps, ...total, 0x0b];
}

/** Sixteen bytes of which the lower halves are set. */
function mask(local: number): number[] {
  return [...simd(12), ...new Array(16).fill(0x0f), ...set(local)];
}

function advance(local: number, by: number): number[] {
  return [...get(local), ...constant(by), ADD, ...set(local)];
}
