/** Compares the answers to simple calls, which bypass the SDK, with the SDK's answers to them. */
import assert from "node:assert/strict";
import { isJSONRPCRequest } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { isSimpleCall } from "../../src/mcp/simple_call.ts";
import { withApp } from "../support/app.ts";
import { embeddedTest } from "../support/database.ts";
import { goodCall, modernRpc, request, rpc, TOOL_NAMES } from "../support/mcp.ts";
import { createWorld } from "../support/world.ts";

const DECLARED = { extensions: { "io.modelcontextprotocol/tasks": {} } };

/** Parameter that makes the service pass a call to the SDK. The SDK ignores its value. */
const THROUGH_SDK = { inputResponses: {} };

embeddedTest("a simple call gets the same answer as through the SDK", async ({ db, sql }) => {
  const world = await createWorld(sql);
  const key = world.keys.entitled;
  const now = new Date(Date.now() + 60_000);
  await withApp(db, async ({ app }) => {
    const calls = [
      ...TOOL_NAMES.map((name) => goodCall(world, name)),
      ...TOOL_NAMES.map((name) => ({ name, args: { surplus: 1 }, headers: {} })),
      { name: "no_such_tool", args: {}, headers: {} },
      { name: "get_usage", args: null, headers: {} },
      { name: "get_companies", args: [], headers: {} },
    ];
    const clients: Record<string, typeof rpc> = {
      "2025-11-25": rpc,
      "2026-07-28": (service, message, options) => modernRpc(service, message as object, options),
      "tasks": (service, message, options) =>
        modernRpc(service, message as object, { ...options, capabilities: DECLARED }),
    };
    for (const [client, send] of Object.entries(clients)) {
      for (const { name, args, headers } of calls) {
        const answer = async (more: object) => {
          const params = { name, arguments: args, ...more };
          const { status, body } = await send(app, request("tools/call", params), { key, headers });
          const request_id = body.result?._meta["Request-Id"];
          if (request_id) body.result._meta["Request-Id"] = "removed";
          return { status, body, request_id };
        };
        // The later calls are replays of this one.
        await answer({});
        const simple = await answer({});
        const bySdk = await answer(THROUGH_SDK);
        assert.notEqual(simple.request_id ?? 1, bySdk.request_id ?? 2);
        assert.deepEqual(
          [simple.status, simple.body],
          [bySdk.status, bySdk.body],
          `${client} ${name}`,
        );
      }
    }
  }, { now: () => now });
});

/** Values of a member: mostly likely ones, and otherwise any. */
function likely(...values: unknown[]): fc.Arbitrary<unknown> {
  return mostly(fc.constantFrom(...values));
}

function mostly(arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary }, fc.jsonValue());
}

Deno.test("each simple call is a request for the SDK", () => {
  const count = { simple: 0, other: 0 };
  const surplus = likely(undefined).map((value) => value !== undefined && { surplus: value });
  const members = (known: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[]) =>
    fc.tuple(fc.record(known, { requiredKeys }), surplus).map(([all, more]) => ({
      ...all,
      ...more,
    }));
  const meta = members({
    progressToken: likely("token", 7, 0.5, true),
    "io.modelcontextprotocol/related-task": likely({ taskId: "1" }, { taskId: 1 }),
    "io.modelcontextprotocol/protocolVersion": likely("2026-07-28"),
  }, []);
  const params = members({
    name: likely("get_usage"),
    arguments: likely({}, { id: 1 }),
    _meta: mostly(meta),
  }, ["name"]);
  const message = members({
    jsonrpc: likely("2.0"),
    id: likely("a", 1, -1, 0.5, 2 ** 53),
    method: likely("tools/call"),
    params: mostly(params),
  }, ["jsonrpc", "method", "params"]);
  fc.assert(
    fc.property(message, (value) => {
      count[isSimpleCall(value) ? "simple" : "other"]++;
      if (!isSimpleCall(value)) return;
      assert.ok(isJSONRPCRequest(value));
      assert.ok(!("surplus" in value.params));
    }),
    { numRuns: 1_000 },
  );
  assert.ok(count.simple > 20 && count.other > 20, JSON.stringify(count));
});

Deno.test("usual calls are simple, and calls with uncommon members are not", () => {
  const callOf = (members: string, more = "") =>
    JSON.parse(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_usage"${members}}${more}}`,
    );
  const simple = [
    "",
    ',"arguments":{"id":1}',
    ',"_meta":{"progressToken":"a"}',
    ',"_meta":{"progressToken":7,"io.modelcontextprotocol/protocolVersion":"2026-07-28"}',
  ];
  for (const members of simple) assert.ok(isSimpleCall(callOf(members)), members);
  const other = [
    ',"task":{"ttl":1}',
    ',"__proto__":{}',
    ',"_meta":null',
    ',"_meta":[]',
    ',"_meta":{"progressToken":0.5}',
    ',"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"1"}}',
  ];
  for (const members of other) assert.ok(!isSimpleCall(callOf(members)), members);
  for (const more of [',"__proto__":{}', ',"surplus":1']) {
    assert.ok(!isSimpleCall(callOf("", more)));
  }
});

embeddedTest("a faulty envelope is refused each time", async ({ db, sql }) => {
  const world = await createWorld(sql);
  const key = world.keys.entitled;
  await withApp(db, async ({ app }) => {
    const call = request("tools/call", { name: "get_usage", arguments: {} });
    const notification = { jsonrpc: "2.0", method: "tools/call", params: { name: "get_usage" } };
    const wrong = { extensions: 5 };
    for (let time = 0; time < 2; time++) {
      assert.equal((await modernRpc(app, call, { key })).status, 200);
      const headers = { "mcp-method": "tools/list" };
      const differs = await modernRpc(app, call, { key, headers });
      assert.deepEqual([differs.status, differs.body.error.code], [400, -32020]);
      // The envelope of a notification is not checked, and is not remembered as a valid one.
      const accepted = await modernRpc(app, notification, { key, capabilities: wrong });
      assert.equal(accepted.status, 202);
      const refused = await modernRpc(app, call, { key, capabilities: wrong });
      assert.deepEqual([refused.status, refused.body.error.code], [400, -32602]);
    }
  });
});
