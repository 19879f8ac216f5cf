/** Calls the service with the client of the SDK. */
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { App } from "../../src/app.ts";
import { drain } from "../../src/operations/worker.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { contentOf, goodCall, TOOL_NAMES, type ToolName } from "../support/mcp.ts";
import { assertSettled } from "../support/operations.ts";
import { createWorld } from "../support/world.ts";

interface Connection extends AsyncDisposable {
  client: Client;
  /**
   * Calls a tool. The client has to accept the result, whose text and structure have to be equal.
   */
  call(name: string, args: object): Promise<Result>;
}

interface Result {
  isError: boolean;
  // deno-lint-ignore no-explicit-any -- each test expects another body
  body: any;
  meta: Record<string, string>;
}

interface ConnectOptions {
  key: string;
  headers?: Record<string, string>;
  /** Changes results before the client receives them. */
  tamper?: (body: Record<string, unknown>) => void;
}

/** Initializes a client and lists the tools. The client checks results by their schemas. */
async function connect(
  { fetch }: Pick<App, "fetch">,
  { key, headers = {}, tamper }: ConnectOptions,
): Promise<Connection> {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
    requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
    async fetch(url, init) {
      const response = await fetch(new Request(url, init));
      return tamper === undefined ? response : await tampered(response, tamper);
    },
  });
  await client.connect(transport);
  await client.listTools();
  return {
    client,
    async call(name, args) {
      const result = await client.callTool({ name, arguments: { ...args } });
      const { content, structuredContent: body, isError = false, _meta } = result;
      assert.deepEqual(content, contentOf(body));
      return { isError: isError === true, body, meta: _meta as Record<string, string> };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function tampered(
  response: Response,
  tamper: NonNullable<ConnectOptions["tamper"]>,
): Promise<Response> {
  if (response.status !== 200) return response;
  const message = await response.json();
  const { structuredContent } = message.result;
  if (structuredContent) tamper(structuredContent);
  return Response.json(message);
}

/** A member by which the result of each tool is recognized. */
const MEMBER: Record<ToolName, string> = {
  search_companies: "companies",
  get_companies: "lookups",
  get_company: "company",
  search_observations: "observations",
  get_observation: "observation",
  create_usage: "usage",
  get_usage: "reservations",
  diagnostic: "limits",
};

oneEngineTest("the SDK's client initializes, pings, lists and calls every tool", async (t) => {
  const { db, sql } = t;
  const world = await createWorld(sql);
  const key = world.keys.entitled;
  await withApp(db, async ({ app }) => {
    await using connection = await connect(app, { key });
    const { client, call } = connection;
    assert.deepEqual(client.getServerVersion(), {
      name: "company-evidence",
      title: "Company evidence service",
      version: "1.0.0",
    });
    assert.deepEqual(client.getServerCapabilities(), { tools: {} });
    assert.ok(client.getInstructions());
    assert.deepEqual(await client.ping(), {});
    const { tools, nextCursor } = await client.listTools();
    assert.deepEqual([tools.map(({ name }) => name), nextCursor], [TOOL_NAMES, undefined]);
    for (const name of TOOL_NAMES) {
      const { args, headers } = goodCall(world, name);
      await using withHeaders = await connect(app, { key, headers });
      const good = await withHeaders.call(name, args);
      assert.deepEqual([good.isError, MEMBER[name] in good.body], [false, true], name);
      const bad = await call(name, { surplus: 1 });
      assert.deepEqual([bad.isError, Object.keys(bad.body)], [true, ["error"]], name);
      assert.match(bad.body.error.code, /^invalid_(search|lookup)$/, name);
    }
    await assert.rejects(call("no_such_tool", {}), { code: -32602 });
    await assert.rejects(client.listTools({ cursor: "c" }), { code: -32602 });
    await assert.rejects(client.listResources(), { code: -32601 });
    while (await drain(app.context, app.actions.metered) > 0);
  });
  await assertSettled(sql);
});

oneEngineTest("the SDK's client is refused with a revoked key or lapsed plan", async (t) => {
  const { db, sql } = t;
  const { keys } = await createWorld(sql);
  await withApp(db, async ({ app }) => {
    await assert.rejects(connect(app, { key: keys.revoked }), /invalid_api_key|Unauthorized/);
    await using lapsed = await connect(app, { key: keys.lapsed });
    const { isError, body } = await lapsed.call("get_usage", {});
    assert.deepEqual([isError, body.error.code], [true, "subscription_required"]);
  }, { env: { MCP_TOOLS: "core" } });
});

oneEngineTest("the SDK's client refuses results outside the output schema", async ({ db, sql }) => {
  const world = await createWorld(sql);
  const key = world.keys.entitled;
  const TAMPERS: ((body: Record<string, unknown>) => void)[] = [
    (body) => body.surplus = 1,
    (body) => delete body[Object.keys(body)[0]!],
    (body) => body.error = "no object",
  ];
  await withApp(db, async ({ app }) => {
    for (const name of TOOL_NAMES) {
      const { args, headers } = goodCall(world, name);
      let tamper = TAMPERS[0]!;
      await using forged = await connect(app, { key, headers, tamper: (body) => tamper(body) });
      const refused = /does not match the tool's output schema/;
      for (tamper of TAMPERS) {
        await assert.rejects(forged.call(name, args), refused, `${name}: ${tamper}`);
        // The client also refuses a changed result of a failed call.
        await assert.rejects(forged.call(name, { surplus: 1 }), refused, `${name}: ${tamper}`);
      }
    }
  });
});

oneEngineTest("the SDK's client queues, polls and repeats one operation", async ({ db, sql }) => {
  const world = await createWorld(sql);
  const key = world.keys.entitled;
  await withApp(db, async ({ app, ask, search }) => {
    await using connection = await connect(app, { key });
    const { call } = connection;
    const query = { query: "freezer warehouse" };
    const queued = [
      await call("search_companies", { ...query, background: true, request_key: "one" }),
      await call("create_usage", { ...query, request_key: "two" }),
    ];
    for (const { isError, body } of queued) {
      assert.deepEqual(
        [isError, body.usage.status, body.usage.request_units, Object.keys(body)],
        [false, "pending", 0, ["usage", "request_allowance"]],
      );
      const poll = await call("get_usage", { id: body.usage.id });
      assert.deepEqual(poll.body.usage, body.usage);
    }
    while (await drain(app.context, app.actions.metered) > 0);
    const [one, two] = await Promise.all(
      queued.map(({ body }) => call("get_usage", { id: body.usage.id })),
    );
    assert.deepEqual([one!.body.usage.status, one!.body.companies.length], ["delivered", 3]);
    assert.deepEqual([two!.body.usage.status, two!.body.delivery_unit], [
      "delivered",
      "observation",
    ]);
    // A repeated request key returns the stored operation, by MCP as well as over HTTP.
    const again = await call("search_companies", { ...query, request_key: "one" });
    assert.deepEqual([again.body, again.meta["Idempotency-Replayed"]], [one!.body, "true"]);
    const observations = await call("search_observations", { ...query, request_key: "two" });
    assert.deepEqual(observations.body, two!.body);
    const overHttp = await search(query, { key, request_key: "one" });
    assert.equal(JSON.stringify(overHttp.body), JSON.stringify(one!.body));
    const polled = await ask(`/api/usages/${two!.body.usage.id}`, { key });
    assert.equal(JSON.stringify(polled.body), JSON.stringify(two!.body));
    const conflict = await call("search_companies", { query: "other", request_key: "one" });
    assert.deepEqual([conflict.isError, conflict.body.error.code], [true, "idempotency_conflict"]);
    await using foreign = await connect(app, { key: world.keys.trialing });
    const theirs = await foreign.call("get_usage", { id: one!.body.usage.id });
    assert.deepEqual([theirs.isError, theirs.body.error.code], [true, "usage_not_found"]);
    const { body: report } = await call("get_usage", {});
    assert.equal(report.usage.request_units, 2);
  });
  await assertSettled(sql);
});

oneEngineTest("the SDK's client follows the cursors until the last page", async ({ db, sql }) => {
  const world = await createWorld(sql);
  const key = world.keys.entitled;
  await withApp(db, async ({ app }) => {
    await using connection = await connect(app, { key });
    const { call } = connection;
    const idsOf = (body: Result["body"]): number[] =>
      (body.companies ?? body.observations).map(({ id }: { id: number }) => id);
    for (const name of ["search_companies", "search_observations"]) {
      const query = { query: "freezer warehouse" };
      const whole = await call(name, { ...query, limit: 25, request_key: world.newKey() });
      const ids: number[] = [];
      let pages = 0;
      let cursor: string | null = null;
      do {
        const args: object = { ...query, limit: 1, cursor, request_key: world.newKey() };
        const { isError, body } = await call(name, args);
        assert.equal(isError, false);
        ids.push(...idsOf(body));
        cursor = body.next_cursor;
        pages++;
      } while (cursor !== null);
      assert.deepEqual([ids, pages], [idsOf(whole.body), 3], name);
      const foreign = { query: "another question", limit: 1, cursor: "c".repeat(32) };
      const { body } = await call(name, { ...foreign, request_key: world.newKey() });
      assert.equal(body.error.code, "invalid_cursor", name);
    }
  });
});
