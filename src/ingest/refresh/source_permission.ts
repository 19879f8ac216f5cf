/** Checks whether this process may reach sources over the network. */
import type { Sql } from "../../db/connect.ts";
import type { Log } from "../../log.ts";
import { repeat } from "../../repeat.ts";

/**
 * Returns whether this process has permission for the whole network. Refreshes need it, because the
 * hosts of sources cannot be listed in advance. Without it, other processes have to refresh.
 */
export function reachesSources(): boolean {
  return Deno.permissions.querySync({ name: "net" }).state === "granted";
}

/**
 * Milliseconds between two checks for sources that are set up. An operator can set them up while
 * the process runs.
 */
const LOOK_MILLISECONDS = 60_000;

/**
 * Logs one warning as soon as a source is set up, unless the signal aborts before. It is for
 * processes that cannot reach sources.
 */
export async function warnOfSources(
  { sql, log }: { sql: Sql; log: Log },
  signal: AbortSignal,
): Promise<void> {
  let warned = false;
  const look = async () => {
    if (!warned && await hasSources(sql)) {
      warned = true;
      log.warn("sources are set up, but this process has no permission to reach them", {
        remedy: "set FETCH_CONTACT and start the process again",
      });
    }
    return false;
  };
  await repeat(log, look, { pauseMs: LOOK_MILLISECONDS, signal, name: "sources" });
}

async function hasSources(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ set_up: boolean }]>`
    select
      exists (
        select
        from sources
        where permitted and (asked_in_searches or hostname_refresh_interval is not null)
      )
      or exists (
        select
        from source_feeds f
        join sources s on s.id = f.source_id
        where s.permitted
      ) as set_up
  `;
  return row.set_up;
}
