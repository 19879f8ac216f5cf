import assert from "node:assert/strict";
import fc from "fast-check";
import { SUM_MAX, sumOf, SUMS } from "../../../src/search/vectors/kernel.ts";
import { quantize } from "../../../src/search/vectors/quantized.ts";
import { prepareQuery, VectorMemory } from "../../../src/search/vectors/vector_memory.ts";

Deno.test("prepareQuery() keeps the sums of the kernel within 16 bits for any query", () => {
  const lengths = [1, 20, 384, 1_536, 4_096];
  const values = fc.constantFrom(-1, -0.5, -0.01, 0, 1e-30, 0.01, 0.3, 1);
  fc.assert(fc.property(
    fc.constantFrom(...lengths),
    fc.array(values, { minLength: 1, maxLength: 64 }),
    (length, pattern) => {
      const prepared = prepareQuery(
        Float32Array.from({ length }, (_, n) => pattern[n % pattern.length]!),
      );
      const sums = new Float64Array(2 * SUMS);
      prepared?.rough.coordinates.forEach((value, n) =>
        sums[2 * sumOf(n) + (value < 0 ? 1 : 0)]! += Math.abs(value)
      );
      assert.ok(Math.max(...sums) <= SUM_MAX);
      assert.ok(prepared?.rough.coordinates.every((value) => value >= -127) ?? true);
    },
  ));
});

Deno.test("score() and estimate() work for alternating queries", () => {
  const memory = new VectorMemory(3);
  memory.grow();
  [[1, 0, 0], [0, 1, 0]].forEach((vector, slot) => memory.write(slot, quantize(vector)!));
  const [first, second] = [[1, 0, 0], [0, 1, 0]].map((query) =>
    prepareQuery(Float32Array.from(query))!
  );
  const round = (score: number) => Math.round(score * 100) / 100;
  for (const [prepared, slot] of [[first!, 0], [second!, 1], [first!, 0]] as const) {
    assert.equal(round(memory.score(prepared, slot)), 1);
    assert.equal(Math.abs(round(memory.score(prepared, 1 - slot))), 0);
    const estimates = memory.estimate(prepared, 0, 2);
    assert.ok(estimates[slot]! > estimates[1 - slot]! + 20_000);
  }
});
