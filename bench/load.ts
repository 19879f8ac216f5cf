/**
 * How many metered requests does the service answer, compared with the minimum that they cost the
 * database? `deno task load` starts a temporary PostgreSQL with the real records and the service
 * over it, and sends 20,000 distinct questions in a fixed random order.
 *
 * The contenders take turns in random order. LOAD_ROUNDS is the number of rounds, 3 by default, and
 * LOAD_SECONDS the length of a turn in seconds, 4 by default. Ratios are those of the medians.
 */
import { connect } from "../src/db/connect.ts";
import { exists } from "../src/db/exists.ts";
import { migrate } from "../src/db/migrate.ts";
import { createLog } from "../src/log.ts";
import { type Cluster, startCluster } from "../test/support/cluster.ts";
import { AMPLE, createCaller, type TestCaller } from "../test/support/factories.ts";
import { hasRealData, ingestRealRecords } from "../test/support/real_records.ts";
import { say } from "./child.ts";
import { type Floor, floorTable, formatNumber, markdownTable, medianOf } from "./floors.ts";
import { CLIENTS, type Contender, FLOOR, generate, prepare, QUESTIONS } from "./load/contenders.ts";
import { type CpuSeconds, readCpuSeconds } from "./load/cpu_time.ts";
import { runPsql } from "./load/pgbench.ts";
import { type Listening, startListening } from "./load/process.ts";
import { shuffled } from "./measure.ts";
import { Random } from "./random.ts";

const ROUNDS = Number(Deno.env.get("LOAD_ROUNDS") ?? 3);
const SECONDS = Number(Deno.env.get("LOAD_SECONDS") ?? 4);
/** Seconds for which each contender runs before the first round. */
const WARM_UP_SECONDS = 1;
const SUBSCRIPTIONS = 64;
/** Searches that the busy tenant sends at once. */
const BUSY_SEARCHES = 64;

/** Terms of a plan in which no window ends during a run. */
const TERMS = { ...AMPLE, window_seconds: 604_800 };

await main();

async function main() {
  if (!await exists(FLOOR) || !await exists(QUESTIONS) || !hasRealData()) {
    return say("load.ts is skipped: ../shared has no floor, questions or records");
  }
  const cluster = await startCluster();
  if (!cluster) return say("load.ts is skipped: there are no binaries of a PostgreSQL server");
  try {
    await measure(cluster);
  } finally {
    await cluster.stop();
  }
}

async function measure({ url }: Cluster) {
  const log = createLog("error");
  const options = { database_url: url, data_dir: "", log, statement_timeout_seconds: 600 };
  const db = await connect(options);
  await migrate(db);
  await ingestRealRecords(db);
  const callers: TestCaller[] = [];
  while (callers.length < SUBSCRIPTIONS) callers.push(await createCaller(db.sql, { terms: TERMS }));
  await db.sql`vacuum analyze`;
  await runPsql(url, `${FLOOR}/setup.sql`);
  const database = `${url}${url.includes("?") ? "&" : "?"}options=-c%20synchronous_commit%3Doff`;
  const env = { DATABASE_URL: database, PORT: "0", WORKERS: "0", DEMO: "off", LOG_LEVEL: "error" };
  const args = ["--node-modules-dir=auto", "-A", "main.ts", "start"];
  await using service = await startListening({ cwd: ".", args, env });
  await using bare = await startListening({
    cwd: ".",
    args: ["--config", "test/deno.json", "-A", "bench/load/bare.ts", database],
    env: {},
  });
  const load = await prepare({ db, callers, service, bare, url });
  say(`${load.contenders.length} contenders, ${ROUNDS} rounds of ${SECONDS} s, ${CLIENTS} clients`);
  const rates = await takeTurns(load.contenders);
  const rows = floorsOf(rates);
  const highest = medianOf(rates.get("distinct questions")!);
  rows.push(await latencyRow(service, load.distinct, highest / 2));
  rows.push(await tenantsRow(service, load.textsOf));
  say(`\n${floorTable(rows)}\n`);
  say(ratesTable(rates));
  say(await cpuLine(service, load.distinct));
  await db.close();
}

/** Runs all contenders in random order, round by round. */
async function takeTurns(contenders: readonly Contender[]): Promise<Map<string, number[]>> {
  const random = new Random(2);
  for (const contender of contenders) await contender.run(WARM_UP_SECONDS);
  const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, run } of shuffled(contenders, random)) {
      rates.get(name)!.push(await run(SECONDS));
    }
  }
  return rates;
}

/** Compares the medians of the rates with their floors. */
function floorsOf(rates: ReadonlyMap<string, readonly number[]>): Floor[] {
  const share = (name: string, of: string, floor: number): Floor => {
    const ratio = medianOf(rates.get(name)!) / medianOf(rates.get(of)!);
    const percent = (value: number) => `${formatNumber(100 * value)} %`;
    return {
      what: `${name}, of ${of}`,
      floor: `at least ${percent(floor)}`,
      measured: percent(ratio),
      met: ratio >= floor,
    };
  };
  return [
    share("distinct questions", "floor", 0.11),
    share("lookup by ids", "floor", 0.25),
    share("distinct questions while records come in", "distinct questions", 0.8),
    ...["replay", "company", "usage"].map((name) => share(name, `${name}, bare`, 0.6)),
    share("MCP 2025-11-25", "distinct questions", 0.75),
    share("MCP 2026-07-28", "distinct questions", 0.75),
  ];
}

/** Measures the latency of one request at a rate that leaves half of the service idle. */
async function latencyRow(
  { port }: Listening,
  distinct: () => readonly string[],
  rate: number,
): Promise<Floor> {
  const { p50, p99 } = await generate({
    port,
    requests: distinct(),
    clients: CLIENTS,
    seconds: 3 * SECONDS,
    rate,
    warm_up_seconds: 2,
  });
  return {
    what: `one distinct question at ${formatNumber(rate)} per second, p99 of p50`,
    floor: "at most 8 times",
    measured: `${formatNumber(p99 / p50)} times (${formatNumber(p50)} and ${formatNumber(p99)} ms)`,
    met: p99 / p50 <= 8,
  };
}

/** Measures what a tenant that sends many searches at once does to another tenant's searches. */
async function tenantsRow(
  { port }: Listening,
  textsOf: (caller: number, part: number) => readonly string[],
): Promise<Floor> {
  const one = (part: number) =>
    generate({ port, requests: textsOf(0, part), clients: 1, seconds: 2 * SECONDS });
  const alone = await one(1);
  const [, beside] = await Promise.all([
    generate({ port, requests: textsOf(1, 2), clients: BUSY_SEARCHES, seconds: 2 * SECONDS + 1 }),
    one(3),
  ]);
  return {
    what: `another tenant's search beside ${BUSY_SEARCHES} of one key, of alone (p50)`,
    floor: "at most 4 times",
    measured: `${formatNumber(beside.p50 / alone.p50)} times (p50 ${formatNumber(alone.p50)} and ` +
      `${formatNumber(beside.p50)} ms, p99 ${formatNumber(alone.p99)} and ${
        formatNumber(beside.p99)
      } ms)`,
    met: beside.p50 / alone.p50 <= 4,
  };
}

function ratesTable(rates: ReadonlyMap<string, readonly number[]>): string {
  const rows = [...rates].map(([name, all]) => [
    name,
    formatNumber(medianOf(all)),
    all.map(formatNumber).join(", "),
  ]);
  return markdownTable(["contender", "per second", "rounds"], rows);
}

/** Returns the CPU time per distinct question of each process. */
async function cpuLine(
  { port, pid }: Listening,
  distinct: () => readonly string[],
): Promise<string> {
  const before = await readCpuSeconds(pid);
  const seconds = 2 * SECONDS;
  const { rate } = await generate({ port, requests: distinct(), clients: CLIENTS, seconds });
  const after = await readCpuSeconds(pid);
  if (before === undefined || after === undefined) return "CPU time: this machine has no /proc";
  const spent = (process: keyof CpuSeconds) =>
    `${process} ${formatNumber(1000 * (after[process] - before[process]) / (rate * seconds))} ms`;
  return `CPU time per distinct question: ${spent("service")}, ${spent("database")}, ${
    spent("generator")
  }`;
}
