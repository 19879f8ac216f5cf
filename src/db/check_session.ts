/** Detects poolers that do not keep a session, such as PgBouncer in transaction mode. */
import type { SessionConfig } from "./driver.ts";
import type { Sql } from "./sql.ts";

/** Settings of a session whose loss would let statements run or wait without a limit. */
const KEPT = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"] as const;

/** Times that two connections are compared, because other clients of a pooler disturb it too. */
const ROUNDS = 3;

/**
 * Checks that each connection has a session of the server to itself, with the settings that it
 * asked for. Prepared statements and time-outs need both.
 * @param first a pool with one open connection
 * @param second another pool with one open connection
 * @throws Error that names the fix
 */
export async function checkSession(
  [first, second]: [Sql, Sql],
  session: Pick<SessionConfig, typeof KEPT[number]>,
): Promise<void> {
  const rows = await first<{ name: typeof KEPT[number]; milliseconds: number }[]>`
    select name, setting::bigint as milliseconds from pg_settings where name = any(${[...KEPT]})
  `;
  if (rows.some(({ name, milliseconds }) => session[name] !== milliseconds)) {
    throw new SessionLost();
  }
  const own = await processOf(first);
  for (let round = 0; round < ROUNDS; round++) {
    // A pooler in transaction mode gives the process of one client to the next one.
    if (await processOf(second) === own || await processOf(first) !== own) throw new SessionLost();
  }
}

/** Returns whether an error means that a pooler does not keep sessions. */
export function isSessionLoss(error: unknown): boolean {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  // A statement that one client prepared is unknown to the next server process, or already there.
  return code === "26000" || code === "42P05" ||
    typeof message === "string" && message.includes("unsupported startup parameter");
}

/** An address of the database that leads through a pooler which does not keep sessions. */
export class SessionLost extends Error {
  constructor(cause?: unknown) {
    super(
      "The database's address leads through a pooler that does not keep sessions, such as " +
        "PgBouncer in transaction mode. Name the address of PostgreSQL itself: this program has " +
        "a pool of its own.",
      { cause },
    );
  }
}

/** Returns the number of the server's process that answers. */
async function processOf(sql: Sql): Promise<number> {
  // A text without parameters is not prepared, so this fails in no pooler.
  const [row] = await sql.unsafe<[{ pid: number }]>("select pg_backend_pid() as pid");
  return row.pid;
}
