import assert from "node:assert/strict";
import { quantize } from "../../../src/search/vectors/quantized.ts";
import { Random } from "../../../bench/random.ts";
import { VectorIndex } from "../../../src/search/vectors/vector_index.ts";

/** Returns a vector of 20 dimensions. Those of different numbers spread in all directions. */
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

async function createIndex(ids: readonly number[]): Promise<VectorIndex> {
  const index = await VectorIndex.create(20);
  for (const id of ids) index.put(id, quantize(vectorOf(id))!);
  return index;
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

Deno.test("quantize() returns undefined for vectors without a direction", () => {
  assert.equal(quantize([0, 0, 0]), undefined);
  assert.equal(quantize([0, NaN]), undefined);
  assert.equal(quantize([Infinity, 1]), undefined);
  const tiny = quantize([0, 1e-40])!;
  assert.ok(Math.abs(tiny.scale * Math.hypot(...tiny.coordinates) - 1) < 1e-9);
});

Deno.test("search() returns the nearest vectors with their cosines, nearest first", async () => {
  const index = await createIndex(upTo(500));
  for (const number of [1_001, 1_002, 1_003]) {
    const query = vectorOf(number).map((value) => value * 300);
    const { nearest: found } = await index.search(query, { limit: 10 });
    const scores = upTo(500).map((id) => cosine(query, vectorOf(id))).sort((a, b) => b - a);
    assert.equal(found.length, 10);
    found.forEach(({ id, score }, rank) => {
      assert.ok(Math.abs(score - cosine(query, vectorOf(id))) < 0.01);
      assert.ok(Math.abs(score - scores[rank]!) < 0.01);
    });
    assert.deepEqual(found, found.toSorted((a, b) => b.score - a.score || a.id - b.id));
  }
});

Deno.test("search() does not depend on the order of changes or on removed vectors", async () => {
  const plain = await createIndex(upTo(300));
  const changed = await createIndex(upTo(400).reverse());
  for (const id of upTo(400)) if (id > 300 || id % 3 === 0) changed.remove(id);
  for (const id of [3, 6, 9]) changed.put(id, quantize(vectorOf(id + 1))!);
  for (const id of upTo(300)) if (id % 3 === 0) changed.put(id, quantize(vectorOf(id))!);
  assert.equal(changed.size, 300);
  const query = vectorOf(1_001);
  assert.deepEqual(
    await changed.search(query, { limit: 50 }),
    await plain.search(query, { limit: 50 }),
  );
});

Deno.test("search() skips vectors that are not admitted, however near", async () => {
  const index = await createIndex(upTo(2_000));
  const query = vectorOf(1_001);
  const admitted = new Set([1_777, 12, 400]);
  const { nearest: found } = await index.search(query, {
    limit: 5,
    admits: (id) => admitted.has(id),
  });
  assert.deepEqual(new Set(found.map(({ id }) => id)), admitted);
  assert.deepEqual((await index.search(query, { limit: 5, admits: () => false })).nearest, []);
});

Deno.test("search() returns no vector that is removed meanwhile, and no wrong score of its successor", async () => {
  const index = await createIndex(upTo(3_000));
  const [query, newcomer] = [vectorOf(10), vectorOf(1_001)];
  const found = await withEndedSlices(() => {
    const searching = index.search(query, {
      limit: 3_000,
      admits(id) {
        // The search has already scored vectors 11 and 12 when it asks about vector 2,000. Vector 12
        // takes the place of 2,950, which it has not scored.
        if (id === 2_000) {
          for (const removed of [11, 12, 2_950]) index.remove(removed);
          index.put(12, quantize(vectorOf(12))!);
        }
        return true;
      },
    });
    index.remove(10);
    index.remove(2_999);
    index.put(3_001, quantize(newcomer)!);
    return searching;
  });
  const ids = new Set(found.nearest.map(({ id }) => id));
  assert.deepEqual([found.nearest.length, ids.size], [2_997, 2_997]);
  assert.deepEqual([10, 11, 2_950, 2_999].filter((id) => ids.has(id)), []);
  for (const { id, score } of found.nearest) {
    const vector = id === 3_001 ? newcomer : vectorOf(id);
    assert.ok(Math.abs(score - cosine(query, vector)) < 0.01);
  }
});

Deno.test("put() reuses the memory of removed vectors, also during a search", async () => {
  const index = await createIndex([1]);
  const memory = index.byteLength;
  const searching = index.search(vectorOf(1), { limit: 1 });
  for (let id = 2; id <= 20_000; id++) {
    index.remove(id - 1);
    index.put(id, quantize(vectorOf(1))!);
  }
  assert.equal(index.byteLength, memory);
  await searching;
});

Deno.test("search() and put() refuse other dimensions, and a query without a direction finds nothing", async () => {
  const index = await createIndex([1]);
  assert.throws(() => index.put(2, quantize([1, 2])!), /other dimensions/);
  await assert.rejects(index.search(Float32Array.of(1), { limit: 1 }), /other dimensions/);
  const nothing = { nearest: [], floor: 1, middle: 1 };
  assert.deepEqual(await index.search(new Float32Array(20), { limit: 1 }), nothing);
  assert.deepEqual(await index.search(vectorOf(1), { limit: 0 }), nothing);
  index.remove(1);
  index.remove(1);
  assert.deepEqual(await index.search(vectorOf(1), { limit: 1 }), nothing);
});

Deno.test("scores() returns the cosines of the ids that the index contains", async () => {
  const index = await createIndex([1, 2]);
  const scores = index.scores(vectorOf(5), [2, 3]);
  assert.deepEqual([...scores.keys()], [2]);
  assert.ok(Math.abs(scores.get(2)! - cosine(vectorOf(5), vectorOf(2))) < 0.01);
});

Deno.test("search() searches all blocks of an index", async () => {
  const index = await VectorIndex.create(2);
  const at = (degree: number) => [Math.cos(degree), Math.sin(degree)];
  for (let id = 1; id <= 40_000; id++) index.put(id, quantize(at(1))!);
  index.put(40_001, quantize(at(2))!);
  index.put(5, quantize(at(2))!);
  const { nearest: found } = await index.search(Float32Array.from(at(2)), { limit: 2 });
  assert.deepEqual(found.map(({ id }) => id), [5, 40_001]);
});

Deno.test("search() yields to the event loop, also for many equal or refused vectors", async () => {
  const index = await VectorIndex.create(2);
  for (let id = 1; id <= 10_000; id++) index.put(id, quantize([1, 2])!);
  const longest_runs = { admitted: 0, refused: 0 };
  for (const kind of ["admitted", "refused"] as const) {
    let run = 0;
    let timer = setTimeout(function tick() {
      run = 0;
      timer = setTimeout(tick);
    });
    const admits = () => {
      longest_runs[kind] = Math.max(longest_runs[kind], ++run);
      return kind === "admitted";
    };
    await withEndedSlices(() => index.search(Float32Array.of(2, 1), { limit: 10_000, admits }));
    clearTimeout(timer);
  }
  assert.deepEqual(longest_runs, { admitted: 1_024, refused: 1_024 });
});

/** Runs a search whose clock says, at each reading, that the present time slice is over. */
async function withEndedSlices<Result>(search: () => Promise<Result>): Promise<Result> {
  const { now: realNow } = performance;
  let now = 0;
  performance.now = () => now += 1_000;
  try {
    return await search();
  } finally {
    performance.now = realNow;
  }
}

Deno.test("search() returns the lowest ids of many equally near vectors", async () => {
  const index = await VectorIndex.create(2);
  const ids = upTo(5_000).map((n) => n * 7_919 % 5_003);
  for (const id of ids) index.put(id, quantize([1, 2])!);
  const { nearest } = await index.search(Float32Array.of(1, 2), { limit: 20 });
  assert.deepEqual(nearest.map(({ id }) => id), ids.toSorted((a, b) => a - b).slice(0, 20));
});

/**
 * Returns queries, and an index of 2,988 random directions and twelve directions near one topic.
 * `lean` shifts all of them in one common direction. Apart from this shift, only the query
 * `on_topic` is near vectors of the index.
 */
async function leaning(lean: number) {
  const random = new Random(3);
  const randomDirection = (): number[] =>
    Array.from({ length: 100 }, () => random.next() + random.next() + random.next() - 1.5);
  const [topic, side] = [randomDirection(), randomDirection()];
  const near = (from: readonly number[]) =>
    randomDirection().map((value, n) => from[n]! + 0.6 * value + lean * side[n]!);
  const index = await VectorIndex.create(100);
  const origin = Array.from({ length: 100 }, () => 0);
  for (let id = 1; id <= 3_000; id++) {
    index.put(id, quantize(id <= 12 ? near(topic) : near(randomDirection()))!);
  }
  return {
    index,
    on_topic: Float32Array.from(near(topic)),
    off_topic: Array.from({ length: 20 }, () => Float32Array.from(near(randomDirection()))),
    without_topic: Float32Array.from(near(origin)),
  };
}

for (const lean of [0, 1, 3]) {
  Deno.test(`search() separates near vectors from chance if all vectors lean by ${lean}`, async () => {
    const { index, on_topic, off_topic, without_topic } = await leaning(lean);
    const near = async (query: Float32Array) => {
      const { nearest, floor } = await index.search(query, { limit: 100 });
      return nearest.filter(({ score }) => score >= floor).map(({ id }) => id).sort((a, b) =>
        a - b
      );
    };
    assert.deepEqual(await near(on_topic), upTo(12));
    for (const query of [...off_topic, without_topic]) assert.deepEqual(await near(query), []);
  });
}

Deno.test("search() sets its floor at least a third of the way from the median cosine to 1", async () => {
  const random = new Random(3);
  const randomDirection = () =>
    Array.from({ length: 384 }, () => random.next() + random.next() - 1);
  const query = randomDirection();
  const squares = query.reduce((sum, value) => sum + value * value, 0);
  const at = (cosine: number) => {
    const direction = randomDirection();
    const product = direction.reduce((sum, value, n) => sum + value * query[n]!, 0);
    const across = direction.map((value, n) => value - product / squares * query[n]!);
    const share = Math.sqrt((1 - cosine ** 2) * squares) / Math.hypot(...across);
    return query.map((value, n) => cosine * value + share * across[n]!);
  };
  const index = await VectorIndex.create(384);
  for (let id = 3; id <= 1_000; id++) index.put(id, quantize(randomDirection())!);
  index.put(1, quantize(at(0.38))!);
  index.put(2, quantize(at(0.28))!);
  const { nearest, floor } = await index.search(Float32Array.from(query), { limit: 2 });
  const rounded = nearest.map(({ id, score }) => [id, Math.round(100 * score)]);
  assert.deepEqual(rounded, [[1, 38], [2, 28]]);
  assert.ok(floor > 0.32 && floor < 0.35, `${floor}`);
});

Deno.test("search() returns the same floor for any filter, and a single vector never reaches it", async () => {
  const { index, on_topic } = await leaning(1);
  const all = await index.search(on_topic, { limit: 5 });
  const few = await index.search(on_topic, { limit: 5, admits: (id) => id > 2_000 });
  assert.equal(few.floor, all.floor);
  assert.ok(few.nearest[0]!.score < few.floor);
  const alone = await (await createIndex([1])).search(vectorOf(2), { limit: 1 });
  assert.ok(alone.nearest[0]!.score < alone.floor);
});
