/** Arranges sources and their schedules as one table for a reader at a terminal. */
import type { SourceReport } from "../ingest/refresh/schedule.ts";

/** Returns a row per schedule, and a row per source without one. @param now in milliseconds */
export function sourceRows(sources: readonly SourceReport[], now: number) {
  return sources.flatMap((source) => {
    const feeds = source.feeds.length > 0 ? source.feeds : [undefined];
    return feeds.map((feed) => ({
      source: source.name,
      target: feed?.target,
      permitted: source.permitted,
      configured: source.configured,
      records: source.observations - source.gone,
      newest: source.newest_at === null ? undefined : ageOf(now - Date.parse(source.newest_at)),
      last_run: feed?.last_started_at,
      outcome: feed?.running ? "running" : feed?.last_outcome,
      counts: countsText(feed?.counts ?? {}),
      next_run: feed?.due_at,
      failures: feed?.failures,
      last_error: feed?.last_error,
    }));
  });
}

/** Returns the counts that are not zero, such as "40 read, 2 revised". */
function countsText(counts: object): string {
  return Object.entries(counts).filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name.replaceAll("_", " ")}`).join(", ");
}

const UNITS = [["days", 86_400_000], ["hours", 3_600_000], ["minutes", 60_000]] as const;

function ageOf(milliseconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => milliseconds >= 2 * length) ?? UNITS[2];
  return `${Math.max(0, Math.floor(milliseconds / length))} ${unit} old`;
}
