import assert from "node:assert/strict";
import fc from "fast-check";
import { quantize } from "../../../src/search/vectors/quantized.ts";
import { rotate } from "../../../src/search/vectors/rotation.ts";
import { VectorIndex } from "../../../src/search/vectors/vector_index.ts";

const component = fc.double({ min: -1, max: 1, noNaN: true });

/** Vectors of 20 dimensions that follow from their number and spread in all directions. */
function vectorOf(number: number): Float32Array {
  return Float32Array.from(
    { length: 20 },
    (_, n) => Math.sin(number * 7.31 + n * n * (number + 1)),
  );
}

function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0;
  for (let n = 0; n < a.length; n++) product += a[n]! * b[n]!;
  return product / Math.hypot(...a) / Math.hypot(...b);
}

function indexOf(ids: readonly number[]): VectorIndex {
  const index = new VectorIndex(20);
  for (const id of ids) index.put(id, quantize(vectorOf(id))!);
  return index;
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

Deno.test("rotate() keeps lengths and angles", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 70 }).chain((length) =>
      fc.tuple(
        fc.array(component, { minLength: length, maxLength: length }),
        fc.array(component, { minLength: length, maxLength: length }),
      )
    ),
    ([a, b]) => {
      const product = (one: ArrayLike<number>, two: ArrayLike<number>) =>
        Array.from(one).reduce((sum, value, n) => sum + value * two[n]!, 0);
      assert.ok(Math.abs(product(a, b) - product(rotate(a), rotate(b))) < 1e-9);
    },
  ));
});

Deno.test("quantize() has no direction for what has none", () => {
  assert.equal(quantize([0, 0, 0]), undefined);
  assert.equal(quantize([0, NaN]), undefined);
  assert.equal(quantize([Infinity, 1]), undefined);
  const tiny = quantize([0, 1e-40])!;
  assert.ok(Math.abs(tiny.scale * Math.hypot(...tiny.coordinates) - 1) < 1e-9);
});

Deno.test("search() finds the nearest, nearest first, with their cosines", async () => {
  const index = indexOf(upTo(500));
  for (const number of [1_001, 1_002, 1_003]) {
    const query = vectorOf(number).map((value) => value * 300);
    const found = await index.search(query, { limit: 10 });
    const scores = upTo(500).map((id) => cosine(query, vectorOf(id))).sort((a, b) => b - a);
    assert.equal(found.length, 10);
    found.forEach(({ id, score }, place) => {
      assert.ok(Math.abs(score - cosine(query, vectorOf(id))) < 0.01);
      assert.ok(Math.abs(score - scores[place]!) < 0.01);
    });
    assert.deepEqual(found, found.toSorted((a, b) => b.score - a.score || a.id - b.id));
  }
});

Deno.test("search() finds the same whatever came and went before, in any order", async () => {
  const plain = indexOf(upTo(300));
  const other = indexOf(upTo(400).reverse());
  for (const id of upTo(400)) if (id > 300 || id % 3 === 0) other.remove(id);
  for (const id of [3, 6, 9]) other.put(id, quantize(vectorOf(id + 1))!);
  for (const id of upTo(300)) if (id % 3 === 0) other.put(id, quantize(vectorOf(id))!);
  assert.equal(other.size, 300);
  const query = vectorOf(1_001);
  assert.deepEqual(
    await other.search(query, { limit: 50 }),
    await plain.search(query, { limit: 50 }),
  );
});

Deno.test("search() orders what is equally near by id", async () => {
  const index = new VectorIndex(20);
  for (const id of [9, 2, 7, 4]) index.put(id, quantize(vectorOf(1))!);
  const found = await index.search(vectorOf(1), { limit: 3 });
  assert.deepEqual(found.map(({ id }) => id), [2, 4, 7]);
});

Deno.test("search() passes over what is not admitted, however near", async () => {
  const index = indexOf(upTo(2_000));
  const query = vectorOf(1_001);
  const admitted = new Set([1_777, 12, 400]);
  const found = await index.search(query, { limit: 5, admits: (id) => admitted.has(id) });
  assert.deepEqual(new Set(found.map(({ id }) => id)), admitted);
  assert.deepEqual(await index.search(query, { limit: 5, admits: () => false }), []);
});

Deno.test("search() never takes what came during it for what went", async () => {
  const index = indexOf(upTo(50));
  const searching = index.search(vectorOf(10), { limit: 1 });
  index.remove(10);
  index.put(99, quantize(vectorOf(11))!);
  const [found] = await searching;
  assert.ok(found !== undefined && found.id !== 99);
  assert.ok(Math.abs(found.score - cosine(vectorOf(10), vectorOf(found.id))) < 0.01);
});

Deno.test("search() and put() refuse other dimensions, and a query without direction finds nothing", async () => {
  const index = indexOf([1]);
  assert.throws(() => index.put(2, quantize([1, 2])!), /other dimensions/);
  await assert.rejects(index.search(Float32Array.of(1), { limit: 1 }), /other dimensions/);
  assert.deepEqual(await index.search(new Float32Array(20), { limit: 1 }), []);
  assert.deepEqual(await index.search(vectorOf(1), { limit: 0 }), []);
  index.remove(1);
  index.remove(1);
  assert.deepEqual(await index.search(vectorOf(1), { limit: 1 }), []);
});

Deno.test("scores() tells how near those are that are there", () => {
  const index = indexOf([1, 2]);
  const scores = index.scores(vectorOf(5), [2, 3]);
  assert.deepEqual([...scores.keys()], [2]);
  assert.ok(Math.abs(scores.get(2)! - cosine(vectorOf(5), vectorOf(2))) < 0.01);
});

Deno.test("an index of several blocks finds across all of them", async () => {
  const index = new VectorIndex(2);
  const at = (degree: number) => [Math.cos(degree), Math.sin(degree)];
  for (let id = 1; id <= 40_000; id++) index.put(id, quantize(at(1))!);
  index.put(40_001, quantize(at(2))!);
  index.put(5, quantize(at(2))!);
  const found = await index.search(Float32Array.from(at(2)), { limit: 2 });
  assert.deepEqual(found.map(({ id }) => id), [5, 40_001]);
});
