/**
 * How much slower is recording because companies are joined by name?
 *
 * Real files of Crunchbase are recorded in two databases, with and without the member `joining` of
 * records, which allows joins. The databases take turns batch by batch, so that the load of the
 * machine affects both. TEST_DATABASE_URL is the address of the server, for a superuser. Without
 * it, a temporary server is started from this machine's binaries.
 */
import assert from "node:assert/strict";
import type { Sql } from "../src/db/connect.ts";
import type { NormalRecord } from "../src/ingest/record/normalize.ts";
import { BATCH_SIZES, recordObservations } from "../src/ingest/record/pipeline.ts";
import { crunchbase2013 } from "../src/ingest/sources/crunchbase_2013.ts";
import { startCluster } from "../test/support/cluster.ts";
import { say } from "./child.ts";
import { type Floor, floorTable, keepFloors, ratioFloor } from "./floors.ts";
import { openDatabase } from "./ingest_database.ts";
import { fileURLToPath } from "node:url";

/** Number of records of each file. */
const RECORDS = 10_000;
const ROUNDS = 3;
/** Min speed with joins, as a share of the speed without joins. */
const FLOOR = 0.85;
const FILES = ["rounds.csv", "companies.csv"];

const pathOf = (name: string) =>
  fileURLToPath(new URL(`../../shared/data/crunchbase_2013/${name}`, import.meta.url));

// Deno.bench() is not used, because it would repeat all the work to print a single duration.
await main();

async function main(): Promise<void> {
  const address = Deno.env.get("TEST_DATABASE_URL");
  const cluster = address === undefined ? await startCluster() : undefined;
  const url = address ?? cluster?.url;
  if (url === undefined) {
    return say("ingest_joins_bench.ts is skipped: there are no binaries of a PostgreSQL server");
  }
  try {
    const floors: Floor[] = [];
    for (const file of FILES) floors.push(await compare(url, file));
    keepFloors(floors);
    say(`\n${floorTable(floors)}\n`);
  } finally {
    await cluster?.stop();
  }
}

/** Seconds of one batch. */
interface Seconds {
  with_joins: number;
  without: number;
}

function sumOf(batches: readonly Seconds[], way: keyof Seconds): number {
  return batches.reduce((sum, seconds) => sum + seconds[way], 0);
}

/** Compares the sums of the fastest times of each batch, so that a pause of the machine is ignored. */
async function compare(url: string, file: string): Promise<Floor> {
  const records = await readRecords(pathOf(file));
  let fastest: Seconds[] | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const batches = await recordBoth(url, records);
    fastest = fastest === undefined ? batches : fastest.map((seconds, n) => ({
      with_joins: Math.min(seconds.with_joins, batches[n]!.with_joins),
      without: Math.min(seconds.without, batches[n]!.without),
    }));
  }
  const [withJoins, without] = [sumOf(fastest!, "with_joins"), sumOf(fastest!, "without")];
  const speed = (seconds: number) => Math.round(records.length / seconds);
  return ratioFloor(`speed of recording ${file} with joins`, without / withJoins, {
    min: FLOOR,
    of: `${speed(withJoins)} of ${speed(without)} records per second`,
  });
}

async function readRecords(path: string): Promise<NormalRecord[]> {
  const records: NormalRecord[] = [];
  const stream = (await Deno.open(path)).readable;
  for await (const { judged } of crunchbase2013.read(stream, { retrieved_at: new Date() })) {
    if ("record" in judged) records.push(judged.record);
    if (records.length === RECORDS) break;
  }
  assert.equal(records.length, RECORDS);
  return records;
}

/** Records the batches in two new databases, which take turns. Returns the seconds of each batch. */
async function recordBoth(url: string, records: readonly NormalRecord[]): Promise<Seconds[]> {
  await using joined = await openDatabase(url);
  await using plain = await openDatabase(url);
  const batches: Seconds[] = [];
  const size = BATCH_SIZES.server.records;
  for (let start = 0; start < records.length; start += size) {
    const batch = records.slice(start, start + size);
    const seconds: Seconds = { with_joins: 0, without: 0 };
    const turns = [
      async () => seconds.with_joins = await timed(() => recordObservations(joined.sql, batch)),
      async () => seconds.without = await timed(() => recordWithoutJoins(plain.sql, batch)),
    ];
    for (const turn of start / size % 2 === 0 ? turns : turns.toReversed()) await turn();
    batches.push(seconds);
  }
  assert.ok(await countNames(joined.sql) > 0);
  assert.equal(await countNames(plain.sql), 0);
  return batches;
}

async function recordWithoutJoins(sql: Sql, records: readonly NormalRecord[]): Promise<void> {
  const batch = JSON.stringify(records.map((record) => ({ ...record, joining: null })));
  await sql`select record_observations(${batch}::text::jsonb)`;
}

async function countNames(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`select count(*) from company_join_names`;
  return row.count;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
