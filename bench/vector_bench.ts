/**
 * How fast is a search for the nearest 100 vectors of 384 dimensions, and what is its recall? It is
 * compared with a plain scan of a Float32Array.
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
/** Number of searches of the index per query and plain scan. */
const ROUNDS = 2;
/** Number of ids of which one passes the filter. */
const ADMITTED_EVERY = 10_000;

/** Min ratio of the median of a plain scan to that of the index. */
const RATIO_MIN = 10;
const RECALL_MIN = 0.95;
/** Max milliseconds for which a search may block the event loop. */
const BLOCK_MAX = 50;

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
      times.filtered.push(
        await timed(() => index.search(query, { limit: LIMIT, admits: isAdmitted })),
      );
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
  const [ours, scanned] = [percentile(times.ours, 0.5), percentile(times.plain, 0.5)];
  return [
    ratioFloor(`${title}, p50 against a plain scan`, scanned / ours, {
      min: RATIO_MIN,
      of: `${formatTime(ours)} and ${formatTime(scanned)}`,
    }),
    {
      what: `${title}, recall of the nearest ${LIMIT}`,
      floor: `at least ${RECALL_MIN}`,
      measured: formatNumber(recall),
      met: recall >= RECALL_MIN,
    },
    {
      what: `${title}, longest block of the event loop`,
      floor: `under ${BLOCK_MAX} ms`,
      measured: formatTime(longest),
      met: longest < BLOCK_MAX,
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
  // heldBytes() does not include shared memory.
  const bytes = heldBytes() - before + index.sharedMemory;
  say(`memory: ${formatNumber(bytes / size)} bytes per vector; 1,536 in a plain scan`);
  say(`${formatNumber(1_000 * adding / size)} µs to add a vector\n`);
  return index;
}

/** Searches in turns. Each query has only one plain scan, because a scan is slow. */
async function measure(
  plain: Float32Array,
  index: VectorIndex,
  queries: readonly Float32Array[],
): Promise<{ recall: number; ours: number[]; filtered: number[]; plain: number[] }> {
  const times = { ours: [] as number[], filtered: [] as number[], plain: [] as number[] };
  let hits = 0;
  for (const query of queries) {
    let expected: ReturnType<typeof scan> = [];
    times.plain.push(await timed(() => expected = scan(plain, query)));
    const ids = new Set(expected.map(({ id }) => id));
    for (let round = 0; round < ROUNDS; round++) {
      times.ours.push(await timed(() => index.search(query, { limit: LIMIT })));
    }
    const { nearest } = await index.search(query, { limit: LIMIT });
    assert.equal(nearest.length, LIMIT);
    hits += nearest.filter(({ id }) => ids.has(id)).length;
  }
  return { recall: hits / queries.length / LIMIT, ...times };
}

/** Filter that admits few ids, so that a search looks at as many candidates as it may. */
function isAdmitted(id: number): boolean {
  return id % ADMITTED_EVERY === 0;
}

/** Returns the nearest vectors by a plain scan, which keeps the best in a sorted list. */
function scan(plain: Float32Array, query: Float32Array): { id: number; score: number }[] {
  const best: { id: number; score: number }[] = [];
  let threshold = -Infinity;
  for (let from = 0, id = 1; from < plain.length; from += DIMENSIONS, id++) {
    let score = 0;
    for (let n = 0; n < DIMENSIONS; n++) score += plain[from + n]! * query[n]!;
    if (score <= threshold) continue;
    let place = best.length;
    while (place > 0 && best[place - 1]!.score < score) place--;
    best.splice(place, 0, { id, score });
    if (best.length > LIMIT) best.pop();
    if (best.length === LIMIT) threshold = best[LIMIT - 1]!.score;
  }
  return best;
}

/** Runs `work`. @returns milliseconds */
async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
