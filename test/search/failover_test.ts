import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { Retriever } from "../../src/search/retriever.ts";
import { oneEngineTest } from "../support/database.ts";
import { record } from "../support/factories.ts";
import { normalizeFilters } from "../support/inputs.ts";
import { silent } from "../support/operations.ts";
import { eventually } from "../support/waiting.ts";

oneEngineTest("the polling loads everything again if a failover has lost commits", async (t) => {
  const [kept] = await record(t.sql, [{ observed_fact: "A crane is wanted." }]);
  const [lost] = await record(t.sql, [{ observed_fact: "A crane is leased." }]);
  const database = { down: false, refused: 0 };
  const sql = ((...statement: Parameters<Sql>) => {
    if (!database.down) return t.sql(...statement);
    database.refused++;
    return Promise.reject(new Error("connection refused"));
  }) as Sql;
  const retriever = new Retriever({ sql, log: silent, poll_milliseconds: 5 });
  await retriever.source.start();
  const findCranes = async () => {
    const { entries } = await retriever.search({
      query: "crane",
      filters: normalizeFilters({}),
      now: new Date(),
    });
    return entries.map(({ company_id }) => company_id);
  };
  assert.equal((await findCranes()).length, 2);
  database.down = true;
  await eventually("a poll fails", () => Promise.resolve(database.refused > 1));
  // The new primary lacks the last commit, and has reached the same clock by another one.
  await t.sql`
    update observations set change_seq = 1, withdrawn_at = now() where id = ${lost!.observation_id}
  `;
  database.down = false;
  await eventually("the lost record is gone", async () => (await findCranes()).length === 1);
  assert.deepEqual(await findCranes(), [kept!.company_id]);
  await retriever.source.close();
});
