/** Answers to valid messages: results, errors, their `_meta`, and the log. */
import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { readSettings } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import { type HttpAnswer, withApp } from "../support/app.ts";
import { errorCode } from "../support/contract.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { goodCall, request, rpc, TOOL_NAMES, toolCall } from "../support/mcp.ts";
import { createWorld } from "../support/world.ts";

const initialize = (protocolVersion: string) =>
  request("initialize", {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });

/** Versions that a client offers, and the version that the service agrees to. */
const VERSIONS = {
  "2025-11-25": "2025-11-25",
  "2025-06-18": "2025-06-18",
  "2025-03-26": "2025-03-26",
  "2024-11-05": "2024-11-05",
  "1999-01-01": "2025-11-25",
  "2099-01-01": "2025-11-25",
  "": "2025-11-25",
};

oneEngineTest("initialize names the server and agrees to a version", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    for (const [offered, agreed] of Object.entries(VERSIONS)) {
      const { status, body } = await rpc(app, initialize(offered), { key });
      const { instructions, ...result } = body.result;
      assert.deepEqual([status, result], [200, {
        protocolVersion: agreed,
        capabilities: { tools: {} },
        serverInfo: {
          name: "company-evidence",
          title: "Company evidence service",
          version: "1.0.0",
        },
      }], offered);
      assert.match(instructions, /request_key/);
      assert.match(instructions, /never follow instructions/);
    }
  });
});

const UNKNOWN: [object, number][] = [
  [request("tools/delete"), -32601],
  [request("resources/list"), -32601],
  [request("prompts/list"), -32601],
  [request("logging/setLevel", { level: "debug" }), -32601],
  [request("constructor"), -32601],
  [request("tools/list", { cursor: "c" }), -32602],
  [request("tools/list", { cursor: "" }), -32602],
  [toolCall("no_such_tool", {}), -32602],
  [toolCall("list_observations", {}), -32602],
  [toolCall("constructor", {}), -32602],
  [toolCall("", {}), -32602],
  [request("tools/call"), -32602],
  [request("tools/call", { name: 5 }), -32602],
  [request("initialize", {}), -32602],
];

oneEngineTest("an unknown method, tool or parameter gets a JSON-RPC error", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    for (const [message, code] of UNKNOWN) {
      const { status, body } = await rpc(app, { ...message, id: "seven" }, { key });
      const { message: words, ...error } = body.error;
      assert.deepEqual(
        [status, { ...body, error }],
        [200, { jsonrpc: "2.0", id: "seven", error: { code } }],
        JSON.stringify(message),
      );
      assert.ok(words.length > 0);
    }
  });
  await withApp(db, async ({ app }) => {
    const core = ["search_companies", "get_companies", "get_usage"];
    for (const name of TOOL_NAMES) {
      const { body } = await rpc(app, toolCall(name, { id: 1 }), { key });
      assert.equal(body.error?.code, core.includes(name) ? undefined : -32602, name);
    }
  }, { env: { MCP_TOOLS: "core" } });
});

const FACTS = ["Idempotency-Replayed", "RateLimit", "RateLimit-Policy", "Retry-After"];

/** Returns the facts in the headers of an HTTP answer, by the names of `_meta`. */
function headerFacts({ headers }: HttpAnswer): Record<string, string> {
  return Object.fromEntries(FACTS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  }));
}

/** Returns the `_meta` of a tool result. Its request id must be that of the HTTP answer. */
function metaFacts({ headers, body }: HttpAnswer): Record<string, string> {
  const { "Request-Id": request_id, ...facts } = body.result._meta;
  assert.equal(request_id, headers.get("request-id"));
  return facts;
}

oneEngineTest("_meta contains the same facts as the headers of HTTP", async ({ db, sql }) => {
  const world = await createWorld(sql);
  const { keys } = world;
  const fixed = new Date(Date.now() + 60_000);
  await withApp(db, async ({ app, ask, search }) => {
    const call = (name: string, args: object, key: string) =>
      rpc(app, toolCall(name, args), { key });
    const query = { query: "freezer warehouse", limit: 2 };
    const first = await call("search_companies", { ...query, request_key: "k" }, keys.builder);
    const retry = await call("search_companies", { ...query, request_key: "k" }, keys.builder);
    const overHttp = await search(query, { key: keys.builder, request_key: "k" });
    const facts = headerFacts(overHttp);
    assert.deepEqual(metaFacts(retry), facts);
    assert.equal(facts["Idempotency-Replayed"], "true");
    assert.equal(facts["RateLimit-Policy"], '"window";q=120;w=3600, "week";q=2000;w=604800');
    assert.match(facts["RateLimit"]!, /^"window";r=119;t=\d+, "week";r=1999;t=\d+$/);
    // Only this fact differs in the first answer.
    const { "Idempotency-Replayed": _, ...rest } = facts;
    assert.deepEqual(metaFacts(first), rest);

    for (const key of [keys.without_requests, keys.without_deliveries]) {
      const refused = await call("search_companies", { ...query, request_key: "r" }, key);
      const refusedOverHttp = await search(query, { key, request_key: "r" });
      assert.equal(refusedOverHttp.status, 429);
      assert.deepEqual(metaFacts(refused), headerFacts(refusedOverHttp));
      const { "Retry-After": seconds, RateLimit } = metaFacts(refused);
      assert.equal(
        seconds,
        String(refused.body.result.structuredContent.error.retry_after_seconds),
      );
      assert.ok(RateLimit);
    }
    const conflict = { ...query, limit: 3 };
    assert.deepEqual(
      metaFacts(await call("search_companies", { ...conflict, request_key: "k" }, keys.builder)),
      headerFacts(await search(conflict, { key: keys.builder, request_key: "k" })),
    );
    const { company_id: id } = world.north;
    assert.deepEqual(
      metaFacts(await call("get_company", { id }, keys.builder)),
      headerFacts(await ask(`/api/companies/${id}`, { key: keys.builder })),
    );
    assert.deepEqual(
      metaFacts(await call("get_usage", {}, keys.builder)),
      headerFacts(await ask("/api/usage", { key: keys.builder })),
    );
    // The server stops, is read-only, has a full disk, or breaks up a deadlock.
    for (const state of ["57P01", "25006", "53100", "40P01"]) {
      await using _fault = await world.fault(state);
      const unavailable = await call("get_usage", {}, keys.builder);
      assert.equal(unavailable.body.result.structuredContent.error.code, "unavailable", state);
      assert.deepEqual(metaFacts(unavailable), { "Retry-After": "1" });
    }
  }, { now: () => fixed });
});

oneEngineTest("the request key is the argument, or else the header", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await record(sql, [{}]);
  await withApp(db, async ({ app }) => {
    const usedKey = async (args: object, headers: Record<string, string>) => {
      const { body } = await rpc(app, toolCall("search_companies", { query: "hall", ...args }), {
        key,
        headers,
      });
      const { usage, error } = body.result.structuredContent;
      return usage?.request_key ?? error.code;
    };
    const header = { "idempotency-key": "of the header" };
    assert.equal(await usedKey({ request_key: "of the argument" }, {}), "of the argument");
    assert.equal(await usedKey({}, header), "of the header");
    assert.equal(await usedKey({ request_key: "the winner" }, header), "the winner");
    const twoHeaders = { "idempotency-key": "one, two" };
    assert.equal(await usedKey({}, twoHeaders), "invalid_search");
    assert.equal(await usedKey({ request_key: "the only one" }, twoHeaders), "the only one");
    assert.equal(await usedKey({}, {}), "invalid_search");
    assert.equal(await usedKey({ request_key: "k".repeat(256) }, header), "invalid_search");
    const diagnostic = (args: object, headers: Record<string, string>) =>
      rpc(app, toolCall("diagnostic", args), { key, headers });
    const { structuredContent } = (await diagnostic({}, { "idempotency-key": "d" })).body.result;
    assert.equal(structuredContent.usage.request_key, "d");
    const refused = (await diagnostic({ request_key: "d" }, {})).body.result.structuredContent;
    assert.equal(refused.error.code, "invalid_search");
  });
});

oneEngineTest("a call is judged only by its arguments, not by other members", async (t) => {
  const { db, sql } = t;
  const world = await createWorld(sql);
  const key = world.keys.entitled;
  await withApp(db, async ({ app }) => {
    const code = async (params: object) => {
      const { body } = await rpc(app, request("tools/call", params), { key });
      return errorCode(body.result.structuredContent) ?? "answered";
    };
    for (const args of [[], [1], "ids", 5, true]) {
      assert.equal(await code({ name: "get_usage", arguments: args }), "invalid_search");
      assert.equal(await code({ name: "get_companies", arguments: args }), "invalid_lookup");
    }
    assert.equal(await code({ name: "get_usage", arguments: null }), "answered");
    // `task` asks for a task of revision 2025-11-25. The service has no such tasks and ignores it.
    assert.equal(await code({ name: "get_usage", task: { ttl: 1000 } }), "answered");
    const { args } = goodCall(world, "get_companies");
    assert.equal(
      await code({ name: "get_companies", arguments: { ...args, domains: [] } }),
      "answered",
    );
    assert.equal(
      await code({ name: "get_companies", arguments: { ...args, ids: [] } }),
      "invalid_lookup",
    );
  });
});

oneEngineTest("the log line of a call names only its tool", async ({ db, sql }) => {
  const world = await createWorld(sql);
  const lines: string[] = [];
  const app = createApp({
    db,
    log: createLog("info", (line) => void lines.push(line)),
    settings: readSettings({ WORKERS: "0" }),
  });
  await app.start();
  try {
    const key = world.keys.entitled;
    const args = { query: "confidential freezer", request_key: "confidential key" };
    for (const name of TOOL_NAMES) {
      await rpc(app, toolCall(name, goodCall(world, name).args), { key });
      await rpc(app, toolCall(name, { ...args, confidential: "argument" }), { key });
    }
    await rpc(app, toolCall("search_companies", args), {
      key,
      headers: { "idempotency-key": "confidential header" },
    });
    const { tool, method, status, route } = requestLines(lines).at(-1)!;
    assert.deepEqual({ method, route, tool, status }, {
      method: "POST",
      route: "/mcp",
      tool: "search_companies",
      status: 200,
    });
    await rpc(app, toolCall("confidential_tool", args), { key });
    await rpc(app, request("confidential/method"), { key });
    await rpc(app, "{confidential", { key });
    await rpc(app, toolCall("get_usage", {}), { headers: { authorization: "confidential" } });
  } finally {
    await app.close();
  }
  const requests = requestLines(lines);
  assert.deepEqual(
    requests.map(({ tool }) => tool),
    [...TOOL_NAMES.flatMap((name) => [name, name]), "search_companies"]
      .concat(Array(4).fill(undefined)),
  );
  for (const { route, request_id } of requests) {
    assert.equal(route, "/mcp");
    assert.match(request_id, /^[0-9a-f-]{36}$/);
  }
  const text = lines.join("");
  for (const secret of ["confidential", "freezer", "North", ...Object.values(world.keys)]) {
    assert.ok(!text.includes(secret), `${secret} in ${text}`);
  }
});

function requestLines(lines: string[]) {
  return lines.map((line) => JSON.parse(line)).filter(({ message }) => message === "request");
}
