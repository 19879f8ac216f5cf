/** Number of statements per answer. Each one costs a round trip to the database. */
import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { withApp } from "../support/app.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";

/** Functions that answer callers, without those of the follower of the index. */
const ANSWERING =
  /\b(claim_operation|settle_operation|claim_and_settle_operation|read_operation|read_company|read_observation|find_caller)\(/;

/** Returns the database, and a function that lists the functions called since its last call. */
function watched(sql: Sql): { sql: Sql; called(): string[] } {
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

databaseTest("a metered search takes two statements, and one after a delivery", async (t) => {
  const { key } = await createCaller(t.sql);
  const [one] = await record(t.sql, [
    { observed_fact: "A freezer warehouse opens." },
    { observed_fact: "A bicycle race starts." },
  ]);
  const { sql, called } = watched(t.sql);
  await withApp({ ...t.db, sql }, async ({ search, ask }) => {
    const ask_for = async (query: string, request_key: string) => {
      const { status, body } = await search({ query }, { key, request_key });
      assert.deepEqual([status, body.companies.length], [200, 1]);
    };
    // A key that was never seen is looked up before its body is read.
    await ask_for("freezer warehouse", "1");
    assert.deepEqual(called(), ["find_caller", "claim_operation", "settle_operation"]);
    for (const [query, request_key] of [["bicycle race", "2"], ["bicycle race", "3"]]) {
      await ask_for(query!, request_key!);
      assert.deepEqual(called(), ["claim_and_settle_operation"]);
    }
    await ask_for("bicycle race", "3");
    assert.deepEqual(called(), ["claim_and_settle_operation"]);
    // A replay has cost a search for nothing, so that the next request is claimed first.
    await ask_for("bicycle race", "3");
    assert.deepEqual(called(), ["claim_operation"]);
    await ask_for("bicycle race", "4");
    assert.deepEqual(called(), ["claim_operation", "settle_operation"]);
    await ask(`/api/companies/${one!.company_id}`, { key });
    assert.deepEqual(called(), ["read_company"]);
  });
});
