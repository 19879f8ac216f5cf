import type { Duplex } from "node:stream";
import type { TransactionSql } from "postgres";
import type { Sql } from "./sql.ts";
import { closedError, type DriverQuery, type Execute, intercept } from "./driver.ts";

type Callback = (tx: TransactionSql) => unknown;

/**
 * Runs the driver's `begin` on the connection that is open now. If a backend dies between two
 * statements, the second one fails. The driver by itself would run it on a new connection, where it
 * would commit alone.
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
