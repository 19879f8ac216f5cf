/** Checks of `doctor` for sources and their schedules. They only read. */
import type { Sql } from "../db/connect.ts";
import { isShrinking, readFeedHealth } from "../ingest/refresh/feed_health.ts";
import { fault, type Finding, ok, warning } from "./finding.ts";

/** Number of consecutive failures after which a schedule needs an operator. */
const FAILURES_MAX = 3;

/**
 * Number of intervals without a success after which a schedule is late, as in
 * deploy/prometheus-rules.yaml.
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
    { name: string; outcome: string | null; failures: number; error: string; is_late: boolean }[]
  >`
    select
      s.name || case f.target when '' then '' else ' ' || f.target end as name,
      f.last_outcome as outcome,
      f.failures,
      coalesce(f.last_error, '') as error,
      s.permitted and coalesce(f.last_succeeded_at, f.due_at)
        < now() - f.refresh_interval * ${LATE_INTERVALS}::float8 as is_late
    from source_feeds f
    join sources s on s.id = f.source_id
    order by 1
  `;
  if (feeds.length > 0 && !check.asks_sources) {
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
        "Look at its address, and at the rows that its mapping refuses (docs/feeds.md).";
      findings.push(warning("sources", `${source} is empty.`, remedy));
    } else if (isShrinking(feed)) {
      const message = `${source} is shrinking: ${accepted} records instead of ${usual}.`;
      const remedy = `If that is correct: deno task admin source run ${source} --believe-gone true`;
      findings.push(warning("sources", message, remedy));
    }
    return findings;
  });
}
