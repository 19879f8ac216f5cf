/** Checks of `doctor` in the database and in a search cluster. They only read. */
import type { Sql } from "../db/connect.ts";
import { isReadOnly, migrationsCurrent } from "../db/migrate.ts";
import { OPERATIONS_QUEUE, readMetrics } from "../db/queue.ts";
import { isShrinking, readFeedHealth } from "../ingest/refresh/feed_health.ts";
import { verifyUsage } from "../operations/report.ts";
import { readClock } from "../search/changes/history.ts";
import { Cluster, ClusterError } from "../search/remote/cluster.ts";
import { isUsable, RemoteIndex } from "../search/remote/remote_index.ts";
import { fault, type Finding, ok, warning } from "./finding.ts";

/** Reports the server's version, and checks that it accepts changes and that pgmq is installed. */
export async function checkVersion(sql: Sql): Promise<Finding[]> {
  const [{ version, pgmq }] = await sql<[{ version: string; pgmq: boolean }]>`
    select current_setting('server_version') as version, to_regclass('pgmq.meta') is not null as pgmq
  `;
  const answers = await isReadOnly(sql)
    ? fault(
      "database",
      `PostgreSQL ${version} answers, but is read-only.`,
      "Set DATABASE_URL to the address of the primary, no standby.",
    )
    : ok("database", `PostgreSQL ${version} answers.`);
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

/**
 * Max milliseconds by which two clocks may differ without a finding. The number is chosen, well
 * above what NTP leaves.
 */
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

/**
 * Age in seconds from which a waiting message means that no process reads the queue. The number is
 * chosen, as in deploy/prometheus-rules.yaml.
 */
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
      "Look at them and delete them (docs/operators.md).",
    )],
  ];
}

/**
 * Max seconds between the expiry of a lease and its sweep. Sweeps run every 5 seconds. The number
 * is chosen: twelve of them.
 */
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

/** Tells whether the cluster answers, can be written to, and contains all changes. */
export async function checkSearch(sql: Sql, nodes: readonly string[]): Promise<Finding[]> {
  const index = new RemoteIndex(new Cluster(nodes));
  try {
    const position = await index.position();
    if (await index.isReadOnly()) {
      return [fault(
        "search",
        "The search cluster refuses writes, so searches find no new records.",
        "Free disk space on its nodes. OpenSearch then lifts the block by itself.",
      )];
    }
    const { dataset_id, change_seq } = await readClock(sql);
    if (!isUsable(position, dataset_id)) {
      return [warning(
        "search",
        "The search cluster has no index of this dataset and version yet.",
        "A running service writes it. /readyz says how much of it is written.",
      )];
    }
    const behind = change_seq - position.clock;
    if (behind <= 0) return [ok("search", "The search cluster contains all changes.")];
    return [warning(
      "search",
      `The search cluster lacks the last ${behind} changes.`,
      "Check that a service runs. If the number grows, read its log.",
    )];
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return [fault(
      "search",
      `The search cluster does not answer as expected: ${error.message}.`,
      "Check SEARCH_URL, and whether the nodes run and accept this machine.",
    )];
  }
}

/**
 * Number of consecutive failures after which a schedule needs an operator. The number is chosen: a
 * single failure is often an outage of the publisher.
 */
const FAILURES_MAX = 3;

/**
 * Number of intervals without a success after which a schedule is late, as in
 * deploy/prometheus-rules.yaml. The number is chosen.
 */
const LATE_INTERVALS = 3;

/** Conditions of the check of sources. */
interface SourceCheck {
  /** True if processes may poll sources. */
  asks_sources: boolean;
  /** Names of the variables with headers that are set. */
  header_variables: readonly string[];
}

/** Checks the schedules of sources. */
export async function checkSources(sql: Sql, check: SourceCheck): Promise<Finding[]> {
  const feeds = await sql<
    {
      name: string;
      outcome: string | null;
      failures: number;
      error: string;
      is_late: boolean;
      is_polled: boolean;
    }[]
  >`
    select
      s.name || case f.target when '' then '' else ' ' || f.target end as name,
      f.last_outcome as outcome,
      f.failures,
      coalesce(f.last_error, '') as error,
      s.permitted and coalesce(f.last_succeeded_at, f.due_at)
        < now() - f.refresh_interval * ${LATE_INTERVALS}::float8 as is_late,
      coalesce(f.last_started_at > now() - f.refresh_interval * ${LATE_INTERVALS}::float8, false)
        as is_polled
    from source_feeds f
    join sources s on s.id = f.source_id
    order by 1
  `;
  // Another process may have the settings that this one lacks.
  if (feeds.length > 0 && !check.asks_sources && !feeds.some(({ is_polled }) => is_polled)) {
    return [fault(
      "sources",
      `${feeds.length} schedules wait, but no process polls sources.`,
      "Set FETCH_CONTACT: an e-mail address or a URL for the User-Agent.",
    )];
  }
  const findings = feeds.flatMap(({ name, outcome, failures, error, is_late }) => {
    if (failures >= FAILURES_MAX) {
      const message = `${name} has failed ${failures} times in a row: ${error}.`;
      return [fault("sources", message, "See `deno task admin source list`.")];
    }
    if (outcome === "suspicious") {
      const remedy = `If that is correct: deno task admin source run ${name} --believe-gone true`;
      return [fault("sources", `${name} no longer lists most of its records.`, remedy)];
    }
    if (!is_late) return [];
    const remedy = "Check that a process runs that may poll it; see `deno task admin source list`.";
    return [
      warning("sources", `${name} has not succeeded for ${LATE_INTERVALS} intervals.`, remedy),
    ];
  });
  findings.push(...await checkFeeds(sql, check));
  if (findings.length > 0) return findings;
  return [ok("sources", `${feeds.length} schedules, none with failures.`)];
}

/** Checks whether operators' own feeds have their headers and bring records as usual. */
async function checkFeeds(sql: Sql, { header_variables }: SourceCheck): Promise<Finding[]> {
  return (await readFeedHealth(sql)).flatMap((feed): Finding[] => {
    const { source, accepted, usual, header_variable: variable } = feed;
    const findings: Finding[] = [];
    if (variable !== null && !header_variables.includes(variable)) {
      const remedy = `Set ${variable} for the processes that poll sources, and for doctor.`;
      findings.push(warning("sources", `${source} needs ${variable}, which is not set.`, remedy));
    }
    if (accepted === 0) {
      const remedy =
        "Look at its address, and at the rows that its mapping refuses (docs/mapping.md).";
      findings.push(warning("sources", `${source} is empty.`, remedy));
    } else if (isShrinking(feed)) {
      const message = `${source} is shrinking: ${accepted} records instead of ${usual}.`;
      const remedy = `If that is correct: deno task admin source run ${source} --believe-gone true`;
      findings.push(warning("sources", message, remedy));
    }
    return findings;
  });
}
