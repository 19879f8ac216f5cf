/** Revision 2026-07-28 of the protocol at `/mcp`: envelope, headers, results and errors. */
import assert from "node:assert/strict";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import {
  contentOf,
  envelope,
  goodCall,
  listTools,
  modernHeaders,
  modernRpc,
  request,
  rpc,
  TOOL_NAMES,
  toolCall,
} from "../support/mcp.ts";
import { createWorld } from "../support/world.ts";

const SERVER = { name: "company-evidence", title: "Company evidence service", version: "1.0.0" };

oneEngineTest("server/discover describes the server without a handshake", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    const { status, headers, body } = await modernRpc(app, request("server/discover"), { key });
    const { instructions, ...result } = body.result;
    assert.deepEqual([status, headers.get("cache-control"), result], [200, "no-store", {
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {}, extensions: { "io.modelcontextprotocol/tasks": {} } },
      ttlMs: 3_600_000,
      cacheScope: "public",
      _meta: { "io.modelcontextprotocol/serverInfo": SERVER },
    }]);
    assert.match(instructions, /request_key/);
    assert.equal(headers.get("mcp-session-id"), null);
  });
});

oneEngineTest(
  "tools/list returns the same list in both revisions, and allows it to be cached",
  async ({ db, sql }) => {
    const { key } = await createCaller(sql);
    await withApp(db, async ({ app }) => {
      const { body } = await modernRpc(app, request("tools/list"), { key });
      const { tools, ...result } = body.result;
      assert.deepEqual(result, {
        resultType: "complete",
        ttlMs: 300_000,
        cacheScope: "private",
        _meta: { "io.modelcontextprotocol/serverInfo": SERVER },
      });
      assert.deepEqual(tools, await listTools(app, key));
      const again = await modernRpc(app, request("tools/list"), { key });
      assert.equal(JSON.stringify(again.body), JSON.stringify(body));
    });
  },
);

oneEngineTest(
  "an idempotency key, used in both revisions and HTTP, gives one operation and one body",
  async (t) => {
    const { db, sql } = t;
    const world = await createWorld(sql);
    const key = world.keys.entitled;
    await withApp(db, async ({ app, search }) => {
      for (const name of TOOL_NAMES) {
        const { args, headers } = goodCall(world, name);
        const modern = await modernRpc(app, toolCall(name, args), { key, headers });
        const legacy = await rpc(app, toolCall(name, args), { key, headers });
        const { _meta: modernMeta, resultType, ...result } = modern.body.result;
        const { _meta: legacyMeta, ...legacyResult } = legacy.body.result;
        assert.deepEqual([resultType, result], ["complete", legacyResult], name);
        assert.deepEqual(result.content, contentOf(result.structuredContent), name);
        assert.deepEqual(modernMeta["io.modelcontextprotocol/serverInfo"], SERVER);
        assert.equal(modernMeta["Request-Id"], modern.headers.get("request-id"));
        if (result.structuredContent.request_allowance) {
          assert.equal(legacyMeta["Idempotency-Replayed"], "true", name);
        }
      }
      const before = await world.countOperations();
      const query = { query: "freezer warehouse", limit: 2 };
      const call = toolCall("search_companies", { ...query, request_key: "one" });
      const overHttp = await search(query, { key, request_key: "one" });
      const modern = await modernRpc(app, call, { key });
      const legacy = await rpc(app, call, { key });
      for (const { body } of [modern, legacy]) {
        assert.deepEqual(body.result.structuredContent, overHttp.body);
      }
      assert.equal(await world.countOperations(), before + 1);
    });
  },
);

/** Headers that differ from the body, and the error code of the answer. */
const MISMATCHES: [Record<string, string | null>, number][] = [
  [{ "mcp-protocol-version": "2025-11-25" }, -32020],
  [{ "mcp-protocol-version": null }, -32020],
  [{ "mcp-method": "tools/list" }, -32020],
  [{ "mcp-method": null }, -32020],
  [{ "mcp-name": "get_company" }, -32020],
  [{ "mcp-name": null }, -32020],
  [{ "mcp-name": "=?base64?Z2V0X2NvbXBhbnk=?=" }, -32020],
  [{ "mcp-name": "=?base64?*?=" }, -32020],
  // The decoded name is right, but the padding is missing.
  [{ "mcp-name": "=?base64?ZGlhZ25vc3RpYw?=" }, -32020],
];

oneEngineTest("headers that differ from the body are refused with -32020", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    const call = toolCall("diagnostic", {});
    for (const [headers, code] of MISMATCHES) {
      const { status, body } = await modernRpc(app, call, { key, headers });
      const claim = JSON.stringify(headers);
      assert.deepEqual([status, body.id, body.error?.code], [400, 1, code], claim);
    }
    for (const method of ["get", "cancel", "update"]) {
      const task = request(`tasks/${method}`, { taskId: "1" });
      const { body } = await modernRpc(app, task, { key, headers: { "mcp-name": "2" } });
      assert.equal(body.error?.code, -32020, method);
    }
    const encoded = "=?base64?ZGlhZ25vc3RpYw==?=";
    const headers = { "mcp-name": encoded, "idempotency-key": "decoded" };
    const decoded = await modernRpc(app, call, { key, headers });
    assert.equal(decoded.body.result.isError, undefined);
  });
});

oneEngineTest("the refusal of a revision names the supported ones", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    for (const version of ["2027-01-01", "2025-11-25"]) {
      const { status, body } = await modernRpc(app, request("tools/list"), { key, version });
      assert.deepEqual([status, body.id, body.error.code, body.error.data], [400, 1, -32022, {
        supported: ["2026-07-28"],
        requested: version,
      }]);
    }
    const { params: _, ...message } = envelope(request("tools/list")) as Record<string, unknown>;
    const headers = modernHeaders(message);
    const bare = await rpc(app, message, { key, headers });
    assert.deepEqual([bare.status, bare.body.error.code], [400, -32602]);
  });
});

const UNKNOWN = ["tools/delete", "initialize", "ping", "resources/list", "subscriptions/listen"];

oneEngineTest("a method that the revision does not have gets 404 with -32601", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    for (const method of UNKNOWN) {
      const { status, body } = await modernRpc(app, request(method), { key });
      assert.deepEqual([status, body.id, body.error?.code], [404, 1, -32601], method);
    }
    for (const params of [{ name: 5 }, { name: "no_such_tool" }, {}]) {
      const { status, body } = await modernRpc(app, request("tools/call", params), { key });
      assert.deepEqual([status, body.error?.code], [200, -32602], JSON.stringify(params));
    }
    const cursor = await modernRpc(app, request("tools/list", { cursor: "c" }), { key });
    assert.deepEqual([cursor.status, cursor.body.error.code], [200, -32602]);
  });
});

oneEngineTest("the API key of a request of 2026-07-28 is checked first", async (t) => {
  const { db, sql } = t;
  const world = await createWorld(sql);
  await withApp(db, async ({ app }) => {
    for (const key of [undefined, world.keys.revoked]) {
      for (
        const message of [
          request("server/discover"),
          request("tools/list"),
          request("no/such"),
          toolCall("get_usage", {}),
          toolCall("no_such_tool", {}),
        ]
      ) {
        for (const method of [undefined, "wrong"]) {
          const headers: Record<string, string> = method ? { "mcp-method": method } : {};
          const { status, body } = await modernRpc(app, message, { key, headers });
          const claim = JSON.stringify([key, message]);
          assert.deepEqual([status, body.error.code], [401, "invalid_api_key"], claim);
        }
      }
    }
    const { args } = goodCall(world, "search_companies");
    const call = toolCall("search_companies", args);
    const { status, body } = await modernRpc(app, call, { key: world.keys.lapsed });
    assert.deepEqual(
      [status, body.result.isError, body.result.structuredContent.error.code],
      [200, true, "subscription_required"],
    );
  });
  assert.equal(await world.countOperations(), 0);
});
