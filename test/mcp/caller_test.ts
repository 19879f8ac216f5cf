/**
 * Tests that every message to `/mcp` needs a valid key, and every tool call a subscription
 * (specification 5).
 */
import assert from "node:assert/strict";
import { createKey } from "../../src/accounts/credential.ts";
import { revokeApiKey } from "../../src/accounts/key.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { goodCall, request, rpc, TOOL_NAMES, toolCall } from "../support/mcp.ts";
import { createWorld, type World } from "../support/world.ts";

const INITIALIZE = request("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
});

const HEADER = "Send the header Authorization: Bearer ce_…";
const NO_AUTHORIZATION = `The request has no API key. ${HEADER}`;
const NO_BEARER = `The Authorization header is not "Bearer" and one key. ${HEADER}`;
const NO_KEY = "The text after Bearer is no API key: a letter is missing or wrong, or it is " +
  "another service's. Keys begin with ce_.";
const UNKNOWN_KEY = "The API key is unknown, revoked or expired.";

const invalidKey = (message: string) => ({ error: { code: "invalid_api_key", message } });

/** Returns messages that a client may send, valid and invalid. */
function anyMessages(world: World): (object | string)[] {
  return [
    INITIALIZE,
    request("ping"),
    request("tools/list"),
    request("tools/list", { cursor: "c" }),
    request("resources/list"),
    ...TOOL_NAMES.flatMap((name) => [
      toolCall(name, goodCall(world, name).args),
      toolCall(name, { surplus: 1 }),
    ]),
    toolCall("no_such_tool", {}),
    request("tools/call"),
    request("tools/call", { name: 5 }),
    request("tools/call", { name: "get_company", arguments: [] }),
    request("tools/call", { name: "get_company", arguments: { id: 1 }, task: { ttl: 1 } }),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 1, result: {} },
    "{",
    "[]",
    "{}",
  ];
}

oneEngineTest("/mcp refuses every message without a valid key", async ({ db, sql }) => {
  const world = await createWorld(sql);
  const key = world.keys.entitled;
  const last = key.at(-1) === "0" ? "1" : "0";
  const bearers: [string | undefined, string][] = [
    [undefined, NO_AUTHORIZATION],
    ["Bearer ", NO_BEARER],
    [key, NO_BEARER],
    [`Basic ${key}`, NO_BEARER],
    ["Bearer nonsense", NO_KEY],
    [`Bearer ${key.slice(0, -1)}${last}`, NO_KEY],
    [`Bearer ${key} ${key}`, NO_BEARER],
    [`Bearer ${createKey()}`, UNKNOWN_KEY],
    [`Bearer ${world.keys.revoked}`, UNKNOWN_KEY],
  ];
  await withApp(db, async ({ app }) => {
    for (const [bearer, sentence] of bearers) {
      for (const message of anyMessages(world)) {
        const { status, headers, body } = await rpc(app, message, {
          headers: { "idempotency-key": "k", ...bearer !== undefined && { authorization: bearer } },
        });
        const claim = `${bearer}: ${JSON.stringify(message)}`;
        assert.deepEqual([status, body], [401, invalidKey(sentence)], claim);
        assert.equal(headers.get("www-authenticate"), "Bearer", claim);
        assert.match(headers.get("request-id")!, /^[0-9a-f-]{36}$/);
      }
    }
    const version = await rpc(app, request("ping"), {
      key: world.keys.revoked,
      headers: { "mcp-protocol-version": "1999-01-01" },
    });
    assert.deepEqual([version.status, version.body], [401, invalidKey(UNKNOWN_KEY)]);
    const lowerCase = await rpc(app, request("ping"), {
      headers: { authorization: `bearer  ${key}` },
    });
    assert.equal(lowerCase.status, 200);
  });
  assert.equal(await world.countOperations(), 0);
});

oneEngineTest("every message is refused after the revocation of a cached key", async (t) => {
  const { db, sql } = t;
  const world = await createWorld(sql);
  await withApp(db, async ({ app }) => {
    for (const message of anyMessages(world)) {
      const { key, key_id } = await createCaller(sql);
      assert.equal((await rpc(app, request("ping"), { key })).status, 200);
      await revokeApiKey(sql, key_id);
      const { status, body } = await rpc(app, message, {
        key,
        headers: { "idempotency-key": "k" },
      });
      assert.deepEqual([status, body], [401, invalidKey(UNKNOWN_KEY)], JSON.stringify(message));
    }
  });
  assert.equal(await world.countOperations(), 0);
});

oneEngineTest("/mcp lists tools without a subscription, but runs none", async (t) => {
  const { db, sql } = t;
  const world = await createWorld(sql);
  const key = world.keys.lapsed;
  await withApp(db, async ({ app }) => {
    const initialized = await rpc(app, INITIALIZE, { key });
    assert.equal(initialized.body.result.protocolVersion, "2025-11-25");
    assert.deepEqual((await rpc(app, request("ping"), { key })).body.result, {});
    const listed = await rpc(app, request("tools/list"), { key });
    assert.equal(listed.body.result.tools.length, 8);
    const notified = await rpc(
      app,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { key },
    );
    assert.equal(notified.status, 202);
    for (const name of TOOL_NAMES) {
      const { args, headers } = goodCall(world, name);
      // A bad input gets the same answer, because the subscription is checked first.
      for (const one of [args, { surplus: 1 }]) {
        const { status, body } = await rpc(app, toolCall(name, one), { key, headers });
        assert.deepEqual(
          [status, body.result.isError, body.result.structuredContent],
          [200, true, {
            error: {
              code: "subscription_required",
              message: "An active or trialing subscription is required.",
            },
          }],
          name,
        );
      }
    }
  });
  assert.equal(await world.countOperations(), 0);
});
