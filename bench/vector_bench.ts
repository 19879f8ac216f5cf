/**
 * How fast are the nearest 100 vectors of 384 dimensions found, and how many of them are lost, beside a
 * plain scan of a Float32Array?
 */
import assert from "node:assert/strict";
import { quantize } from "../src/search/vectors/quantized.ts";
import { VectorIndex } from "../src/search/vectors/vector_index.ts";
import { longestBlock } from "./blocks.ts";
import { benchInChild, say } from "./child.ts";
import { type Floor, formatNumber, formatTime, markdownTable, ratioFloor } from "./floors.ts";
import { heldBytes, LIMIT, percentile } from "./measure.ts";
import { LARGEST, sizeName } from "./sizes.ts";
import { DIMENSIONS, type Shape, Vectors } from "./vectors.ts";

const SHAPES: readonly Shape[] = ["clustered", "leaning", "even"];
const QUERIES = 20;
const ROUNDS = 2;
const ADMITTED_EVERY = 10_000;

const LEAST_RATIO = 10;
const LEAST_RECALL = 0.95;
const MOST_BLOCK = 50;

for (const size of [LARGEST / 10, LARGEST]) {
  for (const shape of SHAPES) {
    await benchInChild(import.meta.url, () => compare(size, shape), `${shape}, ${sizeName(size)}`);
  }
}

async function compare(size: number, shape: Shape): Promise<Floor[]> {
  const title = `${sizeName(size)} vectors, ${shape}`;
  say(`\n## ${title}\n`);
  const vectors = new Vectors(shape);
  const plain = new Float32Array(size * DIMENSIONS);
  for (let n = 0; n < size; n++) vectors.write(rowOf(plain, n));
  const index = fill(plain, size);
  const queries = Array.from({ length: QUERIES }, () => {
    const query = new Float32Array(DIMENSIONS);
    vectors.write(query);
    return query;
  });
  const { recall, ...times } = await measure(plain, index, queries);
  const longest = await longestBlock(async () => {
    for (const query of queries) {
      times.ours.push(await timed(() => index.search(query, { limit: LIMIT })));
      times.filtered.push(await timed(() => index.search(query, { limit: LIMIT, admits: few })));
    }
  });
  for (const samples of Object.values(times)) samples.sort((a, b) => a - b);
  const row = (name: string, samples: readonly number[]) => [
    name,
    ...[0.5, 0.99].map((share) => formatTime(percentile(samples, share))),
  ];
  say(markdownTable(["search", "p50", "p99"], [
    row("ours", times.ours),
    row(`ours, one in ${ADMITTED_EVERY} admitted`, times.filtered),
    row("Float32Array", times.plain),
  ]));
  const [ours, other] = [percentile(times.ours, 0.5), percentile(times.plain, 0.5)];
  return [
    ratioFloor(`${title}, p50 against a plain scan`, other / ours, {
      least: LEAST_RATIO,
      of: `${formatTime(ours)} and ${formatTime(other)}`,
    }),
    {
      what: `${title}, recall of the nearest ${LIMIT}`,
      floor: `at least ${LEAST_RECALL}`,
      measured: formatNumber(recall),
      met: recall >= LEAST_RECALL,
    },
    {
      what: `${title}, longest block of the event loop`,
      floor: `under ${MOST_BLOCK} ms`,
      measured: formatTime(longest),
      met: longest < MOST_BLOCK,
    },
  ];
}

function rowOf(plain: Float32Array, n: number): Float32Array {
  return plain.subarray(n * DIMENSIONS, (n + 1) * DIMENSIONS);
}

function fill(plain: Float32Array, size: number): VectorIndex {
  const before = heldBytes();
  const index = new VectorIndex(DIMENSIONS);
  let adding = 0;
  for (let n = 0; n < size; n++) {
    const vector = quantize(rowOf(plain, n))!;
    const start = performance.now();
    index.put(n + 1, vector);
    adding += performance.now() - start;
  }
  assert.equal(index.size, size);
  // Shared memory is not counted as held.
  const bytes = heldBytes() - before + index.sharedMemory;
  say(`memory: ${formatNumber(bytes / size)} bytes a vector; a plain scan has 1,536`);
  say(`${formatNumber(1_000 * adding / size)} µs to add one\n`);
  return index;
}

/** Both search alike, in turns: a plain scan is too slow for more than once a query. */
async function measure(
  plain: Float32Array,
  index: VectorIndex,
  queries: readonly Float32Array[],
): Promise<{ recall: number; ours: number[]; filtered: number[]; plain: number[] }> {
  const times = { ours: [] as number[], filtered: [] as number[], plain: [] as number[] };
  let found = 0;
  for (const query of queries) {
    let expected: ReturnType<typeof scan> = [];
    times.plain.push(await timed(() => expected = scan(plain, query)));
    const ids = new Set(expected.map(({ id }) => id));
    for (let round = 0; round < ROUNDS; round++) {
      times.ours.push(await timed(() => index.search(query, { limit: LIMIT })));
    }
    const { nearest } = await index.search(query, { limit: LIMIT });
    assert.equal(nearest.length, LIMIT);
    found += nearest.filter(({ id }) => ids.has(id)).length;
  }
  return { recall: found / queries.length / LIMIT, ...times };
}

/** Filters that admit few have as many asked as may be. */
function few(id: number): boolean {
  return id % ADMITTED_EVERY === 0;
}

/** The nearest by a plain scan, which keeps the best in a short sorted list. */
function scan(plain: Float32Array, query: Float32Array): { id: number; score: number }[] {
  const best: { id: number; score: number }[] = [];
  let least = -Infinity;
  for (let from = 0, id = 1; from < plain.length; from += DIMENSIONS, id++) {
    let score = 0;
    for (let n = 0; n < DIMENSIONS; n++) score += plain[from + n]! * query[n]!;
    if (score <= least) continue;
    let place = best.length;
    while (place > 0 && best[place - 1]!.score < score) place--;
    best.splice(place, 0, { id, score });
    if (best.length > LIMIT) best.pop();
    if (best.length === LIMIT) least = best[LIMIT - 1]!.score;
  }
  return best;
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
