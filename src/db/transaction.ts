import type { Duplex } from "node:stream";
import type { TransactionSql } from "postgres";
import type { Sql } from "./sql.ts";
import { closedError, type DriverQuery, type Execute, intercept } from "./driver.ts";

type Callback = (tx: TransactionSql) => unknown;

/**
 * Runs the driver's `begin` on the open connection of `socket`. If the backend dies between two
 * statements of the transaction, the second one fails. Without this check, the driver would run the
 * second statement on a new connection, and commit it without the first one.
 */
export async function beginOn(
  sql: Sql,
  socket: Duplex,
  [first, second]: readonly unknown[],
): Promise<unknown> {
  const execute = (query: DriverQuery, original: Execute) => {
    if (socket.destroyed) query.reject(closedError("The connection of the transaction is closed."));
    else original(query);
  };
  const guarded = (callback: Callback): Callback => (tx) =>
    callback(intercept(tx, execute, {
      savepoint: (...args: unknown[]) => {
        const inner = guarded(args.at(-1) as Callback);
        return (tx.savepoint as (...args: unknown[]) => unknown)(...args.slice(0, -1), inner);
      },
    }));
  const begin = sql.begin as (...args: unknown[]) => Promise<unknown>;
  return typeof first === "function"
    ? await begin(guarded(first as Callback))
    : await begin(first, guarded(second as Callback));
}
