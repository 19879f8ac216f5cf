/**
 * How fast is a search compared with other engines, and how much memory does each engine use?
 *
 * Every engine has a separate process, so that no garbage collector scans another engine's heap.
 * All have the same documents of 90 words and the same queries. Ours indexes texts. The others
 * index the stems of our engine, without stop words. All engines therefore match the same
 * documents, which is checked. Each finds the 100 best observations by its own ranking. The engines
 * take turns, for five rounds.
 */
import { benchInChild, say } from "./child.ts";
import { Corpus } from "./corpus.ts";
import { checkMatches, checkRanking, remembering } from "./engines/check.ts";
import { createNaive } from "./engines/naive.ts";
import { type EngineName, ENGINES } from "./engines/peers.ts";
import { RemoteEngine } from "./engines/remote.ts";
import {
  type Floor,
  formatNumber,
  formatTime,
  markdownTable,
  medianOf,
  roundsFloor,
} from "./floors.ts";
import { type Effort, LIMIT, percentile, shuffled } from "./measure.ts";
import { hostileQuery, queriesOf, type Query, SHAPES } from "./queries.ts";
import { Random } from "./random.ts";
import { sizeName, SIZES } from "./sizes.ts";

const WORDS = 90;
const CHECKED_QUERIES = 5;
const ROUNDS = 5;
const SEED = 11;

/** Queries and effort of the shape that has floors. Every round samples every query at least once. */
const MIXED = { queries: 25, effort: { min: 25, max: 400, budget: 400 } };
/** Queries and effort of each other shape. */
const OTHERS = { queries: 10, effort: { min: 10, max: 200, budget: 200 } };
/** Effort of the hostile query, which takes some engines many seconds. */
const HOSTILE = { min: 1, max: 3, budget: 100 };

/** Min ratio of an engine's median to ours. */
const FLOORS: Partial<Record<EngineName, number>> = {
  "Orama": 200,
  "MiniSearch": 100,
  "SQLite FTS5": 60,
  "PostgreSQL full text": 200,
};

for (const documents of [SIZES.small, SIZES.middle]) {
  await benchInChild(import.meta.url, () => compare(documents), sizeName(documents));
}

/** Queries of one shape, and the effort of measuring them. */
interface Case {
  name: string;
  queries: Query[];
  effort: Effort;
  rounds: number;
}

/** Samples of every round in milliseconds, ascending, by case and engine. */
type Samples = Map<string, Map<EngineName, number[][]>>;

async function compare(documents: number): Promise<Floor[]> {
  say(`\n## ${sizeName(documents)} documents of ${WORDS} words\n`);
  const corpus = new Corpus({ documents, words: WORDS });
  await using stack = new AsyncDisposableStack();
  const engines: RemoteEngine[] = [];
  const rows: string[][] = [];
  for (const name of Object.keys(ENGINES) as EngineName[]) {
    const engine = stack.use(new RemoteEngine(name));
    const filled = await engine.fill({ documents, words: WORDS });
    if (filled === null) continue;
    engines.push(engine);
    const { bytes, seconds } = filled;
    rows.push([name, formatNumber(bytes / documents), formatNumber(seconds)]);
  }
  say(markdownTable(["engine", "bytes per document", "seconds to fill"], rows) + "\n");
  await check(engines, corpus);
  const samples = await measure(engines, casesOf(corpus));
  say(timeTable(samples));
  return documents === SIZES.middle ? floorsOf(samples) : [];
}

async function check(engines: readonly RemoteEngine[], corpus: Corpus): Promise<void> {
  const naive = remembering(createNaive(), corpus.size);
  await naive.fill(corpus);
  for (const shape of SHAPES) {
    const queries = queriesOf(corpus, shape).slice(-CHECKED_QUERIES);
    for (const engine of engines) {
      await checkMatches(engine, naive, { queries, documents: corpus.size });
    }
    // Only ours and the exhaustive engine rank as the naive one does.
    for (const engine of engines.slice(0, 2)) {
      await checkRanking(engine, naive, { queries, limit: LIMIT });
    }
  }
}

function casesOf(corpus: Corpus): Case[] {
  const shaped = SHAPES.map((shape): Case => {
    const { queries, effort } = shape.name === "four mixed terms" ? MIXED : OTHERS;
    return { name: shape.name, queries: queriesOf(corpus, shape, queries), effort, rounds: ROUNDS };
  });
  const hostile = { name: "500 characters of single letters", queries: [hostileQuery()] };
  return [...shaped, { ...hostile, effort: HOSTILE, rounds: 1 }];
}

async function measure(
  engines: readonly RemoteEngine[],
  cases: readonly Case[],
): Promise<Samples> {
  const samples: Samples = new Map(
    cases.map(({ name }) => [name, new Map(engines.map((engine) => [engine.name, []]))]),
  );
  const random = new Random(SEED);
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, queries, effort } of cases.filter(({ rounds }) => round < rounds)) {
      for (const engine of shuffled(engines, random)) {
        samples.get(name)!.get(engine.name)!.push(await engine.time(queries, effort));
      }
    }
  }
  return samples;
}

function timeTable(samples: Samples): string {
  const rows = [...samples].flatMap(([shape, byEngine]) =>
    [...byEngine].map(([name, rounds], place) => [
      place === 0 ? shape : "",
      name,
      ...[0.5, 0.99].map((share) => spreadOf(rounds.map((round) => percentile(round, share)))),
      String(rounds[0]!.length),
    ])
  );
  return markdownTable(["query", "engine", "p50", "p99", "samples per round"], rows);
}

/** Formats the median, min and max of all rounds. */
function spreadOf(times: readonly number[]): string {
  const [min, max] = [Math.min(...times), Math.max(...times)];
  return `${formatTime(medianOf(times))} (${formatTime(min)} to ${formatTime(max)})`;
}

function floorsOf(samples: Samples): Floor[] {
  const mixed = samples.get("four mixed terms")!;
  const p50 = (name: EngineName) => mixed.get(name)!.map((round) => percentile(round, 0.5));
  const ours = p50("ours");
  const size = sizeName(SIZES.middle);
  return [...mixed.keys()].filter((name) => name !== "ours").map((name) => {
    const times = p50(name).map((peer, round) => [ours[round]!, peer] as const);
    const what = `four mixed terms, ${size} documents of ${WORDS} words, p50 against ${name}`;
    const ratios = times.map(([ours, peer]) => peer / ours);
    return roundsFloor(what, ratios, { min: FLOORS[name], times });
  });
}
