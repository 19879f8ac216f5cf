/**
 * How fast does `ingest` record a file, and does its memory grow with the length of the file?
 *
 * COPY of the same rows into the same tables is measured for comparison. TEST_DATABASE_URL is the
 * address of the server, for a superuser. Without it, a temporary server is started from this
 * machine's binaries. INGEST_BENCH_LINES is the number of lines of the file, 200,000 by default.
 */
import assert from "node:assert/strict";
import type { Sql } from "../src/db/connect.ts";
import { BATCH_SIZES, type IngestCounts, ingestEntries } from "../src/ingest/record/pipeline.ts";
import { readNdjson } from "../src/ingest/formats/json.ts";
import { startCluster } from "../test/support/cluster.ts";
import { say } from "./child.ts";
import { MIB, mib } from "./floors.ts";
import { openDatabase } from "./ingest_database.ts";
import { benchRecord, writeRecords } from "./ingest_records.ts";
import { copyTables, digestTables } from "./ingest_tables.ts";

const LINES = Number(Deno.env.get("INGEST_BENCH_LINES") ?? 200_000);
/** Number of lines of a shorter file, whose rows are compared with the expected ones. */
const CHECKED_LINES = 2_000;

/** Min speed as a share of COPY's. A lower share would mean that inserts are not the main work. */
const SHARE_OF_COPY_MIN = 0.2;
/**
 * Max growth of memory from the third to the last tenth of the file. From the third tenth on, only
 * garbage collection should change the memory.
 */
const GROWTH_MAX = { factor: 1.2, mib: 32 };

const NO_COUNTS = {
  recorded: 0,
  revised: 0,
  unchanged: 0,
  rejected: 0,
  left_out: 0,
  excerpts_cut: 0,
  doubtful: 0,
};

// Deno.bench() is not used, because it would repeat minutes of work to print a single duration.
await main();

async function main() {
  const address = Deno.env.get("TEST_DATABASE_URL");
  const cluster = address === undefined ? await startCluster() : undefined;
  const url = address ?? cluster?.url;
  if (url === undefined) {
    return say("ingest_bench.ts is skipped: there are no binaries of a PostgreSQL server");
  }
  const dir = await Deno.makeTempDir({ prefix: "ingest_bench_" });
  try {
    await check(url, dir);
    await compare(url, dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
    await cluster?.stop();
  }
}

/** Checks that `ingest` records every row, and that COPY fills the tables with the same rows. */
async function check(url: string, dir: string) {
  const path = `${dir}/checked.ndjson`;
  await writeRecords(path, CHECKED_LINES);
  await using ingested = await openDatabase(url);
  const { counts } = await ingestFile(ingested.sql, { path, lines: CHECKED_LINES });
  assert.deepEqual(counts, { ...NO_COUNTS, read: CHECKED_LINES, recorded: CHECKED_LINES });
  const rows = await ingested.sql`
    select o.external_id, c.name, o.observed_fact, e.excerpt, d.hostname
    from observations o
    join companies c on c.id = o.company_id
    join evidence e on e.observation_id = o.id
    join deliverable_domains d on d.observation_id = o.id
    order by o.id
  `;
  const expected = Array.from({ length: CHECKED_LINES }, (_, n) => {
    const { external_id, company, observed_fact, evidence } = benchRecord(n);
    const { excerpt } = evidence[0]!;
    return {
      external_id,
      name: company.name,
      observed_fact,
      excerpt,
      hostname: company.domains[0],
    };
  });
  assert.deepEqual([...rows], expected);
  await using copied = await openDatabase(url);
  await copyTables({ from: ingested.url, to: copied.url, dir });
  assert.deepEqual(await digestTables(copied.sql), await digestTables(ingested.sql));
}

async function compare(url: string, dir: string) {
  const path = `${dir}/records.ndjson`;
  await writeRecords(path, LINES);
  const { size } = await Deno.stat(path);
  say(`${LINES.toLocaleString("en")} records, ${mib(size)} MiB`);
  await using ingested = await openDatabase(url);
  const first = await ingestFile(ingested.sql, { path, lines: LINES });
  assert.deepEqual(first.counts, { ...NO_COUNTS, read: LINES, recorded: LINES });
  say(`resident MiB in each tenth of the file: ${first.resident.map(mib).join(" ")}`);
  await using copied = await openDatabase(url);
  const copy_seconds = await copyTables({ from: ingested.url, to: copied.url, dir });
  const [row] = await copied.sql<[{ count: number }]>`select count(*) from observations`;
  assert.equal(row.count, LINES);
  const second = await ingestFile(ingested.sql, { path, lines: LINES });
  assert.deepEqual(second.counts, { ...NO_COUNTS, read: LINES, unchanged: LINES });

  say("                    records/second    seconds  share of COPY");
  const share = (seconds: number) => copy_seconds / seconds;
  for (
    const [name, seconds] of [
      ["COPY", copy_seconds],
      ["ingest, new", first.seconds],
      ["ingest, unchanged", second.seconds],
    ] as const
  ) {
    const rate = Math.round(LINES / seconds).toLocaleString("en");
    const percent = `${(100 * share(seconds)).toFixed(0)} %`;
    say(
      `${name.padEnd(20)}${rate.padStart(16)}${seconds.toFixed(1).padStart(9)}${
        percent.padStart(15)
      }`,
    );
  }
  assert.ok(
    share(first.seconds) > SHARE_OF_COPY_MIN,
    "ingest has less than a fifth of COPY's speed",
  );
  const [third, last] = [first.resident[2]!, first.resident[9]!];
  assert.ok(
    last <= third * GROWTH_MAX.factor + GROWTH_MAX.mib * MIB,
    `memory grows with the file: ${mib(third)} MiB in its third tenth, ${
      mib(last)
    } MiB in its last`,
  );
}

interface Ingested {
  counts: IngestCounts;
  seconds: number;
  /** Mean bytes of resident memory in each tenth of the file. */
  resident: number[];
}

/** Ingests a file as the command does. */
async function ingestFile(
  sql: Sql,
  { path, lines }: { path: string; lines: number },
): Promise<Ingested> {
  const samples: number[][] = Array.from({ length: 10 }, () => []);
  const start = performance.now();
  const counts = await ingestEntries(sql, readNdjson((await Deno.open(path)).readable), {
    batch: BATCH_SIZES.server,
    reject: ({ line, reason }) => assert.fail(`line ${line}: ${reason}`),
    progress({ read }) {
      const tenth = Math.min(9, Math.floor(10 * read / lines));
      samples[tenth]!.push(Deno.memoryUsage().rss);
    },
  });
  return {
    counts: { ...counts },
    seconds: (performance.now() - start) / 1000,
    resident: samples.map((tenth) => tenth.reduce((sum, rss) => sum + rss, 0) / tenth.length),
  };
}
