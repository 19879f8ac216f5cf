/** Actions whose results the test decides, their context, and counts of their rows. */
import { z } from "zod";
import assert from "node:assert/strict";
import { KnownKeys } from "../../src/accounts/known_keys.ts";
import type { Sql } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";
import { frozenWork } from "../../src/search/searches.ts";
import type { DeliveryEntry, MeteredAction, Reply, Work } from "../../src/operations/action.ts";
import { claim, isLease, type Lease } from "../../src/operations/claim.ts";
import { LeaseReturns } from "../../src/operations/lease_returns.ts";
import { verifyUsage } from "../../src/operations/report.ts";
import type { RunContext } from "../../src/operations/run.ts";
import { ReadRates } from "../../src/operations/read_rates.ts";
import { Turns } from "../../src/operations/turns.ts";
import type { Recorded, TestCaller } from "./factories.ts";

/** Inputs of the actions of this file. */
export interface Inputs {
  query: string;
  limit: number;
}

/** Returns an action that delivers the entries, or the work that the function returns. */
export function fixedAction(
  entries: DeliveryEntry[] | (() => Promise<Work>),
): MeteredAction<Inputs> {
  return {
    name: "search_companies",
    delivery_unit: "company",
    invalid_input: "invalid_search",
    ready: () => true,
    input: z.object({
      query: z.string().default("cold storage"),
      limit: z.number().default(10),
      cursor: z.string().nullish(),
      background: z.boolean().optional(),
    }),
    pageLimit: ({ limit }) => limit,
    plan_limited: true,
    maximumUnits: ({ limit }) => limit,
    perform: (_context, _inputs, { frozen }) => {
      if (frozen !== null) return Promise.resolve(frozenWork(frozen));
      if (!Array.isArray(entries)) return entries();
      return Promise.resolve({ entries, facts: { retrieval: "lexical" } });
    },
    present: ({ result, observations, next_cursor }) => ({
      entries: result!.entries,
      shown: observations!.map((row) => row.id).sort((a, b) => a - b),
      next_cursor,
    }),
  };
}

/** Returns the entry that delivers one observation. */
export const entryOf = ({ company_id, observation_id }: Recorded): DeliveryEntry => ({
  company_id,
  observation_ids: [observation_id],
});

/** Returns the body of a reply, written as JSON and parsed. */
// deno-lint-ignore no-explicit-any -- each test checks the shape of the body
export function writtenBody({ body }: Reply): any {
  return JSON.parse(JSON.stringify(body));
}

/**
 * Terms with a window of a week, so that no window ends between two answers that a test compares.
 */
export const LONG_WINDOW = { terms: { window_seconds: 604_800 } };

/** A log that writes nothing. */
export const silent = createLog("error", () => {});

/** Returns a context in which actions run. */
export function runContext(sql: Sql, now?: () => Date): RunContext {
  const returns = new LeaseReturns({ sql, log: silent, now });
  return {
    sql,
    now,
    log: silent,
    returns,
    keys: new KnownKeys(),
    turns: new Turns(),
    bodies: new Turns(),
    reads: new ReadRates(),
    deadline_seconds: 900,
  };
}

/** Repeats a request while it fails with `unavailable`, as a client would. */
export async function persistently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if ((error as { code?: unknown }).code !== "unavailable") throw error;
    }
  }
}

/** Returns the number of operations that have not ended. */
export async function countUnfinished(sql: Sql): Promise<number> {
  const [row] = await sql<[{ unfinished: number }]>`
    select count(*) as unfinished from operations where finished_at is null
  `;
  return row.unfinished;
}

/** Asserts that usage adds up, and that nothing is reserved or unfinished. */
export async function assertSettled(sql: Sql): Promise<void> {
  assert.deepEqual((await verifyUsage(sql)).differences, []);
  const [{ reserved, unfinished }] = await sql<[{ reserved: number; unfinished: number }]>`
    select
      (select coalesce(sum(reserved_request_units + reserved_delivered_units), 0)::integer
        from allowances) as reserved,
      (select count(*) from operations where status in ('pending', 'processing')) as unfinished
  `;
  assert.deepEqual({ reserved, unfinished }, { reserved: 0, unfinished: 0 });
}

/** Returns the numbers of operations, of settlements and of queued messages. */
export async function countRows(
  sql: Sql,
): Promise<{ operations: number; settlements: number; messages: number }> {
  const [row] = await sql<[{ operations: number; settlements: number; messages: number }]>`
    select
      (select count(*) from operations) as operations,
      (select count(*) from ledger) as settlements,
      (select count(*) from pgmq.q_operations) as messages
  `;
  return { ...row };
}

/** Claims a search at an instant and returns its lease. */
export async function takeAt(
  sql: Sql,
  who: TestCaller,
  at: Date,
  request_key: string,
  limit = 5,
  token?: string,
): Promise<Lease> {
  const claimed = await claim(runContext(sql, () => at), {
    action: fixedAction([]),
    caller: who.caller,
    request_key,
    request: { inputs: { query: "q", limit }, cursor: null, background: false },
    deadline_seconds: 900,
    token,
  });
  assert.ok(isLease(claimed));
  return claimed;
}
