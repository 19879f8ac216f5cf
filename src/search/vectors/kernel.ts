/**
 * The inner loop of a vector search as a WebAssembly module, assembled here: JavaScript has no
 * arithmetic of 128 bits. Encodings: WebAssembly Core Specification 2.0, section 5 (binary format).
 */

export interface Kernel {
  /**
   * By vector, as 16-bit whole numbers: MIDDLE + scale * factor * (product with the query - offset),
   * within 1 and 65,535; 0 where the factor is no number. Places are bytes of the memory that the
   * kernel was made with.
   *
   * @param vectors of 4 bits a coordinate, one after the other: see `nibbleOf`
   * @param factors of 32-bit floating-point numbers
   * @param count of the vectors, above 0
   * @param width of a vector in coordinates: a multiple of LANES
   * @param query of 16 bits a coordinate, of which 240 times the sum must fit into 31 bits
   */
  score(
    vectors: number,
    factors: number,
    out: number,
    count: number,
    width: number,
    query: number,
    offset: number,
    scale: number,
  ): void;
}

/** So many coordinates are multiplied at once. */
export const LANES = 32;

/** Where 0 stands among scores. */
export const MIDDLE = 32_768;
const MOST = 65_535;

/** Pages of 64 KiB: all that 32 bits address. */
export const PAGES_MAX = 65_536;

/** @param memory shared, of PAGES_MAX at most */
export function createKernel(memory: WebAssembly.Memory): Kernel {
  const module = new WebAssembly.Module(assemble());
  return new WebAssembly.Instance(module, { "": { memory } }).exports as unknown as Kernel;
}

/**
 * Where a coordinate stands: the byte from its vector's first on, and the bits it is moved by. Eight
 * numbers of 16 bits hold 32 coordinates so that shifting all of them uncovers eight neighbours.
 */
export function nibbleOf(coordinate: number): { byte: number; shift: number } {
  const within = coordinate % LANES;
  const [lane, nibble] = [within % 8, within >>> 3];
  const byte = (coordinate - within) / 2 + 2 * lane + (nibble >>> 1);
  return { byte, shift: 4 * (nibble & 1) };
}

const I32 = 0x7f;
const F32 = 0x7d;
const V128 = 0x7b;

function assemble(): Uint8Array<ArrayBuffer> {
  const signature = [0x60, ...vector([I32, I32, I32, I32, I32, I32, I32, F32]), 0];
  const memory = [...name(""), ...name("memory"), 2, 3, ...leb(1), ...leb(PAGES_MAX)];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, ...signature]),
    ...section(2, [1, ...memory]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name("score"), 0, 0]),
    ...section(10, [1, ...vector(scoreBody())]),
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

/** Parameters, then locals: two of 32 bits, the others of 128. */
const [VECTORS, FACTORS, OUT, COUNT, WIDTH, QUERY, OFFSET, SCALE] = [0, 1, 2, 3, 4, 5, 6, 7];
const [LEFT, FROM, LOW, HIGH, SUM, SUM_16, LOADED] = [8, 9, 10, 11, 12, 13, 14];

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
/** Of 0 to 63. */
const constant = (value: number) => [0x41, value];
const float = (value: number) => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)];
const ADD = 0x6a;
const SUBTRACT = 0x6b;
const LOAD_FLOAT = [0x2a, 2, 0];
const STORE_16 = [0x3b, 1, 0];
const FLOAT_OF_INTEGER = 0xb2;
const FLOAT_ADD = 0x92;
const FLOAT_MULTIPLY = 0x94;
const FLOAT_LESSER = 0x96;
const FLOAT_GREATER = 0x97;
/** What is no number becomes 0. */
const TRUNCATE = [0xfc, 1];
const simd = (code: number) => [0xfd, ...leb(code)];
const load128 = (offset: number) => [...simd(0), 0, offset];
/** Eight times the same 16 bits, of which the upper ones are 0. */
const eight = (value: number) => [...simd(12), ...new Array(8).fill([value, 0]).flat()];
const AND = simd(78);
/** Of eight numbers of 16 bits. */
const SHIFT_RIGHT_16 = simd(141);
/** Products of 16 bits, neighbours added, as four numbers of 32 bits. */
const DOT = simd(186);
const ADD_LANES = simd(174);
const SHIFT_RIGHT_32 = simd(172);
const lane = (number: number) => [...simd(27), number];

function scoreBody(): number[] {
  const masked = (mask: number, offset: number) => [
    ...[...get(LOADED), ...get(mask), ...AND],
    ...[...get(FROM), ...load128(offset), ...DOT],
  ];
  const addTo = (sum: number, mask: number, offset: number) => [
    ...[...get(sum), ...masked(mask, offset), ...ADD_LANES, ...set(sum)],
  ];
  const multiplyLanes = [
    ...[...get(VECTORS), ...load128(0), ...set(LOADED)],
    ...[...addTo(SUM, LOW, 0), ...addTo(SUM_16, HIGH, 16)],
    ...[...get(LOADED), ...constant(8), ...SHIFT_RIGHT_16, ...set(LOADED)],
    ...[...addTo(SUM, LOW, 32), ...addTo(SUM_16, HIGH, 48)],
    ...advance(VECTORS, constant(LANES / 2)),
    ...advance(FROM, [0x41, 2 * LANES | 0x80, 0]),
  ];
  const product = [
    // The upper nibbles were not moved: their sums are sixteenfold.
    ...[...get(SUM_16), ...constant(4), ...SHIFT_RIGHT_32, ...get(SUM), ...ADD_LANES, ...set(SUM)],
    ...[...get(SUM), ...lane(0), ...get(SUM), ...lane(1), ADD],
    ...[...get(SUM), ...lane(2), ...get(SUM), ...lane(3), ADD, ADD],
  ];
  const scoreOne = [
    ...[...eight(0), ...set(SUM), ...eight(0), ...set(SUM_16)],
    ...[...get(QUERY), ...set(FROM), ...get(WIDTH), ...set(LEFT)],
    ...countDown(LEFT, { step: LANES, body: multiplyLanes }),
    ...[...get(OUT), ...product, ...get(OFFSET), SUBTRACT, FLOAT_OF_INTEGER],
    ...[...get(FACTORS), ...LOAD_FLOAT, FLOAT_MULTIPLY, ...get(SCALE), FLOAT_MULTIPLY],
    ...[...float(MIDDLE), FLOAT_ADD, ...float(1), FLOAT_GREATER, ...float(MOST), FLOAT_LESSER],
    ...[...TRUNCATE, ...STORE_16],
    ...advance(FACTORS, constant(4)),
    ...advance(OUT, constant(2)),
  ];
  const locals = [2, 2, I32, 5, V128];
  const masks = [...eight(0x0f), ...set(LOW), ...eight(0xf0), ...set(HIGH)];
  return [...locals, ...masks, ...countDown(COUNT, { step: 1, body: scoreOne }), 0x0b];
}

function advance(local: number, by: number[]): number[] {
  return [...get(local), ...by, ADD, ...set(local)];
}

/** Runs a body once and again until a local, less `step` each time, is 0. */
function countDown(local: number, { step, body }: { step: number; body: number[] }): number[] {
  const decreased = [...get(local), ...constant(step), SUBTRACT, 0x22, local];
  const again = [0x0d, 0];
  return [0x03, 0x40, ...body, ...decreased, ...again, 0x0b];
}
