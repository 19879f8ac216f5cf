/**
 * How fast does `ingest` take records in, beside PostgreSQL's own COPY of the same rows into the
 * same tables, and does it need more memory for a longer file?
 *
 * Runs on the server of TEST_DATABASE_URL, a superuser's address, else on a throwaway one from this
 * machine's own binaries. INGEST_BENCH_LINES is the length of the file, 200,000 by default.
 */
import assert from "node:assert/strict";
import type { Sql } from "../src/db/connect.ts";
import { BATCH_SIZES, type IngestCounts, ingestEntries } from "../src/ingest/record/pipeline.ts";
import { readNdjson } from "../src/ingest/sources/ndjson.ts";
import { startCluster } from "../test/support/cluster.ts";
import { openDatabase } from "./ingest_database.ts";
import { benchRecord, writeRecords } from "./ingest_records.ts";
import { copyTables, digestTables } from "./ingest_tables.ts";

const LINES = Number(Deno.env.get("INGEST_BENCH_LINES") ?? 200_000);
const CHECKED_LINES = 2_000;
const MIB = 1_048_576;

/** Less would mean that a batch is more than its inserts. */
const LEAST_SHARE_OF_COPY = 0.2;
/** The start is over by the third tenth; from there on collections come and go. */
const MOST_GROWTH = { factor: 1.2, mib: 32 };

const NONE = {
  recorded: 0,
  revised: 0,
  unchanged: 0,
  rejected: 0,
  left_out: 0,
  excerpts_cut: 0,
};

// Once: Deno.bench() would repeat minutes of work to print one time, and here there are three.
await main();

async function main() {
  const given = Deno.env.get("TEST_DATABASE_URL");
  const cluster = given === undefined ? await startCluster() : undefined;
  const url = given ?? cluster?.url;
  if (url === undefined) return say("ingest_bench.ts needs a PostgreSQL server, and finds none");
  const dir = await Deno.makeTempDir({ prefix: "ingest_bench_" });
  try {
    await check(url, dir);
    await compare(url, dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
    await cluster?.stop();
  }
}

/** Checks the work that is timed below: every row is there, and COPY makes the same tables. */
async function check(url: string, dir: string) {
  const path = `${dir}/checked.ndjson`;
  await writeRecords(path, CHECKED_LINES);
  await using one = await openDatabase(url);
  const { counts } = await ingestFile(one.sql, { path, lines: CHECKED_LINES });
  assert.deepEqual(counts, { ...NONE, read: CHECKED_LINES, recorded: CHECKED_LINES });
  const rows = await one.sql`
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
  await using two = await openDatabase(url);
  await copyTables({ from: one.open, to: two.sql, dir });
  assert.deepEqual(await digestTables(two.sql), await digestTables(one.sql));
}

async function compare(url: string, dir: string) {
  const path = `${dir}/records.ndjson`;
  await writeRecords(path, LINES);
  const { size } = await Deno.stat(path);
  say(`${LINES.toLocaleString("en")} records, ${mib(size)} MiB`);
  await using one = await openDatabase(url);
  const first = await ingestFile(one.sql, { path, lines: LINES });
  assert.deepEqual(first.counts, { ...NONE, read: LINES, recorded: LINES });
  say(`resident MiB in each tenth of the file: ${first.resident.map(mib).join(" ")}`);
  await using two = await openDatabase(url);
  const copy_seconds = await copyTables({ from: one.open, to: two.sql, dir });
  const [row] = await two.sql<[{ count: number }]>`select count(*) from observations`;
  assert.equal(row.count, LINES);
  const again = await ingestFile(one.sql, { path, lines: LINES });
  assert.deepEqual(again.counts, { ...NONE, read: LINES, unchanged: LINES });

  say("                    records a second  seconds  share of COPY");
  const share = (seconds: number) => copy_seconds / seconds;
  for (
    const [name, seconds] of [
      ["COPY", copy_seconds],
      ["ingest, new", first.seconds],
      ["ingest, unchanged", again.seconds],
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
  assert.ok(share(first.seconds) > LEAST_SHARE_OF_COPY, "ingest is slower than a fifth of COPY");
  const [third, last] = [first.resident[2]!, first.resident[9]!];
  assert.ok(
    last <= third * MOST_GROWTH.factor + MOST_GROWTH.mib * MIB,
    `memory grows with the file: ${mib(third)} MiB in its third tenth, ${mib(last)} in its last`,
  );
}

interface Ingested {
  counts: IngestCounts;
  seconds: number;
  /** The mean resident memory in each tenth of the file, in bytes. */
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

function mib(bytes: number): number {
  return Math.round(bytes / MIB);
}

function say(line: string) {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}
