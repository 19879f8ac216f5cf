/**
 * Statements of processes of the previous version, which still run after a newer one has migrated.
 */
import type { Sql } from "../../src/db/connect.ts";

/** Facts that a search of companies stores in addition to its entries. */
const NO_FACTS = { retrieval: "lexical", limitations: [] };

interface OlderLease {
  outcome: string;
  token: string;
}

/** Reads the message of an operation and takes its lease, as a worker of that version does. */
async function leaseAsOlder(sql: Sql, operation_id: number): Promise<OlderLease> {
  const SECONDS = 30;
  const token = crypto.randomUUID();
  const [row] = await sql<{ taken: { outcome: string; operation_id: number } | null }[]>`
    select take_operation(${token}, ${SECONDS}, null) as taken
  `;
  const taken = row!.taken;
  return { outcome: taken?.operation_id === operation_id ? taken.outcome : "another", token };
}

/**
 * Leases an operation and settles it with an empty result, as a worker of that version does.
 * Returns the outcomes of the lease and of the settlement.
 */
export async function workAsOlder(sql: Sql, operation_id: number): Promise<string[]> {
  const { outcome, token } = await leaseAsOlder(sql, operation_id);
  const [row] = await sql<{ settlement: { outcome: string } }[]>`
    select settle_operation(
      null, ${operation_id}, ${token}, '[]'::jsonb, 5, 'company', ${sql.json(NO_FACTS)}, null, null,
      '{}', '{}', null
    ) as settlement
  `;
  return [outcome, row!.settlement.outcome];
}

/**
 * Leases an operation and gives it back, as a process of that version does. Returns the outcome of
 * the lease and the status of the operation.
 */
export async function giveBackAsOlder(sql: Sql, operation_id: number): Promise<string[]> {
  const { outcome, token } = await leaseAsOlder(sql, operation_id);
  await sql`select give_back_lease(${token}, 'unseen', null)`;
  const [row] = await sql<{ status: string }[]>`
    select status from operations where id = ${operation_id}
  `;
  return [outcome, row!.status];
}

/** Sweeps operations as a process of that version does. Returns the names of the sweep's counts. */
export async function sweepAsOlder(sql: Sql): Promise<string[]> {
  const [row] = await sql<{ sweep: Record<string, number> }[]>`
    select sweep_operations(30, 200, null) as sweep
  `;
  return Object.keys(row!.sweep).sort();
}
