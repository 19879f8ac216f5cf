import assert from "node:assert/strict";
import fc from "fast-check";
import {
  AT_ONCE,
  createKernel,
  LANES,
  MIDDLE,
  nibbleOf,
  PAGES_MAX,
  SUM_MAX,
  SUMS,
} from "../../../src/search/vectors/kernel.ts";

const WIDTH = 3 * LANES;
/** Offsets of the inputs and the output in the memory, in bytes. */
const OFFSETS = { vectors: 65_536, factors: 131_072, out: 140_000, query: 200_000 };

interface ScoreInput {
  vectors: readonly (readonly number[])[];
  query: readonly number[];
  offset: number;
  scale: number;
  /** Factor of each vector, by default 1. */
  factors?: readonly number[];
}

/** Returns a function that scores consecutive vectors. */
function createScore(width: number): (input: ScoreInput) => number[] {
  const memory = new WebAssembly.Memory({ initial: 4, maximum: PAGES_MAX, shared: true });
  const kernel = createKernel(memory, width);
  return ({ vectors, query, offset, scale, factors = vectors.map(() => 1) }) => {
    const bytes = new Uint8Array(memory.buffer).fill(0);
    vectors.forEach((vector, row) =>
      vector.forEach((value, n) => {
        const { byte, shift } = nibbleOf(n);
        bytes[OFFSETS.vectors + row * width / 2 + byte]! |= value << shift;
      })
    );
    new Int8Array(memory.buffer, OFFSETS.query, width).set(query);
    new Float32Array(memory.buffer, OFFSETS.factors, vectors.length).set(factors);
    const { vectors: at, factors: factorsAt, out, query: queryAt } = OFFSETS;
    kernel.score(at, factorsAt, out, vectors.length, queryAt, offset, scale);
    return [...new Uint16Array(memory.buffer, out, vectors.length)];
  };
}

Deno.test("score() of the kernel equals a naive product", () => {
  const score = createScore(WIDTH);
  fc.assert(fc.property(
    fc.array(fc.array(fc.nat(15), { minLength: WIDTH, maxLength: WIDTH }), {
      minLength: 1,
      maxLength: 2 * AT_ONCE + 1,
    }),
    fc.array(fc.integer({ min: -127, max: 127 }), { minLength: WIDTH, maxLength: WIDTH }),
    fc.integer({ min: -10_000, max: 10_000 }),
    (vectors, query, offset) => {
      const found = score({ vectors, query, offset, scale: 1 / 2 });
      const expected = vectors.map((vector) => {
        const product = vector.reduce((sum, value, n) => sum + value * query[n]!, -offset);
        return Math.trunc(Math.min(65_535, Math.max(1, product / 2 + MIDDLE)));
      });
      assert.deepEqual(found, expected);
    },
  ));
});

Deno.test("score() of the kernel is 0 for a NaN factor, and is clamped to 16 bits", () => {
  const score = createScore(LANES);
  const [vectors, query] = [Array(5).fill(Array(LANES).fill(15)), Array(LANES).fill(1)];
  const factors = [1, NaN, 1_000, -1_000, 0];
  assert.deepEqual(
    score({ vectors, query, offset: 0, scale: 1, factors }),
    [MIDDLE + 480, 0, 65_535, 1, MIDDLE],
  );
});

Deno.test("score() of the kernel does not overflow with the largest sums", () => {
  const width = 12 * LANES;
  const score = createScore(width);
  // Every partial sum has its max value. The coordinates of one partial sum share it equally.
  const share = Math.floor(SUM_MAX / (width / SUMS));
  const query = Array(width).fill(share);
  const vectors = [Array(width).fill(15), Array(width).fill(0)];
  const sum = 15 * width * share;
  assert.deepEqual(
    score({ vectors, query, offset: sum, scale: 1 / 16 }),
    [MIDDLE, Math.max(1, MIDDLE - sum / 16)],
  );
});

Deno.test("product() of the kernel equals a naive product of 8-bit coordinates", () => {
  const memory = new WebAssembly.Memory({ initial: 4, maximum: PAGES_MAX, shared: true });
  const kernel = createKernel(memory, WIDTH);
  const [upper, lower, query] = [65_536, 131_072, 200_000];
  const coordinate = fc.integer({ min: -32_000, max: 32_000 });
  fc.assert(fc.property(
    fc.array(fc.nat(255), { minLength: WIDTH, maxLength: WIDTH }),
    fc.array(coordinate, { minLength: WIDTH, maxLength: WIDTH }),
    (vector, coordinates) => {
      const bytes = new Uint8Array(memory.buffer).fill(0);
      vector.forEach((value, n) => {
        const { byte, shift } = nibbleOf(n);
        bytes[upper + byte]! |= (value >>> 4) << shift;
        bytes[lower + byte]! |= (value & 15) << shift;
      });
      new Int16Array(memory.buffer, query, WIDTH).set(coordinates);
      const expected = vector.reduce((sum, value, n) => sum + value * coordinates[n]!, 0);
      assert.equal(kernel.product(upper, lower, query), expected);
    },
  ));
});
