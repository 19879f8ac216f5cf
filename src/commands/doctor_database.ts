/** Checks of `doctor` in the database. They only read. */
import type { Sql } from "../db/connect.ts";
import { migrationsCurrent } from "../db/migrate.ts";
import { OPERATIONS_QUEUE, readMetrics } from "../db/queue.ts";
import { verifyUsage } from "../operations/report.ts";
import { fault, type Finding, ok, warning } from "./finding.ts";

/** Reports the server's version, and checks that pgmq is installed. */
export async function checkVersion(sql: Sql): Promise<Finding[]> {
  const [{ version, pgmq }] = await sql<[{ version: string; pgmq: boolean }]>`
    select current_setting('server_version') as version, to_regclass('pgmq.meta') is not null as pgmq
  `;
  const answers = ok("database", `PostgreSQL ${version} answers.`);
  if (pgmq) return [answers, ok("extension", "pgmq is installed.")];
  const remedy = "Start the service: it installs pgmq. Its role needs the right to create schemas.";
  return [answers, fault("extension", "pgmq is not installed.", remedy)];
}

/** Checks that the migrations of this program are applied. */
export async function checkMigrations(sql: Sql): Promise<Finding[]> {
  if (await migrationsCurrent(sql)) return [ok("migrations", "All migrations are applied.")];
  return [fault(
    "migrations",
    "The migrations of this program are not all applied.",
    "Start the service of this version: it applies them.",
  )];
}

/** Max milliseconds by which two clocks may differ without a finding. */
const CLOCK_MILLISECONDS_MAX = 5_000;

/** Compares this machine's clock with the database's. @param now reads this machine's clock */
export async function checkClock(sql: Sql, now: () => number): Promise<Finding[]> {
  const before = now();
  const [{ database }] = await sql<[{ database: number }]>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as database
  `;
  const between = (before + now()) / 2;
  const difference = Math.round(between - database);
  const message = `This machine's clock differs from the database's by ${difference} ms.`;
  return Math.abs(difference) > CLOCK_MILLISECONDS_MAX
    ? [fault("clock", message, "Let both machines set their clocks from the network (NTP).")]
    : [ok("clock", message)];
}

/** Age in seconds from which a waiting message means that no process reads the queue. */
const QUEUE_SECONDS_MAX = 120;

/** Checks that processes read the queue, and that its archive is empty. */
export async function checkQueue(sql: Sql): Promise<Finding[]> {
  const { queue_visible_length, oldest_msg_age_sec } = await readMetrics(sql, OPERATIONS_QUEUE);
  const [{ archived }] = await sql<[{ archived: number }]>`
    select count(*) as archived from pgmq.a_operations
  `;
  const age = oldest_msg_age_sec ?? 0;
  const message = `${queue_visible_length} operations wait; the oldest message is ${age} s old.`;
  const stuck = queue_visible_length > 0 && age > QUEUE_SECONDS_MAX;
  const remedy = "Start a process with WORKERS of 1 or more, or `deno task work`.";
  return [
    stuck ? fault("queue", message, remedy) : ok("queue", message),
    ...archived === 0 ? [] : [warning(
      "queue",
      `${archived} messages are in the archive: their operations failed, or they name none.`,
      "Look at them and delete them (docs/operations.md).",
    )],
  ];
}

/** Max seconds between the expiry of a lease and its sweep. Sweeps run every 5 seconds. */
const SWEEP_SECONDS_MAX = 60;

/** Checks that expired leases of dead processes are swept. */
export async function checkLeases(sql: Sql): Promise<Finding[]> {
  const [{ abandoned }] = await sql<[{ abandoned: number }]>`
    select count(*) as abandoned from operations
    where status = 'processing'
      and lease_expires_at < now() - make_interval(secs => ${SWEEP_SECONDS_MAX})
  `;
  if (abandoned === 0) return [ok("leases", "No operation has a lease of a dead process.")];
  return [fault(
    "leases",
    `${abandoned} operations were left by a process that died.`,
    "Start a service: every process sweeps. If one runs, look for `background loop` in its log.",
  )];
}

/** Compares the counters with the ledger. */
export async function checkLedger(sql: Sql): Promise<Finding[]> {
  const { settlements, differences } = await verifyUsage(sql);
  if (differences.length === 0) {
    return [ok("ledger", `The counters agree with ${settlements} settlements.`)];
  }
  return [fault(
    "ledger",
    `${differences.length} counters differ from the ledger.`,
    "Run `deno task admin usage verify`, and keep its answer and a backup before anything else.",
  )];
}

/** Counts all observations, and the deliverable ones, which a complete index contains. */
export async function countObservations(
  sql: Sql,
): Promise<{ observations: number; deliverable: number }> {
  const [row] = await sql<[{ observations: number; deliverable: number }]>`
    select
      (select count(*) from observations) as observations,
      (select count(*) from deliverable_observations) as deliverable
  `;
  return row;
}
