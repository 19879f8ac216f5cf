/**
 * How much memory does an index of a million documents of 60 words use? How fast are its searches
 * and restarts? How long does it block the event loop?
 *
 * One process measures all of this, because filling the index takes most of the time. The peer is
 * exhaustive scoring over typed arrays. All other engines are too slow or too large.
 */
import assert from "node:assert/strict";
import { measureBlocks } from "./blocks.ts";
import { benchInChild, say } from "./child.ts";
import { Corpus } from "./corpus.ts";
import { checkRanking } from "./engines/check.ts";
import type { Engine } from "./engines/engine.ts";
import { createExhaustive, type Exhaustive } from "./engines/exhaustive.ts";
import { createHybrid } from "./engines/hybrid.ts";
import { createOurs, fillTimed, observations, type Ours } from "./engines/ours.ts";
import { type Floor, formatNumber, formatTime, markdownTable, ratioFloor } from "./floors.ts";
import { heldBytes, LIMIT, percentile, type Searcher, timeInTurns } from "./measure.ts";
import { hostileQuery, queriesOf, type Query, SHAPES } from "./queries.ts";
import { measureRestart } from "./restart.ts";
import { LARGEST, sizeName, SIZES } from "./sizes.ts";

const WORDS = 60;
const CHECKED_QUERIES = 10;
const EFFORT = { min: 50, max: 300, budget: 2_000 };
/**
 * Effort when our engine is timed without peers. Every shape has the same number of samples,
 * because one percentile is computed over all shapes.
 */
const ALONE = { min: 200, max: 200, budget: 0 };
/** Number of documents that are revised. */
const CHANGED_DOCUMENTS = 20_000;

/** Max bytes of memory per document. */
const BYTES_MAX = 560;
/** Max milliseconds for which any work may block the event loop. */
const BLOCK_MAX = 50;

const SIZE = sizeName(LARGEST);

await benchInChild(import.meta.url, async () => {
  const corpus = new Corpus({ documents: LARGEST, words: WORDS });
  const { ours, build, memory } = fillLargest(corpus);
  const smaller = [SIZES.middle, SIZES.large].map((documents) => {
    const engine = createOurs(undefined, `ours, ${sizeName(documents)}`);
    engine.fill(corpus.resized({ documents, words: WORDS }));
    return engine;
  });
  const exhaustive = createExhaustive();
  await exhaustive.fill(corpus);
  await check(corpus, { ours, exhaustive });
  const latency = await compare(corpus, { ours, smaller, exhaustive });
  return [
    ...latency,
    await spread(corpus, ours),
    memory,
    await restart(corpus, { ours, build }),
    ...await blocks(corpus, ours),
  ];
});

/** Fills an index. Returns the milliseconds of building it, and the row of its memory. */
function fillLargest(corpus: Corpus): { ours: Ours; build: number; memory: Floor } {
  const before = heldBytes();
  const resident = Deno.memoryUsage().rss;
  const ours = createOurs();
  const build = fillTimed(ours.index, corpus);
  const bytes = heldBytes() - before + ours.nativeBytes();
  const grown = Deno.memoryUsage().rss - resident;
  assert.equal(ours.index.size, corpus.size);
  say(`\n## ${SIZE} documents of ${WORDS} words\n`);
  say(
    `memory: ${perDocument(bytes)} bytes per document; resident memory has grown by ${
      perDocument(grown)
    } bytes per document, including free memory of the heap`,
  );
  say(
    `filled in ${formatNumber(build / 1_000)} s, ${
      formatNumber(1_000 * LARGEST / build)
    } documents per second, merges included\n`,
  );
  const memory = {
    what: `memory held by the index at ${SIZE}, all included`,
    floor: `under ${BYTES_MAX} bytes a document`,
    measured: `${perDocument(bytes)} bytes a document`,
    met: bytes / LARGEST < BYTES_MAX,
  };
  return { ours, build, memory };
}

function perDocument(bytes: number): string {
  return formatNumber(bytes / LARGEST);
}

interface Pair {
  ours: Ours;
  exhaustive: Exhaustive;
}

async function check(corpus: Corpus, { ours, exhaustive }: Pair): Promise<void> {
  for (const shape of SHAPES) {
    const queries = queriesOf(corpus, shape).slice(-CHECKED_QUERIES);
    await checkRanking(ours, exhaustive, { queries, limit: LIMIT });
    for (const query of queries) {
      const scores = ours.shortlist(query, LIMIT).map(({ score }) => score);
      const expected = exhaustive.shortlist(query, LIMIT).map(({ score }) => score);
      assert.equal(scores.length, expected.length);
      for (const [place, score] of expected.entries()) {
        assert.ok(Math.abs(scores[place]! - score) <= 1e-9, `shortlist of ${query.text}`);
      }
    }
  }
}

async function compare(
  corpus: Corpus,
  { ours, smaller, exhaustive }: Pair & { smaller: readonly Engine[] },
): Promise<Floor[]> {
  const precomputed = exhaustive.precomputed();
  const hybrid = createHybrid(ours);
  const searchers: (Searcher & { name: string })[] = [
    { name: `ours, ${SIZE}`, search: ours.search },
    { name: "exhaustive", search: exhaustive.search },
    { name: precomputed.name, search: precomputed.search },
    ...smaller,
    { name: "ours, companies", search: ours.shortlist },
    { name: "exhaustive, companies", search: exhaustive.shortlist },
    { name: "ours, hybrid", search: hybrid.search },
    { name: "ours, companies, hybrid", search: hybrid.shortlist },
  ];
  const rows: string[][] = [];
  const floors: Floor[] = [];
  for (const shape of SHAPES) {
    const timings = await timeInTurns(searchers, queriesOf(corpus, shape), EFFORT);
    for (const [n, samples] of timings.entries()) {
      rows.push(row(n === 0 ? shape.name : "", searchers[n]!.name, samples));
    }
    const medians = timings.map((samples) => percentile(samples, 0.5));
    if (shape.name.startsWith("four mixed terms")) floors.push(...mixedFloors(shape, medians));
  }
  const [hostile] = await timeInTurns([ours], [hostileQuery()], EFFORT);
  rows.push(row("500 characters of single letters", `ours, ${SIZE}`, hostile!));
  say(markdownTable(["query", "engine", "p50", "p99", "samples"], rows));
  return floors;
}

function row(shape: string, name: string, samples: readonly number[]): string[] {
  const times = [0.5, 0.99].map((share) => formatTime(percentile(samples, share)));
  return [shape, name, ...times, String(samples.length)];
}

/** Returns the rows of a shape. The second parameter has the medians in the order of `compare`. */
function mixedFloors(
  { name, filtered }: { name: string; filtered: boolean },
  [ours, exhaustive, precomputed, middle, , companies, exhaustiveCompanies, ...hybrid]: number[],
): Floor[] {
  const times = (a: number, b: number) => `${formatTime(a)} and ${formatTime(b)}`;
  const what = `${name}, ${SIZE} documents, p50 against exhaustive scoring`;
  const withoutFloor = (variant: string, measured: number, peer: number): Floor => ({
    what: `the same, ${variant}`,
    floor: "",
    measured: `${formatNumber(peer / measured)} times (${times(measured, peer)})`,
  });
  const growth = ratioFloor(
    `${name}, growth of p50 from ${sizeName(SIZES.middle)} to ${SIZE} documents`,
    ours! / middle!,
    { max: 8, of: times(middle!, ours!) },
  );
  return [
    ratioFloor(what, exhaustive! / ours!, { min: 3, of: times(ours!, exhaustive!) }),
    withoutFloor("grouped by company", companies!, exhaustiveCompanies!),
    withoutFloor("scores precomputed", ours!, precomputed!),
    ratioFloor(`${name}, ${SIZE} documents, hybrid p50 against words alone`, hybrid[0]! / ours!, {
      max: 2,
      of: times(hybrid[0]!, ours!),
    }),
    ratioFloor("the same, grouped by company", hybrid[1]! / companies!, {
      max: 2,
      of: times(hybrid[1]!, companies!),
    }),
    ...filtered ? [] : [growth],
  ];
}

/** Compares the 99th percentile over all shapes with the median. */
async function spread(corpus: Corpus, ours: Ours): Promise<Floor> {
  const all: number[] = [];
  for (const shape of SHAPES) {
    const [samples] = await timeInTurns([ours], queriesOf(corpus, shape), ALONE);
    all.push(...samples!);
  }
  all.sort((a, b) => a - b);
  const [p50, p99] = [percentile(all, 0.5), percentile(all, 0.99)];
  return ratioFloor(`p99 against p50 over all shapes but the hostile one, ${SIZE}`, p99 / p50, {
    max: 10,
    of: `${formatTime(p99)} and ${formatTime(p50)}`,
  });
}

async function restart(
  corpus: Corpus,
  { ours, build }: { ours: Ours; build: number },
): Promise<Floor> {
  const queries = queriesOf(corpus, SHAPES[2]).slice(0, CHECKED_QUERIES);
  const { save, load, bytes } = await measureRestart(ours, queries);
  say(`\nsnapshot: ${perDocument(bytes)} bytes per document, written in ${formatTime(save)}`);
  return ratioFloor(`restart from a snapshot of ${SIZE} against a rebuild`, build / load, {
    min: 15,
    of: `${formatNumber(load / 1_000)} s and ${formatNumber(build / 1_000)} s`,
  });
}

async function blocks(corpus: Corpus, ours: Ours): Promise<Floor[]> {
  const queries: Query[] = [
    ...SHAPES.flatMap((shape) => queriesOf(corpus, shape)),
    hostileQuery(),
  ];
  // A revised document has the texts of another one, from the second half of the corpus.
  const half = LARGEST / 2;
  const changed = observations(corpus, half, half + CHANGED_DOCUMENTS)
    .map((document) => ({ ...document, observation_id: document.observation_id - half }));
  const { merges, ...longest } = await measureBlocks(ours, { queries, changed });
  assert.ok(merges > 0, "no merge was due");
  say(`${formatNumber(changed.length)} documents revised, ${merges} merges in a worker`);
  const names = {
    search: "a search",
    refresh_and_merge: "refresh and merge",
    swap: "a swap",
    worn_swap: "a swap, a fifth taken out",
    evict: "taking out what has expired",
  };
  return (Object.keys(names) as (keyof typeof names)[]).map((name) => ({
    what: `longest block of the event loop by ${names[name]}, ${SIZE}`,
    floor: `under ${BLOCK_MAX} ms`,
    measured: formatTime(longest[name]),
    met: longest[name] < BLOCK_MAX,
  }));
}
