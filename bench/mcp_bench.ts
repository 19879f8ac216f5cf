/**
 * How many calls per second does MCP answer in either of its revisions, compared with HTTP? HTTP
 * and both revisions are called doors here.
 *
 * One service serves the demo dataset from a temporary PostgreSQL server, started from the binaries
 * installed on this machine. Its clients are in a worker. The doors take turns in short rounds, so
 * that other load of the machine affects all of them. MCP_BENCH_ROUNDS is the number of rounds, 16
 * by default.
 */
import assert from "node:assert/strict";
import { createApp } from "../src/app.ts";
import { readSettings } from "../src/config.ts";
import { connect, type Database } from "../src/db/connect.ts";
import { migrate } from "../src/db/migrate.ts";
import { recordDemo } from "../src/demo/demo.ts";
import { createLog } from "../src/log.ts";
import { startCluster } from "../test/support/cluster.ts";
import { AMPLE, createCaller } from "../test/support/factories.ts";
import { say } from "./child.ts";
import { medianOf, mib } from "./floors.ts";
import { bodyText, CALL_KINDS, type CallKind, type Door, DOORS, makeCall } from "./mcp_calls.ts";
import type { Load, Loaded } from "./mcp_load.ts";

const ROUNDS = Number(Deno.env.get("MCP_BENCH_ROUNDS") ?? 16);
const ROUND_SECONDS = 0.6;
const WARM_UP_SECONDS = 1;
const CLIENTS = 16;
/** Number of subscriptions. Requests of one subscription wait for each other at any door. */
const SUBSCRIPTIONS = 64;
const MCP_DOORS = ["mcp", "mcp_modern"] as const;

/**
 * Min rate of MCP as a share of HTTP's. It is higher for a search, because a search spends more of
 * its time in the database, whose work is the same at every door.
 */
const MIN_SHARES = { search: 0.75, read: 0.5 };

const QUERIES = [
  "cold storage warehouse",
  "who is hiring software engineers",
  "new plant in Ontario",
  "procurement of medical equipment",
  "entrepôt frigorifique",
  "funding for clean energy",
  "partnership in logistics",
  "a new chief financial officer",
];

interface Bench {
  url: string;
  keys: string[];
  /** Queries of searches, and ids of companies that are read. */
  subjects: Record<CallKind, (string | number)[]>;
}

// Deno.bench() is not used, because it times one function after the other. The doors take turns.
await main();

async function main() {
  const cluster = await startCluster();
  if (!cluster) return say("mcp_bench.ts is skipped: there are no binaries of a PostgreSQL server");
  try {
    await benchOn(cluster.url);
  } finally {
    await cluster.stop();
  }
}

async function benchOn(database_url: string) {
  const log = createLog("error", () => {});
  const db = await connect({ database_url, data_dir: "", log });
  const app = createApp({ db, log, settings: readSettings({ WORKERS: "0" }) });
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    (request) => app.fetch(request),
  );
  try {
    await migrate(db);
    const { keys, subjects } = await prepare(db);
    await app.start();
    const bench = { url: `http://127.0.0.1:${server.addr.port}`, keys, subjects };
    await check(bench);
    await compare(bench);
  } finally {
    await server.shutdown();
    await app.close();
    await db.close();
  }
}

async function prepare(db: Database): Promise<Omit<Bench, "url">> {
  const { sql } = db;
  await recordDemo(db, new Date());
  const companies = await sql<{ id: number }[]>`select id from companies order by id`;
  const keys: string[] = [];
  while (keys.length < SUBSCRIPTIONS) keys.push((await createCaller(sql, { terms: AMPLE })).key);
  return { keys, subjects: { search: QUERIES, read: companies.map(({ id }) => id) } };
}

/** Asserts that a retry gets the same body through every door. */
async function check({ url, keys: [key], subjects }: Bench) {
  for (const kind of CALL_KINDS) {
    for (const subject of subjects[kind]) {
      const call = { url, key: key!, subject, request_key: crypto.randomUUID() };
      const first = JSON.parse(await makeCall("http", kind, call));
      assert.ok(kind === "read" || first.companies.length > 0, `${subject}: nothing found`);
      const http = bodyText("http", await makeCall("http", kind, call));
      for (const door of MCP_DOORS) {
        assert.equal(bodyText(door, await makeCall(door, kind, call)), http);
      }
    }
  }
}

async function compare(bench: Bench) {
  const { rss, heapUsed } = Deno.memoryUsage();
  say(
    `${bench.subjects.read.length} companies, ${CLIENTS} clients, ${SUBSCRIPTIONS} subscriptions; ` +
      `MiB before: resident ${mib(rss)}, heap ${mib(heapUsed)}`,
  );
  const worker = new Worker(new URL("./mcp_load.ts", import.meta.url), { type: "module" });
  try {
    say(
      "                      HTTP calls/s  MCP calls/s   MCP / HTTP  min of rounds  max of rounds",
    );
    const shares: [CallKind, number][] = [];
    for (const kind of CALL_KINDS) {
      for (const share of await compareDoors(worker, kind, bench)) {
        shares.push([kind, share]);
      }
    }
    for (const [kind, share] of shares) {
      assert.ok(
        share >= MIN_SHARES[kind],
        `${kind}: MCP's share of HTTP's rate is too low`,
      );
    }
  } finally {
    worker.terminate();
  }
}

/** Returns the rate of each MCP door as a share of HTTP's: the median over all rounds. */
async function compareDoors(
  worker: Worker,
  kind: CallKind,
  { url, keys, subjects }: Bench,
): Promise<number[]> {
  const rate = (door: Door, seconds: number) =>
    load(worker, {
      url,
      door,
      kind,
      keys,
      subjects: subjects[kind],
      clients: CLIENTS,
      seconds,
    });
  for (const door of DOORS) await rate(door, WARM_UP_SECONDS);
  const rates: Record<Door, number[]> = { http: [], mcp: [], mcp_modern: [] };
  for (let round = 0; round < ROUNDS; round++) {
    // The order is reversed in every other round, because collecting one door's garbage may slow
    // down the next door.
    for (const door of round % 2 ? DOORS.toReversed() : DOORS) {
      rates[door].push(await rate(door, ROUND_SECONDS));
    }
  }
  return MCP_DOORS.map((door) => {
    const shares = rates[door].map((rate, round) => rate / rates.http[round]!)
      .sort((a, b) => a - b);
    const columns = [
      `${kind} ${door}`.padEnd(20),
      count(medianOf(rates.http)).padStart(14),
      count(medianOf(rates[door])).padStart(13),
      percent(medianOf(shares)).padStart(13),
      percent(shares[0]!).padStart(15),
      percent(shares.at(-1)!).padStart(15),
    ];
    say(columns.join(""));
    return medianOf(shares);
  });
}

/** Has the worker send requests. Returns calls per second. */
async function load(worker: Worker, request: Load): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<Loaded>();
  worker.onmessage = ({ data }: MessageEvent<Loaded>) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.postMessage(request);
  const loaded = await promise;
  if ("error" in loaded) throw new Error(loaded.error);
  return loaded.rate;
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
