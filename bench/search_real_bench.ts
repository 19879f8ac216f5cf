/**
 * What does a planned company search over real records cost, with all that the service does for it,
 * beside words alone summed exhaustively over typed arrays and grouped by company?
 *
 * Both have the same records and the same questions, in turns, for five rounds. The records are then
 * repeated to a million, with other names and ids.
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
const MOST_BLOCK = 50;
const NOW = new Date("2026-11-01T00:00:00Z");

/** Max time of our engine, as a share of the peer's time. */
const MOST = { once: { p50: 1, p99: 1 }, largest: { p50: 0.25 } };

for (const size of ["once", "largest"] as const) {
  await benchInChild(import.meta.url, () => compare(size), size);
}

async function compare(size: "once" | "largest"): Promise<Floor[]> {
  if (!hasRealData()) {
    say("search_real_bench.ts is skipped: the real records are not at ../shared/data");
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
  const floors = Object.entries(MOST[size]).map(([share, most]) => {
    const times = rounds.map((samples) =>
      samples.map((own) => percentile(own, SHARES[share as keyof typeof SHARES])) as [
        number,
        number,
      ]
    );
    const what = `planned company search, ${name}, ${share} beside exhaustive words, grouped`;
    return roundsFloor(what, times.map(([own, other]) => own / other), { most, times });
  });
  if (size === "once") return floors;
  return [...floors, await blocks(pipeline, queries, name)];
}

/** Returns by round and searcher what the questions took, in milliseconds, ascending. */
async function timeRounds(
  searchers: readonly Searcher[],
  queries: readonly Query[],
): Promise<number[][][]> {
  const effort = { least: queries.length, most: queries.length, budget: 0 };
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
      const [least, most] = [times[0], times.at(-1)];
      return `${formatTime(percentile(times, 0.5))} (${formatTime(least)} to ${formatTime(most)})`;
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
    floor: `under ${MOST_BLOCK} ms`,
    measured: formatTime(longest),
    met: longest < MOST_BLOCK,
  };
}
