/**
 * How much time does Orama's `search` add to our engine, if the engine is a plugin of Orama?
 *
 * The engine and Orama's `search` take turns with the same questions about the same real records.
 * The added time is spent on creating an object per hit. A request of the service searches several
 * times, so the service avoids that time by calling the engine directly.
 */
import assert from "node:assert/strict";
import {
  type AnyDocument,
  type AnyOrama,
  create,
  insert,
  type Results,
  search,
} from "@orama/orama";
import { EVERYTHING } from "../src/search/engine/filters.ts";
import { segmentsOf } from "../src/search/engine/plugin.ts";
import { words } from "../src/search/engine/text.ts";
import {
  OBSERVATION_SCHEMA,
  observationPlugin,
  observationRow,
} from "../src/search/index/observation_plugin.ts";
import { hasRealData } from "../test/support/real_records.ts";
import { say } from "./child.ts";
import { formatTime, markdownTable } from "./floors.ts";
import { percentile } from "./measure.ts";
import { realQuestions } from "./questions/ask.ts";
import { readRealDocuments } from "./rows.ts";

const ROUNDS = 20;
const DOCUMENTS = 20_000;
const GROUPS = { companies: 100, observations_per_company: 3 };

if (hasRealData()) await compare();
else say("search_orama_bench.ts is skipped: ../shared/data does not contain the real records");

async function compare(): Promise<void> {
  const orama: AnyOrama = create({
    schema: OBSERVATION_SCHEMA,
    plugins: [observationPlugin({ tail_documents: DOCUMENTS })],
  });
  const documents = (await readRealDocuments()).slice(0, DOCUMENTS);
  for (const document of documents) insert(orama, observationRow(document));
  const index = segmentsOf(orama);
  index.compact();
  const groupBy = { properties: ["company_id"], maxResult: GROUPS.observations_per_company };
  const ask = async (params: Record<string, unknown>) =>
    await search(orama, params) as Results<AnyDocument>;
  const times = { groups: [[], []], hits: [[], []] } as Record<string, [number[], number[]]>;
  for (let round = 0; round < ROUNDS; round++) {
    for (const { query: term } of realQuestions()) {
      const query = { words: words(term), conditions: EVERYTHING };
      const groups = [
        await timed(times.groups![0], () => index.shortlist(query, GROUPS)),
        (await timed(times.groups![1], () => ask({ term, groupBy }))).groups!,
      ];
      assert.equal(groups[0]!.length, groups[1]!.length);
      const hits = [
        await timed(times.hits![0], () => index.search(query, 100)),
        (await timed(times.hits![1], () => ask({ term, limit: 100 }))).hits,
      ];
      assert.equal(hits[0]!.length, hits[1]!.length);
    }
  }
  const rows = Object.entries(times).map(([name, sides]) => {
    const [engine, through] = sides.map((samples) => percentile(samples, 0.5)) as [number, number];
    return [name, ...[engine, through, through - engine].map(formatTime)];
  });
  say(`\n${documents.length} real records, medians\n`);
  say(markdownTable(["100 of", "engine", "Orama's search", "added"], rows));
}

/** Runs a search, and adds its milliseconds to the samples. */
async function timed<Value>(
  samples: number[],
  run: () => Value | Promise<Value>,
): Promise<Value> {
  const start = performance.now();
  const value = await run();
  samples.push(performance.now() - start);
  return value;
}
