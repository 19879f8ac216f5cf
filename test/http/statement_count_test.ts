/** Number of statements per answer. Each one costs a round trip to the database. */
import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { stoppedClock, withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";

/** Pattern of the SQL functions that answer callers. The index uses other functions. */
const ANSWERING =
  /\b(claim_operation|settle_operation|read_operation|read_company|read_observation|caller_of_key)\(/;

/** Wraps a database. `called` returns the SQL functions that were called since its last call. */
function watchCalls(sql: Sql): { sql: Sql; called(): string[] } {
  let names: string[] = [];
  const proxy = new Proxy(sql, {
    apply(target, _, args) {
      const [, name] = ANSWERING.exec(String(args[0])) ?? [];
      if (name !== undefined) names.push(name);
      return (target as (...args: unknown[]) => unknown)(...args);
    },
  });
  const called = () => {
    const taken = names;
    names = [];
    return taken;
  };
  return { sql: proxy, called };
}

oneEngineTest("a metered search needs two statements, and a replay one", async (t) => {
  const { key } = await createCaller(t.sql);
  const [one] = await record(t.sql, [
    { observed_fact: "A freezer warehouse opens." },
    { observed_fact: "A bicycle race starts." },
  ]);
  const { sql, called } = watchCalls(t.sql);
  await withApp({ ...t.db, sql }, async ({ search, ask }) => {
    const searchFor = async (query: string, request_key: string) => {
      const { status, body } = await search({ query }, { key, request_key });
      assert.deepEqual([status, body.companies.length], [200, 1]);
    };
    // A key that the process does not know yet is looked up before the body is read.
    await searchFor("freezer warehouse", "1");
    assert.deepEqual(called(), ["caller_of_key", "claim_operation", "settle_operation"]);
    await searchFor("bicycle race", "2");
    assert.deepEqual(called(), ["claim_operation", "settle_operation"]);
    await searchFor("bicycle race", "2");
    assert.deepEqual(called(), ["claim_operation"]);
    await ask(`/api/companies/${one!.company_id}`, { key });
    assert.deepEqual(called(), ["read_company"]);
  }, { now: stoppedClock() });
});
