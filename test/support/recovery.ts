/** Starts background work, and causes faults of the database, for the recovery tests. */
import { connect, type Sql } from "../../src/db/connect.ts";
import type { MeteredAction, Work } from "../../src/operations/action.ts";
import { run } from "../../src/operations/run.ts";
import type { TestCaller } from "./factories.ts";
import { fixedAction, runContext, silent } from "./operations.ts";

/** Work without deliverables. */
export const NOTHING: Work = { entries: [], facts: {} };

/** Returns the actions of a worker that has only this action. */
export const actionsOf = (action: unknown) =>
  new Map([["search_companies", action as MeteredAction]]);

/** Requests an operation by its request key. */
export function ask(
  sql: Sql,
  { caller }: TestCaller,
  request_key: string,
  { background = false, action = fixedAction([]) } = {},
) {
  return run(runContext(sql), action, caller, () => ({ request_key, inputs: { background } }));
}

/** The option of ask() for background work. */
export const inBackground = { background: true };

/** Makes every message of the queue visible now. */
export async function show(sql: Sql): Promise<void> {
  await sql`select pgmq.set_vt('operations', msg_id, 0) from pgmq.q_operations`;
}

/** Returns the status of each operation and the number of reads of its message, in order. */
export async function readState(sql: Sql) {
  const rows = await sql`
    select o.status, q.read_ct
    from operations o left join pgmq.q_operations q on q.msg_id = o.message_id
    order by o.id
  `;
  return rows.map(({ status, read_ct }) => [status, read_ct]);
}

/** Locks the allowances of subscriptions in a separate session until `use` has ended. */
export async function whileLocked(
  url: string,
  callers: TestCaller | TestCaller[],
  use: () => Promise<void>,
): Promise<void> {
  const ids = [callers].flat().map(({ subscription_id }) => subscription_id);
  const locker = await connect({ database_url: url, data_dir: "", log: silent });
  try {
    await locker.sql.begin(async (tx) => {
      await tx`select from allowances where subscription_id = any(${ids}) for update`;
      await use();
    });
  } finally {
    await locker.close();
  }
}
