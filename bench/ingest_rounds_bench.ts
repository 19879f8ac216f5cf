/**
 * How fast does one `ingest` record the 31,679 rounds of Crunchbase's export, on a PostgreSQL
 * server and on the embedded database? Does its memory grow?
 *
 * COPY of the same rows into the same tables is measured for comparison. TEST_DATABASE_URL is the
 * address of the server, for a superuser. Without it, a temporary server is started from this
 * machine's binaries. The file is in a directory beside the project.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ingest } from "../src/commands/ingest.ts";
import { readSettings } from "../src/config.ts";
import { connect, type Database } from "../src/db/connect.ts";
import { migrate } from "../src/db/migrate.ts";
import { createLog } from "../src/log.ts";
import { startCluster } from "../test/support/cluster.ts";
import { benchInChild, say } from "./child.ts";
import { MIB, mib } from "./floors.ts";
import { openDatabase } from "./ingest_database.ts";
import { copyTables } from "./ingest_tables.ts";

const FILE = fileURLToPath(
  new URL("../../shared/data/crunchbase_2013/rounds.csv", import.meta.url),
);
const ROUNDS = 31_679;
/** Number of rows that are equal to an earlier row. */
const REPEATED = 63;
/** Milliseconds between two samples of the memory. */
const SAMPLE_MILLISECONDS = 20;
/**
 * Max growth of memory from a tenth of the time to the end. The garbage collector may reserve more
 * memory than the records need.
 */
const GROWTH_MAX = { factor: 1.5, mib: 64 };

const counts = {
  read: ROUNDS,
  recorded: 0,
  revised: 0,
  unchanged: 0,
  rejected: 0,
  left_out: 0,
  excerpts_cut: 0,
  doubtful: 0,
};
const FIRST_RUN_COUNTS = { ...counts, recorded: ROUNDS - REPEATED, unchanged: REPEATED };
const SECOND_RUN_COUNTS = { ...counts, unchanged: ROUNDS };

// Each kind of database has a separate process, so that its memory is measured separately.
if (await Deno.stat(FILE).then(() => true, () => false)) {
  await benchInChild(import.meta.url, onServer, "server");
  await benchInChild(import.meta.url, onEmbedded, "embedded");
} else say(`ingest_rounds_bench.ts is skipped: ${FILE} does not exist`);

async function onServer(): Promise<void> {
  const address = Deno.env.get("TEST_DATABASE_URL");
  const cluster = address === undefined ? await startCluster() : undefined;
  const url = address ?? cluster?.url;
  if (url === undefined) {
    return say("no rounds on a server: there are no binaries of a PostgreSQL server");
  }
  const dir = await Deno.makeTempDir({ prefix: "ingest_bench_" });
  try {
    await using ingested = await openDatabase(url);
    await using copied = await openDatabase(url);
    const db = await ingested.open();
    sayHeader("PostgreSQL");
    sayRun("ingest, new", await ingestRounds(db, FIRST_RUN_COUNTS));
    sayRun("ingest, unchanged", await ingestRounds(db, SECOND_RUN_COUNTS));
    await db.close();
    const seconds = await copyTables({ from: ingested.url, to: copied.url, dir });
    const [row] = await copied.sql<[{ count: number }]>`select count(*) from observations`;
    assert.equal(row.count, ROUNDS - REPEATED);
    sayRun("COPY", { seconds });
  } finally {
    await Deno.remove(dir, { recursive: true });
    await cluster?.stop();
  }
}

async function onEmbedded(): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "ingest_bench_" });
  try {
    const db = await connect({ data_dir: dir, log: createLog("error") });
    await migrate(db);
    sayHeader("PGlite");
    sayRun("ingest, new", await ingestRounds(db, FIRST_RUN_COUNTS));
    sayRun("ingest, unchanged", await ingestRounds(db, SECOND_RUN_COUNTS));
    await db.close();
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

interface Run {
  seconds: number;
  /** Bytes of resident memory after a tenth of the time, at the end, and max. */
  resident?: { tenth: number; end: number; max: number };
}

/** Runs the command `ingest` on an open database. */
async function ingestRounds(db: Database, expected: typeof counts): Promise<Run> {
  const samples: number[] = [];
  const sampling = setInterval(
    () => samples.push(Deno.memoryUsage().rss),
    SAMPLE_MILLISECONDS,
  );
  const printed: string[] = [];
  const context = {
    database: () => Promise.resolve({ ...db, close: () => Promise.resolve() }),
    log: createLog("error"),
    settings: readSettings({}),
    say,
  };
  const start = performance.now();
  const code = await ingest(
    ["--format", "crunchbase_2013", FILE],
    context,
    (line) => void printed.push(line),
  );
  const seconds = (performance.now() - start) / 1000;
  clearInterval(sampling);
  samples.push(Deno.memoryUsage().rss);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(printed[0]!), expected);
  const resident = {
    tenth: samples[Math.floor(samples.length / 10)]!,
    end: samples.at(-1)!,
    max: Math.max(...samples),
  };
  assert.ok(
    resident.end <= resident.tenth * GROWTH_MAX.factor + GROWTH_MAX.mib * MIB,
    `memory grows: ${mib(resident.tenth)} MiB after a tenth of the time, ${
      mib(resident.end)
    } MiB at the end`,
  );
  return { seconds, resident };
}

function sayHeader(engine: string) {
  say(
    `${engine.padEnd(20)}records/second    seconds   MiB resident: at 10 %, at the end, max`,
  );
}

function sayRun(name: string, { seconds, resident }: Run) {
  const rate = Math.round(ROUNDS / seconds).toLocaleString("en");
  const memory = resident === undefined
    ? ""
    : [resident.tenth, resident.end, resident.max].map((bytes) => `${mib(bytes)}`.padStart(12))
      .join("");
  say(`${name.padEnd(20)}${rate.padStart(16)}${seconds.toFixed(1).padStart(9)}   ${memory}`);
}
