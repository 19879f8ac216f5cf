/** Creates the accounts and the dataset of the contract's cases by SQL. */
import { createAccount, setSubscription } from "../../src/accounts/account.ts";
import { hashKey } from "../../src/accounts/credential.ts";
import { createApiKey, revokeApiKey } from "../../src/accounts/key.ts";
import { createActions } from "../../src/actions.ts";
import type { Sql } from "../../src/db/connect.ts";
import { readSchema } from "../../src/db/scripts.ts";
import { suppressCompany, withdrawObservation } from "../../src/ingest/record/withdraw.ts";
import { claim, isLease, type Lease } from "../../src/operations/claim.ts";
import { fail } from "../../src/operations/run.ts";
import { sweep } from "../../src/operations/worker.ts";
import type { Call } from "./calls.ts";
import { record, type Recorded } from "./factories.ts";
import { readingRetriever, requestOf } from "./inputs.ts";
import { countUnfinished, runContext } from "./operations.ts";

/** Codes with which an operation can fail. */
export const STORED_CODES = [
  "unsupported_request",
  "planning_unavailable",
  "retrieval_unavailable",
  "invalid_plan",
  "usage_failed",
  "usage_expired",
] as const;
/** Code with which an operation can fail. */
export type StoredCode = (typeof STORED_CODES)[number];

/** Accounts, dataset and faults that cases use. */
export interface World {
  /** API keys, by the state of their account. */
  keys: {
    entitled: string;
    trialing: string;
    revoked: string;
    lapsed: string;
    without_requests: string;
    without_deliveries: string;
    /** Keys of accounts on the plans of the specification. */
    builder: string;
    professional: string;
  };
  /** A company with the hostname `north.example`, and the first of its observations. */
  north: Recorded;
  /** A withdrawn observation of a suppressed company. */
  gone: Recorded;
  /** A delivered operation of the entitled account. Its id is 0 until the test sets it. */
  delivered: { id: number };
  /** Returns an unused request key. */
  newKey(): string;
  countOperations(): Promise<number>;
  /**
   * Claims the operation of a metered call, as a process does. With `end`, the operation fails with
   * this code: `usage_expired` by its deadline, other codes immediately.
   */
  claim(call: Call, options?: { end?: StoredCode }): Promise<{ id: number }>;
  /** Changes an operation so that its retention is over, and removes its result by a sweep. */
  retire(id: number): Promise<void>;
  /** Makes each lookup of a caller fail with this SQLSTATE, until the end of the block. */
  fault(sqlstate: string): Promise<AsyncDisposable>;
  /**
   * Fails the operations that claim() left unfinished. Waits for those that a worker has taken
   * over.
   */
  finish(): Promise<void>;
}

/** Creates the accounts and the dataset. */
export async function createWorld(sql: Sql): Promise<World> {
  const keys = await createKeys(sql);
  const { north, gone } = await createDataset(sql);
  // Only the normalization of the actions is used.
  const { metered } = createActions(readingRetriever());
  const context = runContext(sql);
  const leases: Lease[] = [];
  let serial = 0;
  return {
    keys,
    north,
    gone,
    delivered: { id: 0 },
    newKey: () => `case ${++serial}`,
    async countOperations() {
      const [row] = await sql<{ count: number }[]>`select count(*) from operations`;
      return row!.count;
    },
    async claim({ action, inputs, key, request_key }, { end } = {}) {
      const metered_action = metered.get(action)!;
      const claimed = await claim(context, {
        action: metered_action,
        caller: { key_hash: hashKey(key!) },
        request_key: request_key!,
        request: requestOf(metered_action, inputs),
        deadline_seconds: end === "usage_expired" ? 0 : 900,
      });
      if (!isLease(claimed)) throw new Error("the request key was used before");
      if (end === undefined) leases.push(claimed);
      else if (end !== "usage_expired") {
        await fail(context, { lease: claimed, caller: null, code: end });
      }
      return { id: claimed.operation_id };
    },
    async retire(id) {
      // One transaction does both. Otherwise a sweep of another process could lock the row, and
      // this sweep would skip it.
      await sql.begin(async (tx) => {
        await tx`update operations set finished_at = now() - interval '31 days' where id = ${id}`;
        await sweep({ sql: tx as unknown as Sql }, 30);
      });
    },
    fault: (sqlstate) => faultOfCallers(sql, sqlstate),
    async finish() {
      for (const lease of leases) {
        await fail(context, { lease, caller: null, code: "usage_failed" });
      }
      while (await countUnfinished(sql) > 0) {
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
  };
}

async function createKeys(sql: Sql): Promise<World["keys"]> {
  // The windows have the max length, so that none ends between two answers that a test compares.
  await sql`
    insert into plans values
      ('ample', 25, 604800, 100000, 100000, 100000, 100000),
      ('without_requests', 25, 604800, 0, 1000, 1000, 1000),
      ('without_deliveries', 25, 604800, 1000, 1000, 1000, 0)
  `;
  const create = async (plan: string, status = "active") => {
    const account = await createAccount(sql, { name: plan, plan, status });
    return { ...account, ...await createApiKey(sql, { ...account, name: "test" }) };
  };
  const revoked = await create("ample");
  await revokeApiKey(sql, revoked.key_id);
  const lapsed = await create("ample");
  await setSubscription(sql, { account_id: lapsed.account_id, status: "canceled" });
  return {
    entitled: (await create("ample")).key,
    trialing: (await create("ample", "trialing")).key,
    revoked: revoked.key,
    lapsed: lapsed.key,
    without_requests: (await create("without_requests")).key,
    without_deliveries: (await create("without_deliveries")).key,
    builder: (await create("builder")).key,
    professional: (await create("professional")).key,
  };
}

async function createDataset(sql: Sql): Promise<{ north: Recorded; gone: Recorded }> {
  const company = (name: string, ...domains: string[]) => ({ name, external_id: name, domains });
  const north = { company: company("North", "north.example", "shared.example") };
  const [first] = await record(sql, [{ ...north, observed_fact: "A freezer warehouse." }]);
  await record(sql, [
    {
      ...north,
      kind: "procurement_request",
      demand_class: "explicit_request",
      observed_fact: "Trucks are asked for.",
      country: "US",
    },
    {
      company: company("South", "shared.example"),
      observed_fact: "A freezer warehouse for fish.",
      expires_at: "2199-01-01T00:00:00Z",
    },
    {
      company: company("East", "east.example"),
      kind: "company_profile",
      demand_class: "structural",
      observed_fact: "Runs a freezer warehouse.",
      occurred_at: null,
      categories: [],
    },
  ]);
  await record(sql, [{ ...north, kind: "funding_round", observed_fact: "Shares are sold." }]);
  const [gone] = await record(sql, [{ company: company("Gone", "gone.example") }]);
  await withdrawObservation(sql, gone!.observation_id);
  await suppressCompany(sql, gone!.company_id);
  return { north: first!, gone: gone! };
}

async function faultOfCallers(sql: Sql, sqlstate: string): Promise<AsyncDisposable> {
  await sql.unsafe(`
    create or replace function subscription_of_key(p_key_hash bytea, p_at timestamptz)
    returns setof subscriptions language plpgsql stable as $$
    begin
      raise exception 'injected by a test' using errcode = '${sqlstate}';
    end $$
  `);
  return {
    async [Symbol.asyncDispose]() {
      const { text } = readSchema().functions.find(({ name }) => name.endsWith("find_caller"))!;
      await sql.unsafe(text);
    },
  };
}
