/** Does for an embedded database what the background processes of a server do. */
import { errorFields, type Log } from "../log.ts";
import type { Sql } from "./sql.ts";

/** Options of `startMaintenance`. */
interface MaintenanceOptions {
  sql: Sql;
  log: Log;
  /** Seconds between two rounds, 30 by default. */
  interval_seconds?: number;
}

/** Running maintenance of an embedded database. */
export interface Maintenance {
  /** Stops after the current round. */
  stop(): Promise<void>;
}

/**
 * Number of bytes of write-ahead log between two checkpoints. A server's default is 1 GB. The
 * number is chosen, because the directory should stay small.
 */
const CHECKPOINT_BYTES = 128 * 2 ** 20;

/**
 * Starts periodic checkpoints, and vacuum and analyze with the thresholds of autovacuum. PGlite has
 * no background processes. Without checkpoints, its write-ahead log would grow for ever.
 */
export function startMaintenance(
  { sql, log, interval_seconds = 30 }: MaintenanceOptions,
): Maintenance {
  let checkpointed: string | undefined;
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(async () => {
      try {
        checkpointed = await checkpointWhenDue(sql, checkpointed);
        await vacuumNext(sql);
      } catch (error) {
        log.warn("maintenance of the embedded database failed", errorFields(error));
      }
    });
  }, interval_seconds * 1000);
  Deno.unrefTimer(timer);
  return {
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}

/** Writes a checkpoint if it is due. Returns the position of the log at the last checkpoint. */
async function checkpointWhenDue(sql: Sql, last: string | undefined): Promise<string> {
  const [log] = await sql<[{ position: string; grown: number }]>`
    select
      pg_current_wal_insert_lsn()::text as position,
      (pg_current_wal_insert_lsn() - coalesce(${last ?? null}::pg_lsn, '0/0'))::float8 as grown
  `;
  if (last !== undefined && log.grown < CHECKPOINT_BYTES) return last;
  await sql.unsafe("checkpoint");
  return log.position;
}

/**
 * Vacuums and analyzes only the table that has changed most, because all other statements wait
 * meanwhile. Returns its name.
 */
export async function vacuumNext(sql: Sql): Promise<string | undefined> {
  await sql`select pg_stat_force_next_flush()`;
  const [table] = await sql<{ name: string }[]>`
    select format('%I.%I', s.schemaname, s.relname) as name
    from pg_stat_user_tables s
    join pg_class c on c.oid = s.relid
    where s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
      or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)
      or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
    order by s.n_dead_tup + s.n_mod_since_analyze desc, name
    limit 1
  `;
  if (table === undefined) return;
  await sql.unsafe(`vacuum (analyze) ${table.name}`);
  return table.name;
}
