/**
 * Measures the time of a company search in an index of a million observations on three search
 * nodes. Also measures the memory of the nodes and of the serving process.
 *
 * `deno run -A --config test/deno.json bench/distributed/scale.ts [--observations N] [--shards N]
 * [--rounds N]` copies the real records many times in a temporary PostgreSQL. One service fills the
 * nodes, and a second service then answers the searches over HTTP. `--within DIR` is the directory
 * of the files of the nodes. `--database URL` replaces the temporary server by a database that
 * keeps the records for the next run. The first run fills it.
 */
import { parseArgs } from "node:util";
import { ownQuestions } from "../../test/search/questions/own_questions.ts";
import { record } from "../../test/support/factories.ts";
import { hasRealData } from "../../test/support/real_records.ts";
import { HAS_SPHINX, type Sphinx, startSphinx } from "../../test/support/sphinx.ts";
import { say } from "../child.ts";
import { formatMib, formatNumber, formatTime, markdownTable } from "../floors.ts";
import { percentile } from "../measure.ts";
import { realQuestions } from "../questions/ask.ts";
import { createKey } from "../questions/api.ts";
import { diskOf, residentOf } from "./nodes.ts";
import { openScaledDataset } from "./scaled_dataset.ts";
import { type ScaledService, startScaled } from "./scaled_service.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    observations: { type: "string", default: "1000000" },
    shards: { type: "string", default: "3" },
    rounds: { type: "string", default: "3" },
    within: { type: "string" },
    database: { type: "string" },
  },
});

/** Number of records that are committed one by one to measure how soon searches find them. */
const FRESH_RECORDS = 20;

await main();

async function main(): Promise<void> {
  if (!hasRealData()) return say("skipped: ../shared/data does not contain the real records");
  if (!HAS_SPHINX) return say("skipped: searchd is not installed");
  say(`load of the machine: ${Deno.loadavg().map((load) => load.toFixed(1)).join(", ")}`);
  const started = performance.now();
  await using dataset = await openScaledDataset({
    observations: Number(values.observations),
    url: values.database,
  });
  if (dataset === undefined) return say("skipped: there are no binaries of a PostgreSQL server");
  const { db: { sql }, observations: count } = dataset;
  say(`the dataset is complete after ${formatNumber((performance.now() - started) / 1000)} s`);
  await using sphinx = await startSphinx({ shards: Number(values.shards), within: values.within });
  const key = await createKey(dataset.db);
  const env = { DATABASE_URL: dataset.url, SEARCH_URL: sphinx.url };
  const rows: string[][] = [["observations", formatNumber(count)]];
  rows.push(["load of the machine (1 min) at the start", Deno.loadavg()[0]!.toFixed(1)]);
  const filling = performance.now();
  await using writer = await startScaled({ ...env, WORKERS: "1" });
  await writer.ready();
  const seconds = (performance.now() - filling) / 1000;
  rows.push([
    "filling the tables",
    `${formatNumber(seconds)} s, ${formatNumber(count / seconds)} records per second`,
  ]);
  const filled = await residentOf(writer.pid);
  rows.push([
    "resident memory of the process that has filled the tables",
    `${formatMib(filled.now)}, max ${formatMib(filled.max)}`,
  ]);
  await using service = await startScaled({ ...env, WORKERS: "0" });
  await service.ready();
  rows.push(...await searches(service, key));
  const { now, max } = await residentOf(service.pid);
  rows.push([
    "resident memory of a serving process after the searches",
    `${formatMib(now)}, max ${formatMib(max)}`,
  ]);
  rows.push(await freshness(service, { key, sql }));
  rows.push(...await nodeRows(sphinx, count));
  const [{ bytes }] = await sql<[{ bytes: number }]>`
    select pg_database_size(current_database()) as bytes
  `;
  rows.push([
    "PostgreSQL on disk",
    `${formatMib(bytes)}, ${formatNumber(bytes / count)} bytes per observation`,
  ]);
  rows.push(["load of the machine (1 min) at the end", Deno.loadavg()[0]!.toFixed(1)]);
  say(`\n${markdownTable(["what", "measured"], rows)}`);
}

/**
 * Asks every question in each round, and returns the percentiles of the times. Each round excludes
 * another company id, so that no answer comes from a cache.
 */
async function searches(service: ScaledService, key: string): Promise<string[][]> {
  const queries = [...realQuestions(), ...await ownQuestions()].map(({ query }) => query);
  const samples: number[] = [];
  const slowest: [number, string][] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const query of queries) {
      const filters = { exclude_company_ids: [Number.MAX_SAFE_INTEGER - round] };
      const started = performance.now();
      const { companies } = await service.search(key, { query, filters, limit: 10 });
      const taken = performance.now() - started;
      samples.push(taken);
      slowest.push([taken, `${query} (${companies.length})`]);
    }
  }
  slowest.sort(([a], [b]) => b - a);
  for (const [taken, query] of slowest.slice(0, 8)) say(`${formatTime(taken)}: ${query}`);
  samples.sort((a, b) => a - b);
  const times = [0.5, 0.9, 0.99].map((share) => formatTime(percentile(samples, share)));
  return [[
    "company search over HTTP: p50, p90, p99",
    `${times.join(", ")} (${samples.length} searches)`,
  ]];
}

/** Measures the time from the commit of a record until a search finds the record. */
async function freshness(
  service: ScaledService,
  { key, sql }: { key: string; sql: Parameters<typeof record>[0] },
): Promise<string[]> {
  const samples: number[] = [];
  for (let n = 0; n < FRESH_RECORDS; n++) {
    const word = `quixolite${"abcdefghijklmnopqrstuvwxyz"[n]}um`;
    await record(sql, [{ source: "fresh", observed_fact: `A ${word} press is wanted.` }]);
    const committed = performance.now();
    while ((await service.search(key, { query: word, limit: 1 })).companies.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    samples.push(performance.now() - committed);
  }
  samples.sort((a, b) => a - b);
  return [
    "from the commit of a record until it is found: p50, longest",
    `${formatTime(percentile(samples, 0.5))}, ${formatTime(samples.at(-1)!)}`,
  ];
}

async function nodeRows(sphinx: Sphinx, count: number): Promise<string[][]> {
  const rows: string[][] = [];
  let [memory, disk] = [0, 0];
  for (const [node] of sphinx.nodes.entries()) {
    const resident = await residentOf(sphinx.pidOf(node));
    const bytes = diskOf(sphinx.directoryOf(node));
    memory += resident.now;
    disk += bytes;
    rows.push([
      `node ${node}: resident memory, disk`,
      `${formatMib(resident.now)} (max ${formatMib(resident.max)}), ${formatMib(bytes)}`,
    ]);
  }
  rows.push([
    "all nodes per observation: resident memory, disk",
    `${formatNumber(memory / count)} bytes, ${formatNumber(disk / count)} bytes`,
  ]);
  return rows;
}
