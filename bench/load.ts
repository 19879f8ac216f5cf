/**
 * How does the rate of requests compare with the rate of their statements in the database alone?
 *
 * Each contender sends one kind of request or statement (load/contenders.ts). All of them use one
 * temporary PostgreSQL with synchronous_commit off. It contains the real records if
 * `../shared/data` exists, and the demo dataset otherwise. The contenders take turns in short
 * rounds. The order is random, but those that are compared come one after the other. LOAD_ROUNDS is
 * the number of rounds, 3 by default. LOAD_SECONDS is the length of a turn in seconds, 4 by default.
 */
import { v8FlagOf } from "../src/commands/v8_flags.ts";
import { connect, type Database } from "../src/db/connect.ts";
import { exists } from "../src/db/exists.ts";
import { migrate } from "../src/db/migrate.ts";
import { createLog } from "../src/log.ts";
import { type Cluster, startCluster } from "../test/support/cluster.ts";
import { type Floor, floorTable, formatNumber, markdownTable, medianOf } from "./floors.ts";
import { say } from "./child.ts";
import { shuffled } from "./measure.ts";
import { Random } from "./random.ts";
import {
  CLIENTS,
  type ContenderGroup,
  createContenders,
  type Ports,
  searchTexts,
} from "./load/contenders.ts";
import { type LoadData, prepareData, storeSearches, SUBSCRIPTIONS } from "./load/dataset.ts";
import { treeCpuSeconds } from "./load/cpu_time.ts";
import type { EmbeddedRates } from "./load/embedded.ts";
import type { Loaded } from "./load/generator.ts";
import { measureLatency } from "./load/latency.ts";
import { checkOutPeer, PEER_COMMIT, startPeer } from "./load/peer.ts";
import { runPsql } from "./load/pgbench.ts";
import { IDLE_FLAG, startListening } from "./load/process.ts";
import { countStatements } from "./load/statement_count.ts";
import { writeScripts } from "./load/statements.ts";

const ROUNDS = Number(Deno.env.get("LOAD_ROUNDS") ?? 3);
const SECONDS = Number(Deno.env.get("LOAD_SECONDS") ?? 4);
/** Seconds for which each contender runs before the first round. */
const WARM_UP_SECONDS = 2;
/** Directory with the SQL of the floor, a minimal metered request. It is outside of the project. */
const FLOOR = "../shared/floor";

/** Settings of the service: no background work, and no log line per request. */
const SERVICE = { PORT: "0", WORKERS: "0", DEMO: "off", LOG_LEVEL: "error" };

/** Calls per second of a contender, and microseconds of CPU time per call, by round. */
interface ContenderRates {
  rates: number[];
  cpu: number[];
}

/** Rates by the name of the contender. */
type Rates = Record<string, ContenderRates>;

await main();

async function main() {
  if (!await exists(FLOOR)) return say(`load.ts is skipped: there is no directory ${FLOOR}`);
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
  const db = await connect({
    database_url: url,
    data_dir: "",
    log,
    statement_timeout_seconds: 600,
  });
  const scripts = await Deno.makeTempDir({ prefix: "ce-load-" });
  try {
    await migrate(db);
    const data = await prepareData(db);
    await storeSearches(db.sql, data);
    await runPsql(url, `${FLOOR}/setup.sql`);
    const statements = await countStatements(db, data);
    say(
      `${data.observations.toLocaleString("en")} deliverable observations (${data.records}), ` +
        `${SUBSCRIPTIONS} subscriptions, ${CLIENTS} connections, ${ROUNDS} rounds of ${SECONDS} s`,
    );
    const floors = await measureProcesses({ db, url, data, scripts });
    floors.push(countRow(statements), embeddedRow(await embeddedRates()));
    say(`\n${floorTable(floors)}`);
  } finally {
    await Deno.remove(scripts, { recursive: true });
    await db.close();
  }
}

/** A filled database. */
interface Measured {
  db: Database;
  url: string;
  data: LoadData;
  /** Directory for the scripts of pgbench. */
  scripts: string;
}

async function measureProcesses({ db, url, data, scripts }: Measured): Promise<Floor[]> {
  await using peer = await checkOutPeer();
  await using old = peer && await startPeer(peer.path, { sql: db.sql, url });
  await using service = await startListening({
    cwd: ".",
    args: [
      ...[v8FlagOf({}), "--no-prompt", "--allow-net=127.0.0.1", "--allow-env", "--allow-sys"],
      ...[`--allow-read=.,${scripts}`, `--allow-write=${scripts}`, "main.ts", "start"],
    ],
    env: { ...SERVICE, DATABASE_URL: url, DATA_DIR: scripts },
  });
  await using bare = await startListening({
    cwd: ".",
    args: [
      ...[IDLE_FLAG, "--no-prompt", "--allow-net=127.0.0.1", "--allow-env"],
      ...["bench/load/bare.ts", url],
    ],
    env: {},
  });
  const ports = { service: service.port, bare: bare.port, ...old && { peer: old.port } };
  const generator = new Worker(new URL("./load/generator.ts", import.meta.url), { type: "module" });
  try {
    return await takeTurns(generator, { db, url, data, scripts }, ports);
  } finally {
    generator.terminate();
  }
}

async function takeTurns(
  generator: Worker,
  { db, url, data, scripts }: Measured,
  ports: Ports,
): Promise<Floor[]> {
  const send = (load: object) => ask(generator, load);
  const written = await writeScripts(scripts, { floor: FLOOR, searches: data.searches.length });
  const ids = data.searches.flatMap(({ work }) => work.entries.slice(0, 10));
  const groups = await createContenders({
    url,
    data,
    ports,
    scripts: written,
    companies: ids.map(({ company_id }) => company_id),
    observations: ids.flatMap(({ observation_ids }) => observation_ids),
  }, send);
  const rates = await ratesInTurn(Object.values(groups), async () => {
    // Without a checkpoint, a turn would pay for the writes of the turn before it.
    await db.sql`checkpoint`;
  });
  printRates(rates);
  const latency = await measureLatency({
    port: ports.service,
    requests: searchTexts(data, { subscriptions: SUBSCRIPTIONS }),
    search: groups.searches!.search!,
  }, send);
  return [...shareRows(rates), latency];
}

/** Measures contenders in turns. @param between is called before each turn */
async function ratesInTurn(
  groups: readonly ContenderGroup[],
  between: () => Promise<void>,
): Promise<Rates> {
  const contenders: ContenderGroup = Object.assign({}, ...groups);
  const names = Object.keys(contenders);
  const measured: Rates = Object.fromEntries(names.map((name) => [name, { rates: [], cpu: [] }]));
  for (const name of names) await contenders[name]!(WARM_UP_SECONDS);
  // In a fixed order, some contenders would always run after one that has written many rows.
  const random = new Random(1);
  for (let round = 0; round < ROUNDS; round++) {
    const turns = shuffled(groups, random)
      .flatMap((group) => shuffled(Object.keys(group), random));
    for (const name of turns) {
      await between();
      const before = await treeCpuSeconds();
      const rate = await contenders[name]!(SECONDS);
      const after = await treeCpuSeconds();
      measured[name]!.rates.push(rate);
      measured[name]!.cpu.push(1e6 * ((after ?? NaN) - (before ?? NaN)) / (rate * SECONDS));
    }
  }
  return measured;
}

function printRates(rates: Rates): void {
  const rows = Object.entries(rates).map(([name, { rates: all, cpu }]) => [
    name.replaceAll("_", " "),
    formatNumber(medianOf(all)),
    all.map(formatNumber).join(", "),
    formatNumber(medianOf(cpu)),
  ]);
  say(`\n${markdownTable(["calls per second", "median", "rounds", "CPU time, µs"], rows)}`);
}

function shareRows(rates: Rates): Floor[] {
  const row = (what: string, [name, of]: [string, string], min: number): Floor[] => {
    if (rates[name] === undefined || rates[of] === undefined) return [];
    const { rates: ours, cpu } = rates[name];
    const theirs = rates[of];
    const share = medianOf(ours.map((rate, round) => rate / theirs.rates[round]!));
    // Expected share if each contender kept all cores of an otherwise idle machine busy.
    const by_cpu = medianOf(cpu.map((time, round) => theirs.cpu[round]! / time));
    const format = (value: number) =>
      min > 1 ? `${formatNumber(value)} times` : `${formatNumber(100 * value)} %`;
    return [{
      what,
      floor: `at least ${format(min)}`,
      measured: `${format(share)} (by CPU time ${format(by_cpu)})`,
      met: share >= min,
    }];
  };
  return [
    ...row("our two statements by pgbench, of the floor", ["two_statements", "floor"], 0.4),
    ...row("our one statement by pgbench, of the floor", ["one_statement", "floor"], 0.4),
    ...row("metered search over HTTP, of the floor", ["search", "floor"], 0.22),
    ...row(`metered search over HTTP, of commit ${PEER_COMMIT}`, ["search", "peer_search"], 3),
    ...row("replay, of a bare handler", ["replay", "bare_replay"], 0.75),
    ...row("usage, of a bare handler", ["usage", "bare_usage"], 0.75),
    ...row("company, of a bare handler", ["company", "bare_company"], 0.75),
    ...row("observation, of a bare handler", ["observation", "bare_observation"], 0.75),
    ...row("one subscription over HTTP, of its floor", ["search_of_one", "floor_of_one"], 0.35),
    ...row("MCP search, of HTTP", ["mcp_search", "search"], 0.85),
    ...row("MCP read, of HTTP", ["mcp_company", "company"], 0.8),
    ...row("MCP search by revision 2026-07-28, of HTTP", ["mcp_modern_search", "search"], 0.85),
    ...row("MCP read by revision 2026-07-28, of HTTP", ["mcp_modern_company", "company"], 0.8),
  ];
}

function countRow(statements: number): Floor {
  return {
    what: "statements per metered search",
    floor: "at most 2",
    measured: `${statements}`,
    met: statements <= 2,
  };
}

/**
 * Measures the rates of the embedded database by round. It runs in a separate process, because
 * PGlite blocks its thread.
 */
async function embeddedRates(): Promise<EmbeddedRates[]> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--allow-read", "--allow-env", "--allow-net=127.0.0.1"],
      ...["bench/load/embedded.ts", `${ROUNDS}`, `${SECONDS}`],
    ],
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  if (!success) throw new Error(text.decode(stderr));
  return JSON.parse(text.decode(stdout));
}

function embeddedRow(rates: EmbeddedRates[]): Floor {
  const share = medianOf(rates.map(({ service, statement }) => service / statement));
  const [service, statement] = (["service", "statement"] as const)
    .map((name) => formatNumber(medianOf(rates.map((rate) => rate[name]))));
  return {
    what: "embedded: metered searches, of the same statement on bare PGlite",
    floor: "at least 60 %",
    measured: `${(100 * share).toFixed(1)} % (${service} of ${statement} per second)`,
    met: share >= 0.6,
  };
}

/** Has the generator send a load, and returns the result. */
async function ask(worker: Worker, load: object): Promise<Loaded> {
  const { promise, resolve, reject } = Promise.withResolvers<Loaded | { error: string }>();
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.postMessage(load);
  const loaded = await promise;
  if ("error" in loaded) throw new Error(loaded.error);
  return loaded;
}
