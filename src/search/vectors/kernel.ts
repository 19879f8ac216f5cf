/**
 * Builds the inner loops of a vector search as a WebAssembly module, because JavaScript has no
 * 128-bit arithmetic. The module is generated as WebAssembly text, because it depends on the number
 * of coordinates. wat.ts assembles the text.
 */
import { assemble } from "./wat.ts";

/** Functions of the module. Addresses are byte offsets in the kernel's memory. */
export interface Kernel {
  /**
   * Scores each vector as a 16-bit integer: MIDDLE + scale * factor * (product with the query -
   * offset). The score is clamped to 1 and 65,535, and is 0 if the factor is NaN.
   *
   * @param vectors address of the vectors, with 4 bits per coordinate, stored consecutively: see
   * `nibbleOf`
   * @param factors address of 32-bit floating-point numbers
   * @param count number of vectors, above 0. Reads and writes extend to a multiple of AT_ONCE
   * @param query address of 8-bit coordinates, from -127 to 127, within SUM_MAX
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
   * Returns the product of a vector and a query.
   *
   * @param upper address of the upper 4 bits of the vector's coordinates: see `nibbleOf`
   * @param lower address of the lower 4 bits, in the same layout
   * @param query address of 16-bit coordinates. 255 times the sum of their absolute values must fit
   * into 31 bits
   */
  product(upper: number, lower: number, query: number): number;
}

/** Number of 4-bit coordinates in 128 bits. */
export const LANES = 32;

/** Number of vectors that are multiplied at once. */
export const AT_ONCE = 4;

/**
 * Max total of the coordinates of a query that share a sum (see `sumOf`). Negative coordinates and
 * the others are totalled separately. There are SUMS sums, of 16 bits each.
 */
export const SUM_MAX = Math.floor(32_767 / 15);
export const SUMS = 8;

/** Score of the cosine 0. */
export const MIDDLE = 32_768;

/** Max number of pages of 64 KiB. 32 bits cannot address more. */
export const PAGES_MAX = 65_536;

/**
 * Compiles the kernel.
 *
 * @param memory shared memory with a max of PAGES_MAX pages
 * @param width number of coordinates per vector, a multiple of LANES
 */
export function createKernel(memory: WebAssembly.Memory, width: number): Kernel {
  const module = new WebAssembly.Module(assemble(kernelText(width)));
  return new WebAssembly.Instance(module, { "": { memory } }).exports as unknown as Kernel;
}

/**
 * Returns the location of a coordinate: its byte, relative to the start of the vector, and its
 * shift in bits. The low nibbles of 16 bytes contain 16 coordinates, and the high nibbles contain
 * the next 16.
 */
export function nibbleOf(coordinate: number): { byte: number; shift: number } {
  const within = coordinate % LANES;
  const byte = (coordinate - within) / 2 + within % (LANES / 2);
  return { byte, shift: within < LANES / 2 ? 0 : 4 };
}

/**
 * Returns the number of the sum to which the products of a coordinate are added. Pairs of
 * neighbours share a sum.
 */
export function sumOf(coordinate: number): number {
  return (coordinate >>> 1) % SUMS;
}

/** Locals of `score` for the sums, one for each vector that is multiplied at once. */
const SUM_LOCALS = Array.from({ length: AT_ONCE }, (_, row) => `$sum${row}`);

/** Instruction for a vector of sixteen bytes in which the lower nibbles are set. */
const LOW_NIBBLES = `v128.const i8x16 ${new Array(16).fill(0x0f).join(" ")}`;

/**
 * Returns the module of the kernel as WebAssembly text. The loop over coordinates is unrolled, so the
 * text depends on their number.
 */
function kernelText(width: number): string {
  return `(module
  (import "" "memory" (memory 1 ${PAGES_MAX} shared))

  (func (export "score")
    (param $vectors i32) (param $factors i32) (param $out i32) (param $count i32)
    (param $query i32) (param $offset i32) (param $scale f32)
    (local $low v128) (local $first v128) (local $second v128) (local $bytes v128)
    ${SUM_LOCALS.map((sum) => `(local ${sum} v128)`).join(" ")}
    ${LOW_NIBBLES} local.set $low
    loop $next
      ${steps(width, (step) => multiplyNibbles(step, width))}
      ;; The address of the scores, for the store at the end.
      local.get $out
      ${addAcross()}
      ;; (product - offset) * factor * scale + MIDDLE
      local.get $offset i32x4.splat i32x4.sub f32x4.convert_i32x4_s
      local.get $factors v128.load f32x4.mul
      local.get $scale f32x4.splat f32x4.mul
      f32.const ${MIDDLE} f32x4.splat f32x4.add
      ;; Raises scores to 1 or more. pmax keeps NaN, and trunc_sat converts NaN to 0.
      f32.const 1 f32x4.splat f32x4.pmax
      i32x4.trunc_sat_f32x4_s local.tee $bytes
      ;; Narrows scores to 16 bits, up to 65,535.
      local.get $bytes i16x8.narrow_i32x4_u
      v128.store64_lane align=2 0
      local.get $vectors i32.const ${AT_ONCE * width / 2} i32.add local.set $vectors
      local.get $factors i32.const ${AT_ONCE * 4} i32.add local.set $factors
      local.get $out i32.const ${AT_ONCE * 2} i32.add local.set $out
      local.get $count i32.const ${AT_ONCE} i32.sub local.tee $count
      i32.const 0 i32.gt_s br_if $next
    end)

  (func (export "product")
    (param $upper i32) (param $lower i32) (param $query i32) (result i32)
    (local $low v128) (local $above v128) (local $below v128) (local $bytes v128)
    (local $sum v128)
    ${LOW_NIBBLES} local.set $low
    ${steps(width, multiplyBytes)}
    ;; Adds up the four lanes of the sum.
    local.get $sum i32x4.extract_lane 0 local.get $sum i32x4.extract_lane 1 i32.add
    local.get $sum i32x4.extract_lane 2 i32.add local.get $sum i32x4.extract_lane 3 i32.add))`;
}

/** Repeats a text for each LANES coordinates. */
function steps(width: number, textOf: (step: number) => string): string {
  return Array.from({ length: width / LANES }, (_, step) => textOf(step)).join("\n");
}

/**
 * Multiplies LANES coordinates of a query with those of AT_ONCE vectors, 4 bits each, and adds the
 * products to the sums of the vectors.
 *
 * The relaxed dot product multiplies signed bytes with bytes of up to 7 bits. It adds neighbouring
 * products, and gives eight 16-bit numbers. All machines agree on such bytes, because only the
 * handling of an eighth bit is relaxed.
 */
function multiplyNibbles(step: number, width: number): string {
  const addTo = (sum: string, row: number) => `
      local.get $vectors v128.load offset=${(row * width + LANES * step) / 2} local.set $bytes
      ;; The low nibbles are the first coordinates.
      local.get $first
      local.get $bytes local.get $low v128.and
      i16x8.relaxed_dot_i8x16_i7x16_s
      ${step === 0 ? "" : `local.get ${sum} i16x8.add`}
      ;; The high nibbles are the second coordinates.
      local.get $second
      local.get $bytes i32.const 4 i16x8.shr_u local.get $low v128.and
      i16x8.relaxed_dot_i8x16_i7x16_s
      i16x8.add local.set ${sum}`;
  return `
      local.get $query v128.load offset=${LANES * step} local.set $first
      local.get $query v128.load offset=${LANES * step + LANES / 2} local.set $second
      ${SUM_LOCALS.map(addTo).join("")}`;
}

/**
 * Leaves one 128-bit vector on the stack. Its lane n is the total of the eight 16-bit numbers of
 * sum n.
 */
function addAcross(): string {
  const [a, b, c, d] = SUM_LOCALS as [string, string, string, string];
  const addHalves = (left: string, right: string) => `
      local.get ${left} local.get ${right} ${shuffle(0, 4, 1, 5)}
      local.get ${left} local.get ${right} ${shuffle(2, 6, 3, 7)} i32x4.add`;
  return `
      ;; Adds neighbours: eight 16-bit numbers become four 32-bit numbers.
      ${
    SUM_LOCALS.map((sum) => `local.get ${sum} i32x4.extadd_pairwise_i16x8_s local.set ${sum}`).join(
      "\n      ",
    )
  }
      ;; Adds the halves of a and b. The lanes are then a, b, a, b. Does the same for c and d.
      ${addHalves(a, b)} local.set ${a}
      ${addHalves(c, d)} local.set ${c}
      ;; Adds the second lane of each sum to its first one.
      local.get ${a} local.get ${c} ${shuffle(0, 1, 4, 5)}
      local.get ${a} local.get ${c} ${shuffle(2, 3, 6, 7)} i32x4.add`;
}

/**
 * Multiplies LANES coordinates of a query, 16 bits each, with those of a vector, whose bytes are in
 * two halves: the upper and the lower nibbles. Adds the products to `$sum`.
 */
function multiplyBytes(step: number): string {
  const first = LANES * step;
  const addDots = (from: number) => `
    ;; Extends unsigned bytes to 16 bits: the first eight, then the last eight.
    local.get $query v128.load offset=${2 * from}
    local.get $bytes i16x8.extend_low_i8x16_u i32x4.dot_i16x8_s
    local.get $sum i32x4.add local.set $sum
    local.get $query v128.load offset=${2 * from + 16}
    local.get $bytes i16x8.extend_high_i8x16_u i32x4.dot_i16x8_s
    local.get $sum i32x4.add local.set $sum`;
  return `
    local.get $upper v128.load offset=${first / 2} local.set $above
    local.get $lower v128.load offset=${first / 2} local.set $below
    ;; The first coordinates: (above & low) << 4 | (below & low)
    local.get $above local.get $low v128.and i32.const 4 i16x8.shl
    local.get $below local.get $low v128.and v128.or local.set $bytes
    ${addDots(first)}
    ;; The second coordinates: (above & ~low) | (below >> 4 & low)
    local.get $above local.get $low v128.andnot
    local.get $below i32.const 4 i16x8.shr_u local.get $low v128.and v128.or local.set $bytes
    ${addDots(first + LANES / 2)}`;
}

/**
 * Encodes an i32x4 shuffle: lanes 0 to 3 come from the first operand, lanes 4 to 7 from the second.
 */
function shuffle(...numbers: number[]): string {
  const bytes = numbers.flatMap((number) => [0, 1, 2, 3].map((byte) => 4 * number + byte));
  return `i8x16.shuffle ${bytes.join(" ")}`;
}
