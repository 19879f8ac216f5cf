/** Log lines name accounts, codes and units, but no text of a caller. */
import assert from "node:assert/strict";
import { createLog } from "../../src/log.ts";
import { drain } from "../../src/operations/worker.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { rpc, toolCall } from "../support/mcp.ts";

oneEngineTest("no log line contains a path, a key or a query", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await record(sql, [{ observed_fact: "A freezer warehouse." }]);
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  await withApp(db, async ({ ask, search }) => {
    const delivered = await search({ query: "freezer" }, { key, request_key: "secret-request" });
    assert.equal(delivered.status, 200);
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

oneEngineTest("a log line names account, key, error code and units", async ({ db, sql }) => {
  await createCaller(sql);
  const { key } = await createCaller(sql, { terms: { request_units: 2, window_seconds: 604_800 } });
  await record(sql, [{ observed_fact: "A freezer warehouse." }]);
  const lines: string[] = [];
  const log = createLog("debug", (line) => void lines.push(line));
  const asked = { query: "freezer" };
  await withApp(db, async ({ app, ask, search }) => {
    await search(asked, { key, request_key: "1" });
    await search(asked, { key, request_key: "1" });
    await rpc(app, toolCall("search_companies", { ...asked, request_key: "2" }), { key });
    await search(asked, { key, request_key: "3" });
    await ask("/api/usage", { key: key.slice(0, -1) + (key.endsWith("0") ? "1" : "0") });
    await ask("/nowhere");
    await ask("/readyz");
  }, { log });
  const written = lines.map((line) => JSON.parse(line)).filter(({ message }) =>
    message === "request"
  );
  const whose = { account: 2, key_id: 2 };
  const [post, get] = [{ method: "POST", route: "/api/companies/search" }, { method: "GET" }];
  const tool = { route: "/mcp", tool: "search_companies" };
  const units = { request_units: 1, delivered_units: 1, fresh_evidence_units: 0 };
  // The order of the lines may differ from the order of the requests. The first line of a key is
  // written only after its account has been looked up.
  assert.deepEqual(
    new Set(
      written.map(({ time: _time, message: _message, request_id: _id, ms: _ms, ...line }) => line),
    ),
    new Set([
      { level: "info", ...post, status: 200, ...whose, ...units },
      { level: "info", ...post, status: 200, ...whose },
      { level: "debug", ...get, route: "/readyz", status: 200 },
      { level: "info", ...get, route: "/api/usage", status: 401, code: "invalid_api_key" },
      { level: "info", ...get, route: null, status: 404, code: "not_found" },
      { level: "info", ...post, status: 429, code: "request_limit_reached", ...whose },
      { level: "info", ...post, ...tool, status: 200, ...whose, ...units },
    ]),
  );
});

oneEngineTest("a log line names the units of a key that was revoked during the work", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  await sql`
    create function revoke_keys() returns trigger language plpgsql as $$
    begin
      update api_keys set revoked_at = now();
      return null;
    end $$
  `;
  await sql`
    create trigger revoke_keys after insert on ledger for each row execute function revoke_keys()
  `;
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  await withApp(db, async ({ search }) => {
    const { status } = await search({ query: "freezer" }, { key, request_key: "1" });
    assert.equal(status, 401);
  }, { log });
  const [line] = lines.map((line) => JSON.parse(line)).filter(({ message }) =>
    message === "request"
  );
  const { status, code, account, request_units } = line;
  assert.deepEqual({ status, code, account, request_units }, {
    status: 401,
    code: "invalid_api_key",
    account: 1,
    request_units: 1,
  });
});

oneEngineTest("a line of background work names account, status and units", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await record(sql, [{ observed_fact: "A freezer warehouse." }]);
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  await withApp(db, async ({ app, search }) => {
    const background = { query: "freezer", background: true };
    assert.equal((await search(background, { key, request_key: "1" })).status, 202);
    await drain(app.context, app.actions.metered);
  }, { log });
  const [line] = lines.filter((line) => line.includes("background operation finished"));
  const { time: _, ...fields } = JSON.parse(line!);
  assert.deepEqual(fields, {
    level: "info",
    message: "background operation finished",
    operation_id: 1,
    account: 1,
    read_ct: 1,
    status: "delivered",
    request_units: 1,
    delivered_units: 1,
    fresh_evidence_units: 0,
  });
});
