/**
 * Only a few claiming statements of one caller run at a time, so that connections stay free for
 * other callers.
 */
import assert from "node:assert/strict";
import { connect, type Sql } from "../../src/db/connect.ts";
import type { Caller } from "../../src/operations/action.ts";
import { CALLER_STATEMENTS_MAX, CallerTurns } from "../../src/operations/caller_turns.ts";
import { run } from "../../src/operations/run.ts";
import { databaseTest, serverTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import {
  assertSettled,
  countRows,
  memoryAction,
  memoryContext,
  persistently,
  silent,
} from "../support/operations.ts";
import { eventually } from "../support/waiting.ts";

const ONE = { key_hash: new Uint8Array(32).fill(1) };
const OTHER = { key_hash: new Uint8Array(32).fill(2) };

/** Statements of callers. Each one runs until the test ends it. */
class Statements {
  readonly started: string[] = [];
  readonly #ends = new Map<string, PromiseWithResolvers<string>>();

  run(turns: CallerTurns, caller: Caller, name: string): Promise<string> {
    return turns.run(caller, () => {
      this.started.push(name);
      const end = Promise.withResolvers<string>();
      this.#ends.set(name, end);
      return end.promise;
    });
  }

  /** Ends a statement. Resolves when the next statement of its caller has started. */
  async end(name: string): Promise<void> {
    this.#ends.get(name)!.resolve(name);
    await nextTask();
  }
}

/** Resolves when all statements that have a turn have started. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

Deno.test("CallerTurns runs four statements of a caller at a time, in their order", async () => {
  const turns = new CallerTurns();
  const statements = new Statements();
  const names = ["a", "b", "c", "d", "e", "f"];
  const results = names.map((name) => statements.run(turns, ONE, name));
  const foreignResult = statements.run(turns, OTHER, "other");
  await nextTask();
  assert.equal(CALLER_STATEMENTS_MAX, 4);
  assert.deepEqual(statements.started, ["a", "b", "c", "d", "other"]);
  await statements.end("c");
  assert.deepEqual(statements.started.slice(5), ["e"]);
  await statements.end("a");
  assert.deepEqual(statements.started.slice(5), ["e", "f"]);
  for (const name of ["b", "d", "e", "f", "other"]) await statements.end(name);
  assert.deepEqual(await Promise.all([...results, foreignResult]), [...names, "other"]);
});

Deno.test("CallerTurns gives the turn of a failed statement to the next one", async () => {
  const turns = new CallerTurns();
  const failed = Array.from(
    { length: CALLER_STATEMENTS_MAX },
    () => turns.run(ONE, () => Promise.reject(new Error("lost"))),
  );
  const next = turns.run(ONE, () => Promise.resolve("next"));
  for (const call of failed) await assert.rejects(call, { message: "lost" });
  assert.equal(await next, "next");
});

Deno.test("CallerTurns refuses a statement that gets no turn in time", async () => {
  const turns = new CallerTurns(0);
  const statements = new Statements();
  const running = ["a", "b", "c", "d"].map((name) => statements.run(turns, ONE, name));
  await assert.rejects(statements.run(turns, ONE, "e"), { code: "unavailable" });
  assert.deepEqual(statements.started, ["a", "b", "c", "d"]);
  for (const name of statements.started) await statements.end(name);
  await Promise.all(running);
  // The refused statement does not occupy a turn.
  const later = ["f", "g", "h", "i"].map((name) => statements.run(turns, ONE, name));
  await nextTask();
  assert.deepEqual(statements.started.slice(4), ["f", "g", "h", "i"]);
  for (const name of ["f", "g", "h", "i"]) await statements.end(name);
  await Promise.all(later);
});

Deno.test("CallerTurns drops an idle caller above the max, and keeps those in use", async () => {
  const turns = new CallerTurns(3, 2);
  const statements = new Statements();
  const busy = ["a", "b", "c", "d"].map((name) => statements.run(turns, ONE, name));
  await turns.run(OTHER, () => Promise.resolve());
  for (let n = 3; n < 10; n++) {
    const key_hash = new Uint8Array(32).fill(n);
    await turns.run({ key_hash }, () => Promise.resolve());
    assert.equal(turns.kept, 2);
  }
  const fifth = statements.run(turns, ONE, "e");
  await nextTask();
  assert.deepEqual(statements.started, ["a", "b", "c", "d"]);
  await statements.end("a");
  for (const name of ["b", "c", "d", "e"]) await statements.end(name);
  await Promise.all([...busy, fifth]);
});

databaseTest("a request that gets no turn in time leaves no row", async ({ sql }) => {
  const { caller } = await createCaller(sql);
  const context = { ...memoryContext(sql, caller), turns: new CallerTurns(0) };
  const statements = new Statements();
  const running = ["a", "b", "c", "d"].map((name) => statements.run(context.turns, caller, name));
  const ask = () =>
    run(context, memoryAction([]), caller, () => ({ request_key: "k", inputs: {} }));
  // The second request is claimed before it is performed, because the first one was not delivered.
  for (let n = 0; n < 2; n++) await assert.rejects(ask(), { code: "unavailable" });
  assert.deepEqual(await countRows(sql), { operations: 0, settlements: 0, messages: 0 });
  for (const name of statements.started) await statements.end(name);
  await Promise.all(running);
  assert.equal((await ask()).status, 200);
  await assertSettled(sql);
});

serverTest("requests of one caller leave connections for other callers", async (t) => {
  const busy = await createCaller(t.sql);
  const idle = await createCaller(t.sql);
  const service = await connect({ database_url: t.url, data_dir: "", log: silent });
  const asked: Promise<unknown>[] = [];
  try {
    const context = memoryContext(service.sql, busy.caller);
    context.delivered.record(idle.caller, true);
    const ask = ({ caller }: typeof busy, request_key: string) =>
      run(context, memoryAction([]), caller, () => ({ request_key, inputs: {} }));
    await t.sql.begin(async (sql) => {
      await sql`
        select from allowances where subscription_id = ${busy.subscription_id} for update
      `;
      // There are more requests than connections.
      for (let n = 0; n < 16; n++) asked.push(persistently(() => ask(busy, `k${n}`)));
      await eventually("requests wait for the row", async () => await countWaiting(t.sql) > 0);
      assert.equal((await ask(idle, "k")).status, 200);
      const waiting = await countWaiting(t.sql);
      assert.ok(waiting <= CALLER_STATEMENTS_MAX, `${waiting} wait`);
    });
    for (const reply of await Promise.all(asked)) {
      assert.equal((reply as { status: number }).status, 200);
    }
    await assertSettled(t.sql);
  } finally {
    // The requests need the connections, because they are repeated until they are answered.
    await Promise.allSettled(asked);
    await service.close();
  }
});

/** Returns the number of statements that wait for a lock. */
async function countWaiting(sql: Sql): Promise<number> {
  const [row] = await sql<[{ waiting: number }]>`
    select count(*)::integer as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  `;
  return row.waiting;
}
