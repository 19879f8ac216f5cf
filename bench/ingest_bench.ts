/**
 * How fast does `ingest` take records in, measured against PostgreSQL's own COPY of the same rows
 * into the same tables, and does it need more memory for a longer file?
 *
 * Needs a server: TEST_DATABASE_URL, the address of a superuser's database. INGEST_BENCH_LINES is
 * the length of the file, a million by default.
 */
import assert from "node:assert/strict";
import { pipeline } from "node:stream/promises";
import { Writable } from "node:stream";
import { connect, type Sql } from "../src/db/connect.ts";
import { BATCH_SIZES, ingestEntries } from "../src/ingest/pipeline.ts";
import { readNdjson } from "../src/ingest/sources/ndjson.ts";
import { createLog } from "../src/log.ts";
import { createDatabase } from "../test/support/database.ts";
import { migrate } from "../src/db/migrate.ts";
import { benchRecord } from "./ingest_records.ts";

const LINES = Number(Deno.env.get("INGEST_BENCH_LINES") ?? 1_000_000);
const MIB = 1_048_576;

const NONE = { revised: 0, unchanged: 0, rejected: 0 };

/** In the order of their references. */
const TABLES = [
  "sources",
  "companies",
  "company_external_ids",
  "company_names",
  "domains",
  "company_domains",
  "observations",
  "observation_domains",
  "evidence",
];

// Once: Deno.bench() would repeat minutes of work to print one time, and here there are three.
if (Deno.env.get("TEST_DATABASE_URL") !== undefined) await compare();
else say("ingest_bench.ts needs TEST_DATABASE_URL");

async function compare() {
  const dir = await Deno.makeTempDir({ prefix: "ingest_bench_" });
  try {
    const path = `${dir}/records.ndjson`;
    await writeRecords(path);
    await using one = await openDatabase();
    say(`ingest of ${LINES} lines, ${mib((await Deno.stat(path)).size)} MiB`);
    const first = await timed(() => ingestFile(one.sql, path));
    assert.deepEqual(first.result, { read: LINES, recorded: LINES, ...NONE });
    say(`  new:       ${rate(first.seconds)}`);
    const again = await timed(() => ingestFile(one.sql, path));
    assert.deepEqual(again.result, { read: LINES, recorded: 0, ...NONE, unchanged: LINES });
    say(`  unchanged: ${rate(again.seconds)}`);

    for (const table of TABLES) await copyOut(one.sql, table, dir);
    await using two = await openDatabase();
    const copy = await timed(async () => {
      for (const table of TABLES) await copyIn(two.sql, table, dir);
    });
    const [row] = await two.sql<[{ count: number }]>`select count(*) from observations`;
    assert.equal(row.count, LINES);
    say(`COPY:        ${rate(copy.seconds)}`);
    const share = copy.seconds / first.seconds;
    say(`ingest runs at ${(100 * share).toFixed(0)} % of the rate of COPY`);
    assert.ok(share > 0.2, "ingest is slower than a fifth of COPY");
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function writeRecords(path: string) {
  const file = await Deno.open(path, { write: true, create: true });
  const encoder = new TextEncoder();
  async function* chunks() {
    for (let at = 0; at < LINES; at += 1_000) {
      const count = Math.min(1_000, LINES - at);
      const lines = Array.from({ length: count }, (_, n) => JSON.stringify(benchRecord(at + n)));
      yield await Promise.resolve(encoder.encode(lines.join("\n") + "\n"));
    }
  }
  await ReadableStream.from(chunks()).pipeTo(file.writable);
}

/** As the command does it; prints the resident memory at every tenth of the file. */
async function ingestFile(sql: Sql, path: string) {
  let next = 0;
  const memory: string[] = [];
  const counts = await ingestEntries(sql, readNdjson((await Deno.open(path)).readable), {
    batch: BATCH_SIZES.server,
    reject: ({ line, reason }) => assert.fail(`line ${line}: ${reason}`),
    progress({ read }) {
      if (read < next) return;
      memory.push(String(mib(Deno.memoryUsage().rss)));
      next += LINES / 10;
    },
  });
  say(`  resident MiB at each tenth: ${memory.join(" ")}`);
  return counts;
}

async function openDatabase(): Promise<{ sql: Sql } & AsyncDisposable> {
  const database = await createDatabase();
  const db = await connect({
    database_url: database.url,
    data_dir: "",
    log: createLog("error"),
    statement_timeout_seconds: 3_600,
  });
  await migrate(db);
  return {
    sql: db.sql,
    async [Symbol.asyncDispose]() {
      await db.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function copyOut(sql: Sql, table: string, dir: string) {
  const rows = await sql`copy ${sql(table)} to stdout`.readable();
  const file = await Deno.open(`${dir}/${table}`, { write: true, create: true });
  await pipeline(rows, Writable.fromWeb(file.writable as never));
}

async function copyIn(sql: Sql, table: string, dir: string) {
  const file = await Deno.open(`${dir}/${table}`);
  await pipeline(
    file.readable as unknown as AsyncIterable<Uint8Array>,
    await sql`copy ${sql(table)} from stdin`.writable(),
  );
}

async function timed<Result>(run: () => Promise<Result>) {
  const start = performance.now();
  const result = await run();
  return { result, seconds: (performance.now() - start) / 1000 };
}

function rate(seconds: number): string {
  return `${Math.round(LINES / seconds)} records a second (${seconds.toFixed(1)} s)`;
}

function mib(bytes: number): number {
  return Math.round(bytes / MIB);
}

function say(line: string) {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}
