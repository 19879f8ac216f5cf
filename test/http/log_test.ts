/** Logs hold nothing that a caller has written. */
import assert from "node:assert/strict";
import { createLog } from "../../src/log.ts";
import { withApp } from "../support/app.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";

databaseTest("no log line holds a path, a key or a query", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await record(sql, [{ observed_fact: "A freezer warehouse." }]);
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  await withApp(db, async ({ ask, search }) => {
    const found = await search({ query: "freezer" }, { key, request_key: "secret-request" });
    assert.equal(found.status, 200);
    await search({ query: "freezer", limit: 1000 }, { key, request_key: "secret-request" });
    await ask(`/api/companies?domains[]=freezer.example`, { key, request_key: "secret-request" });
    assert.equal((await ask(`/freezer/${key}?key=${key}`)).status, 404);
    await ask(`/api/companies/freezer?key=${key}`, { key });
  }, { log });
  assert.equal(lines.filter((line) => line.includes('"message":"request"')).length, 5);
  for (const secret of [key, key.slice(3), "freezer", "secret-request"]) {
    assert.deepEqual(lines.filter((line) => line.includes(secret)), [], secret);
  }
});
