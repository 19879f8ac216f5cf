/**
 * Runs random traffic against two replicas and a worker under random faults, on a temporary
 * PostgreSQL. Prints Markdown at its end. Exits with 1 on any violation, if memory grows, or if a
 * serving process uses too much memory. Usage: `soak.ts [MINUTES]`. It also reads the settings
 * SOAK_MINUTES, SEED and SOAK_OBSERVATIONS.
 */
import { connect } from "../../src/db/connect.ts";
import { migrate } from "../../src/db/migrate.ts";
import { createChoose } from "../../src/demo/random.ts";
import { createLog } from "../../src/log.ts";
import { verifyUsage } from "../../src/operations/report.ts";
import { type Cluster, startCluster } from "../support/cluster.ts";
import { fillDataset, inventRecord, recordAll } from "./dataset.ts";
import { waitUntilFound } from "./searching.ts";
import { createSoakAccounts } from "./soak_accounts.ts";
import { FLIPPED_OBSERVATIONS, FLIPPED_SOURCE, Operators } from "./soak_dataset.ts";
import { heal, SoakFaults } from "./soak_faults.ts";
import { judgeMemory, Memory } from "./soak_memory.ts";
import { describeSoak, reasonsOfFailure, type SoakResult } from "./soak_report.ts";
import { Traffic } from "./soak_traffic.ts";
import { World } from "./world.ts";

interface SoakOptions {
  minutes: number;
  seed: number;
  observations: number;
  /** Interrupts the soak. All processes are stopped, and the exit code is 1. */
  stop: AbortSignal;
}

const CLIENTS = 6;

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main([minutes]: string[]): Promise<number> {
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => stopping.abort());
  }
  const setting = (name: string, otherwise: number) => Number(Deno.env.get(name) || otherwise);
  const options = {
    minutes: Number(minutes ?? setting("SOAK_MINUTES", 60)),
    seed: setting("SEED", Math.floor(Math.random() * 1e9)),
    observations: setting("SOAK_OBSERVATIONS", 100_000),
    stop: stopping.signal,
  };
  if (!(options.minutes > 0)) {
    say("Usage: soak.ts [MINUTES]");
    return 2;
  }
  say(`seed ${options.seed}, ${options.minutes} minutes`);
  const cluster = await startCluster({ durable: true });
  if (cluster === undefined) {
    say("There are no server binaries of PostgreSQL, so the soak was not run.");
    return 1;
  }
  try {
    const result = await soak(cluster, options);
    print(describeSoak(result));
    return reasonsOfFailure(result).length > 0 ? 1 : 0;
  } catch (error) {
    say(error instanceof Error ? error.stack ?? error.message : String(error));
    return 1;
  } finally {
    await cluster.stop();
  }
}

async function soak(cluster: Cluster, options: SoakOptions): Promise<SoakResult> {
  const { seed, observations } = options;
  const url = await prepareDatabase(cluster, observations);
  say("dataset recorded");
  await using world = await World.open({ url, seed, env: { WORKERS: "1" }, skews: { b: 3_600 } });
  await waitUntilFound(world, observations - 1);
  say("processes ready");
  await markFlipped(world);
  await using operators = await Operators.open({
    url,
    history: world.history,
    observations,
    choose: createChoose(seed + 1),
  });
  const choose = createChoose(seed + 2);
  const accounts = await createSoakAccounts(world);
  const traffic = new Traffic(world, { accounts, observations, choose });
  const proxies = [operators.proxy];
  const faults = new SoakFaults(world, { cluster, choose: createChoose(seed + 3), proxies });
  const memory = new Memory();
  const started = performance.now();
  const end = new AbortController();
  await runUntilEnd(options, end, [
    ...Array.from({ length: CLIENTS }, () => traffic.run(end.signal)),
    operators.run(end.signal),
    faults.run(end.signal),
    memory.run(world, { signal: end.signal, minutes: options.minutes }),
    reportProgress(world, { signal: end.signal, started }),
  ]);
  const minutes = (performance.now() - started) / 60_000;
  say("faults and traffic have ended");
  await heal(world, proxies);
  await traffic.finish();
  await world.settleDown();
  const { operations, settlements, differences } = await verifyUsage(world.sql);
  return {
    seed,
    minutes,
    observations,
    operations,
    settlements,
    differences: differences.length,
    verify: await world.verify(),
    faults: faults.counts,
    changes: operators.changes,
    memory: new Map([...memory.samples].map(([name, samples]) => [name, judgeMemory(samples)])),
    violations: await world.findViolations(),
    problems: [...traffic.problems, ...faults.problems],
    history: world.history,
  };
}

/** Creates the database of the soak and fills it. Returns its address. */
async function prepareDatabase(cluster: Cluster, observations: number): Promise<string> {
  const log = createLog("error");
  const admin = await connect({ database_url: cluster.url, data_dir: "", log });
  await admin.sql`create database soak`;
  await admin.close();
  const url = new URL(cluster.url);
  url.pathname = "/soak";
  const database = await connect({ database_url: url.href, data_dir: "", log });
  try {
    await migrate(database);
    const flipped = Array.from(
      { length: FLIPPED_OBSERVATIONS },
      (_, n) => inventRecord(2_000_000 + n, 0, FLIPPED_SOURCE),
    );
    await recordAll(database.sql, flipped);
    await fillDataset(database.sql, 0, observations);
    await database.sql`analyze`;
    return url.href;
  } finally {
    await database.close();
  }
}

/** Notes that answers may differ in observations whose source loses and regains its permission. */
async function markFlipped({ sql, history }: World): Promise<void> {
  const rows = await sql<{ id: number }[]>`
    select o.id from observations o join sources s on s.id = o.source_id
    where s.name = ${FLIPPED_SOURCE}
  `;
  for (const { id } of rows) history.disturbed.add(`o${id}`);
}

/** Ends the loops when the time is over, and waits for them. The first error ends all of them. */
async function runUntilEnd(
  { minutes, stop }: SoakOptions,
  end: AbortController,
  loops: Promise<void>[],
): Promise<void> {
  const timer = setTimeout(() => end.abort(), minutes * 60_000);
  stop.addEventListener("abort", () => end.abort());
  if (stop.aborted) end.abort();
  const guarded = loops.map((loop) =>
    loop.catch((error) => {
      end.abort();
      throw error;
    })
  );
  const ended = await Promise.allSettled(guarded);
  clearTimeout(timer);
  const failed = ended.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  if (stop.aborted) throw new Error("interrupted");
}

async function reportProgress(
  world: World,
  { signal, started }: { signal: AbortSignal; started: number },
): Promise<void> {
  const EVERY_MILLISECONDS = 60_000;
  let next = started + EVERY_MILLISECONDS;
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    if (performance.now() < next) continue;
    next += EVERY_MILLISECONDS;
    const minute = Math.round((performance.now() - started) / 60_000);
    say(`minute ${minute}: ${world.history.calls.length} calls, ${world.logs.leaks.length} leaks`);
  }
}

function say(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`soak: ${line}\n`));
}

function print(text: string): void {
  let bytes = new TextEncoder().encode(`${text}\n`);
  while (bytes.length > 0) bytes = bytes.subarray(Deno.stdout.writeSync(bytes));
}
