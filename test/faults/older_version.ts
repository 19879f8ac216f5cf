/** Statements of processes of the version before, which run on while a newer one has migrated. */
import type { Sql } from "../../src/db/connect.ts";

/**
 * Functions that serving and working processes of the version before call, with the types of their
 * parameters. Replicas of two versions serve together during an upgrade. A function of this list may
 * go once no supported version calls it.
 */
const OLDER_FUNCTIONS = [
  "acquire_observations(jsonb)",
  "advance_embedding(integer, uuid, bigint, bigint, boolean)",
  "claim_embedding(text, integer, uuid, integer)",
  "claim_learning(integer, integer, integer)",
  "claim_operation(bytea, text, text, bytea, bytea, jsonb, boolean, bigint, text, bigint, uuid, " +
  "integer, integer, timestamptz)",
  "fail_operation(bigint, uuid, text, timestamptz)",
  "fail_refresh(integer, uuid, text, timestamptz, boolean, timestamptz)",
  "find_caller(bytea, timestamptz)",
  "finish_refresh(integer, uuid, text, text, jsonb, jsonb, timestamptz)",
  "index_documents(bigint, bigint, integer)",
  "lease_feed(text[], uuid, integer, timestamptz)",
  "lease_operation(bigint, integer, bigint, uuid, integer, timestamptz)",
  "list_observations(text[], text[], timestamptz, bigint, timestamptz, integer)",
  "look_up_companies(bigint[], text[])",
  "read_company(bytea, bigint, timestamptz)",
  "read_observation(bytea, bigint, timestamptz)",
  "read_operation(bytea, bigint, timestamptz)",
  "read_usage(bytea, timestamptz)",
  "record_observations(jsonb)",
  "release_embedding(uuid)",
  "release_operation(bigint, uuid, integer)",
  "settle_operation(bytea, bigint, uuid, jsonb, integer, text, jsonb, text, jsonb, text[], " +
  "bigint[], timestamptz)",
  "store_embeddings(integer, uuid, integer, integer, jsonb)",
  "store_model(integer, integer, bytea)",
  "sweep_operations(integer, integer, timestamptz)",
];

/** Returns the functions of the version before that the database no longer has. */
export async function missingFunctions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ signature: string }[]>`
    select signature from unnest(${OLDER_FUNCTIONS}::text[]) signature
    where to_regprocedure(signature) is null
  `;
  return rows.map(({ signature }) => signature);
}

/** Facts that a search of companies stores beside its entries. */
const NO_FACTS = { retrieval: "lexical", limitations: [] };

interface OlderLease {
  outcome: string;
  token: string;
}

/** Reads the message of an operation and takes its lease, as a worker did it. */
async function leaseAsOlder(sql: Sql, operation_id: number): Promise<OlderLease> {
  const SECONDS = 30;
  const token = crypto.randomUUID();
  const [message] = await sql<{ msg_id: number; read_ct: number }[]>`
    select msg_id, read_ct from pgmq.read('operations', ${SECONDS}::integer, 100)
    where message ->> 'operation_id' = ${String(operation_id)}
  `;
  if (message === undefined) return { outcome: "no message", token };
  const [row] = await sql<{ leased: { outcome: string } }[]>`
    select lease_operation(
      ${message.msg_id}, ${message.read_ct}, ${operation_id}, ${token}, ${SECONDS}, null
    ) as leased
  `;
  return { outcome: row!.leased.outcome, token };
}

/** Performs an operation as a worker did it; nothing is found. Returns the two outcomes. */
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

/** Leases an operation and gives it back as a process did it. Returns outcome and status. */
export async function giveBackAsOlder(sql: Sql, operation_id: number): Promise<string[]> {
  const { outcome, token } = await leaseAsOlder(sql, operation_id);
  await sql`select release_operation(${operation_id}, ${token}, 0)`;
  const [row] = await sql<{ status: string }[]>`
    select status from operations where id = ${operation_id}
  `;
  return [outcome, row!.status];
}

/** Sweeps as a process did it. Returns the names of the counts. */
export async function sweepAsOlder(sql: Sql): Promise<string[]> {
  const [row] = await sql<{ sweep: Record<string, number> }[]>`
    select sweep_operations(30, 200, null) as sweep
  `;
  return Object.keys(row!.sweep).sort();
}
