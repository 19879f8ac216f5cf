import type { Duplex } from "node:stream";
import type { TransactionSql } from "postgres";
import type { Sql } from "./sql.ts";
import { closedError, type DriverQuery, type Execute, intercept } from "./driver.ts";

type Callback = (tx: TransactionSql) => unknown;

/**
 * The driver's `begin`, held to the one connection that is open now. When a backend dies between
 * two statements, the driver by itself would run the second on a new connection, where it commits
 * alone: here it fails.
 */
export async function beginOn(
  sql: Sql,
  socket: Duplex,
  [first, second]: readonly unknown[],
): Promise<unknown> {
  const execute = (query: DriverQuery, original: Execute) => {
    if (socket.destroyed) query.reject(closedError("The connection of the transaction is gone."));
    else original(query);
  };
  const hold = (callback: Callback): Callback => (tx) =>
    callback(intercept(tx, execute, {
      savepoint: (...args: unknown[]) => {
        const inner = hold(args.at(-1) as Callback);
        return (tx.savepoint as (...args: unknown[]) => unknown)(...args.slice(0, -1), inner);
      },
    }));
  const begin = sql.begin as (...args: unknown[]) => Promise<unknown>;
  return typeof first === "function"
    ? await begin(hold(first as Callback))
    : await begin(first, hold(second as Callback));
}
