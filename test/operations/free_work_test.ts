/** No work is done for a request that is refused, whatever refuses it. */
import assert from "node:assert/strict";
import { Failure } from "../../src/failures.ts";
import { run } from "../../src/operations/run.ts";
import { databaseTest, embeddedTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { countRows, fixedAction, type Inputs, runContext } from "../support/operations.ts";

/** Returns an action that counts how often it is performed. */
function countingAction() {
  const action = fixedAction([]);
  let performed = 0;
  const perform: typeof action.perform = (...args) => {
    performed++;
    return action.perform(...args);
  };
  return { action: { ...action, perform }, performed: () => performed };
}

/** Asks with different inputs at once, and returns the codes of the failures. */
async function codesOf(asked: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(asked);
  return settled.flatMap((one) => one.status === "rejected" ? [one.reason.code] : []);
}

databaseTest("fifty searches with one key and other inputs are performed once", async ({ sql }) => {
  const { caller } = await createCaller(sql);
  const { action, performed } = countingAction();
  const context = runContext(sql);
  const codes = await codesOf(Array.from({ length: 50 }, (_, n) => {
    const inputs: Inputs = { query: `question ${n}`, limit: 10 };
    return run(context, action, caller, () => ({ request_key: "same", inputs }));
  }));
  assert.deepEqual(codes, Array.from({ length: 49 }, () => "idempotency_conflict"));
  assert.equal(performed(), 1);
});

databaseTest("requests without a subscription or units are not performed", async ({ sql }) => {
  const lapsed = await createCaller(sql, { status: "canceled" });
  const spent = await createCaller(sql, { plan: "professional", terms: { request_units: 0 } });
  const { action, performed } = countingAction();
  const context = runContext(sql);
  const before = await countRows(sql);
  for (
    const [{ caller }, code] of [
      [lapsed, "subscription_required"],
      [spent, "request_limit_reached"],
    ] as const
  ) {
    const codes = await codesOf(
      Array.from(
        { length: 5 },
        (_, n) => run(context, action, caller, () => ({ request_key: `${n}`, inputs: {} })),
      ),
    );
    assert.deepEqual(codes, Array.from({ length: 5 }, () => code));
  }
  // A caller without a subscription gets the same refusal if its request is too large.
  const tooLarge = () => Promise.reject(new Failure("payload_too_large"));
  const refused = run(context, action, lapsed.caller, tooLarge);
  await assert.rejects(refused, { code: "subscription_required" });
  assert.equal(performed(), 0);
  assert.deepEqual(await countRows(sql), before);
  // A refused claim takes no number of an operation either: it stops before the insert.
  const [row] = await sql`select last_value, is_called from operations_id_seq`;
  assert.deepEqual({ ...row }, { last_value: 1, is_called: false });
});

/** Max bytes of write-ahead log of a refused request. A claim writes more than 1,000. */
const REFUSED_BYTES_MAX = 20;

// A server has one log for all databases, so only the log of an embedded database is the test's own.
embeddedTest("a thousand refused requests write almost no write-ahead log", async ({ sql }) => {
  const callers = [
    await createCaller(sql, { status: "canceled" }),
    await createCaller(sql, { plan: "professional", terms: { request_units: 0 } }),
    await createCaller(sql, { plan: "builder", terms: { delivered_units: 9 } }),
  ];
  const position = async () => {
    const [row] = await sql<[{ bytes: number }]>`
      select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes
    `;
    return row.bytes;
  };
  const action = fixedAction([]);
  const context = runContext(sql);
  const refuse = async (from: number, count: number) => {
    const codes = await codesOf(Array.from({ length: count }, (_, n) => {
      const inputs: Inputs = { query: `question ${from + n} ${"x".repeat(400)}`, limit: 10 };
      const { caller } = callers[n % callers.length]!;
      return run(context, action, caller, () => ({ request_key: `${from + n}`, inputs }));
    }));
    assert.equal(codes.length, count);
  };
  await refuse(0, 50);
  const before = await position();
  for (let from = 50; from < 1050; from += 50) await refuse(from, 50);
  const written = await position() - before;
  assert.ok(written < 1_000 * REFUSED_BYTES_MAX, `${written} bytes`);
});
