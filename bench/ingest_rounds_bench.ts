/**
 * How fast do the 31,679 rounds of Crunchbase's export go in by one `ingest`, on a PostgreSQL server
 * and on the embedded database, beside COPY of the same rows into the same tables; and does it need
 * more memory at the end than at the start?
 *
 * Runs on the server of TEST_DATABASE_URL, a superuser's address, else on a throwaway one from this
 * machine's own binaries. The file is read where it lies beside the project.
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
import { openDatabase } from "./ingest_database.ts";
import { copyTables } from "./ingest_tables.ts";

const FILE = fileURLToPath(
  new URL("../../shared/data/crunchbase_2013/rounds.csv", import.meta.url),
);
const ROUNDS = 31_679;
/** Rows that repeat another in every cell. */
const REPEATED = 63;
const MIB = 1_048_576;
const SAMPLE_MILLISECONDS = 20;
/** The garbage collector takes some room before it is needed. */
const MOST_GROWTH = { factor: 1.5, mib: 64 };

const counts = {
  read: ROUNDS,
  recorded: 0,
  revised: 0,
  unchanged: 0,
  rejected: 0,
  left_out: 0,
  excerpts_cut: 0,
};
const FIRST = { ...counts, recorded: ROUNDS - REPEATED, unchanged: REPEATED };
const AGAIN = { ...counts, unchanged: ROUNDS };

// Each in a process of its own, so that neither's memory is the other's.
if (await Deno.stat(FILE).then(() => true, () => false)) {
  await benchInChild(import.meta.url, onServer, "server");
  await benchInChild(import.meta.url, onEmbedded, "embedded");
} else say(`ingest_rounds_bench.ts needs ${FILE}, and does not find it`);

async function onServer(): Promise<[]> {
  const given = Deno.env.get("TEST_DATABASE_URL");
  const cluster = given === undefined ? await startCluster() : undefined;
  const url = given ?? cluster?.url;
  if (url === undefined) {
    say("ingest_rounds_bench.ts finds no PostgreSQL server");
    return [];
  }
  const dir = await Deno.makeTempDir({ prefix: "ingest_bench_" });
  try {
    await using one = await openDatabase(url);
    await using two = await openDatabase(url);
    const db = await one.open();
    sayHeader("PostgreSQL");
    sayRun("ingest, new", await ingestRounds(db, FIRST));
    sayRun("ingest, unchanged", await ingestRounds(db, AGAIN));
    await db.close();
    const seconds = await copyTables({ from: one.open, to: two.sql, dir });
    const [row] = await two.sql<[{ count: number }]>`select count(*) from observations`;
    assert.equal(row.count, ROUNDS - REPEATED);
    sayRun("COPY of those rows", { seconds });
  } finally {
    await Deno.remove(dir, { recursive: true });
    await cluster?.stop();
  }
  return [];
}

async function onEmbedded(): Promise<[]> {
  const dir = await Deno.makeTempDir({ prefix: "ingest_bench_" });
  try {
    const db = await connect({ data_dir: dir, log: createLog("error") });
    await migrate(db);
    sayHeader("PGlite");
    sayRun("ingest, new", await ingestRounds(db, FIRST));
    sayRun("ingest, unchanged", await ingestRounds(db, AGAIN));
    await db.close();
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
  return [];
}

interface Run {
  seconds: number;
  /** Resident memory after a tenth of the time, at the end, and at most, in bytes. */
  resident?: { tenth: number; end: number; most: number };
}

/** The command itself, on an open database. */
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
    most: Math.max(...samples),
  };
  assert.ok(
    resident.end <= resident.tenth * MOST_GROWTH.factor + MOST_GROWTH.mib * MIB,
    `memory grows: ${mib(resident.tenth)} MiB after a tenth of the time, ${
      mib(resident.end)
    } at the end`,
  );
  return { seconds, resident };
}

function sayHeader(engine: string) {
  say(
    `${engine.padEnd(20)}records a second  seconds   MiB resident: at 10 %, at the end, at most`,
  );
}

function sayRun(name: string, { seconds, resident }: Run) {
  const rate = Math.round(ROUNDS / seconds).toLocaleString("en");
  const memory = resident === undefined
    ? ""
    : [resident.tenth, resident.end, resident.most].map((bytes) => `${mib(bytes)}`.padStart(12))
      .join("");
  say(`${name.padEnd(20)}${rate.padStart(16)}${seconds.toFixed(1).padStart(9)}   ${memory}`);
}

function mib(bytes: number): number {
  return Math.round(bytes / MIB);
}
