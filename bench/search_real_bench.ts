/**
 * How long does a company search of real records take? The whole pipeline of the service is
 * compared with exhaustive scoring of words that is grouped by company.
 *
 * Both take turns with the same questions about the same records, for five rounds. A second run
 * uses copies of the records, up to a million in total, with other names and ids.
 */
import { ownQuestions } from "../test/search/questions/own_questions.ts";
import { hasRealData } from "../test/support/real_records.ts";
import { longestBlock } from "./blocks.ts";
import { benchInChild, say } from "./child.ts";
import { createExhaustive } from "./engines/exhaustive.ts";
import { createPipeline, type Pipeline } from "./engines/pipeline.ts";
import { type Floor, formatNumber, formatTime, markdownTable, roundsFloor } from "./floors.ts";
import { LIMIT, percentile, type Searcher, timeInTurns } from "./measure.ts";
import { RepeatedRecords } from "./numbered.ts";
import type { Query } from "./queries.ts";
import { realQuestions } from "./questions/ask.ts";
import { readRealDocuments } from "./rows.ts";
import { LARGEST } from "./sizes.ts";

const ROUNDS = 5;
const SHARES = { p50: 0.5, p90: 0.9, p99: 0.99 };
/** Max milliseconds for which a search may block the event loop. */
const BLOCK_MAX = 50;
const NOW = new Date("2026-11-01T00:00:00Z");

/** Max time of our engine, as a share of the peer's time. */
const SHARE_MAX = { once: { p50: 1, p99: 1 }, largest: { p50: 0.25 } };

for (const size of ["once", "largest"] as const) {
  await benchInChild(import.meta.url, () => compare(size), size);
}

async function compare(size: "once" | "largest"): Promise<Floor[]> {
  if (!hasRealData()) {
    say("search_real_bench.ts is skipped: ../shared/data does not contain the real records");
    return [];
  }
  const originals = await readRealDocuments();
  const copies = size === "once" ? 1 : Math.ceil(LARGEST / originals.length);
  const records = new RepeatedRecords(originals, copies);
  const name = `${formatNumber(records.size)} real records`;
  const exhaustive = createExhaustive();
  exhaustive.fill(records);
  const pipeline = createPipeline(records.records(), { hybrid: true, now: NOW });
  const queries = [...realQuestions(), ...await ownQuestions()]
    .map(({ query }) => records.query(query));
  const ours = { search: ({ text }: Query) => pipeline.search(text) };
  const peer = { search: (query: Query) => exhaustive.shortlist(query, LIMIT) };
  const rounds = await timeRounds([ours, peer], queries);
  say(`\n## ${name}, ${queries.length} questions\n\n${timeTable(rounds)}`);
  const floors = Object.entries(SHARE_MAX[size]).map(([share, max]) => {
    const times = rounds.map((round) =>
      round.map((samples) => percentile(samples, SHARES[share as keyof typeof SHARES])) as [
        number,
        number,
      ]
    );
    const what = `planned company search, ${name}, ${share} against exhaustive words, grouped`;
    return roundsFloor(what, times.map(([ours, peer]) => ours / peer), { max, times });
  });
  if (size === "once") return floors;
  return [...floors, await blocks(pipeline, queries, name)];
}

/** Returns the milliseconds of the questions by round and searcher, ascending. */
async function timeRounds(
  searchers: readonly Searcher[],
  queries: readonly Query[],
): Promise<number[][][]> {
  const effort = { min: queries.length, max: queries.length, budget: 0 };
  const rounds: number[][][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(await timeInTurns(searchers, queries, effort));
  }
  return rounds;
}

function timeTable(rounds: readonly number[][][]): string {
  const row = (name: string, searcher: number) => [
    name,
    ...Object.values(SHARES).map((share) => {
      const times = rounds.map((samples) => percentile(samples[searcher]!, share))
        .sort((a, b) => a - b);
      const [min, max] = [times[0], times.at(-1)];
      return `${formatTime(percentile(times, 0.5))} (${formatTime(min)} to ${formatTime(max)})`;
    }),
  ];
  return markdownTable(
    ["search", ...Object.keys(SHARES)],
    [row("ours, planned", 0), row("exhaustive, grouped", 1)],
  );
}

async function blocks(
  pipeline: Pipeline,
  queries: readonly Query[],
  name: string,
): Promise<Floor> {
  const longest = await longestBlock(async () => {
    for (const { text } of queries) {
      pipeline.search(text);
      await new Promise((resolve) => setTimeout(resolve));
    }
  });
  return {
    what: `longest block of the event loop by a planned search, ${name}`,
    floor: `under ${BLOCK_MAX} ms`,
    measured: formatTime(longest),
    met: longest < BLOCK_MAX,
  };
}
