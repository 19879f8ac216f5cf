/** The listed tools, and calls that check their schemas. */
import assert from "node:assert/strict";
import type { Tool } from "@modelcontextprotocol/sdk/types";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

import { setPlan, setSubscription } from "../../src/accounts/account.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { goodCall, listTools, request, rpc, TOOL_NAMES, toolCall } from "../support/mcp.ts";
import { createWorld } from "../support/world.ts";

type Schema = Record<string, unknown> & { properties?: Record<string, Schema> };

const METERED = [
  "search_companies",
  "get_companies",
  "search_observations",
  "create_usage",
  "diagnostic",
];
const WITH_KEY = ["search_companies", "get_companies", "search_observations", "create_usage"];
const SEARCHES = ["search_companies", "search_observations", "create_usage"];

/** Arguments of each tool. */
const ARGUMENTS: Record<string, { required: string[]; optional: string[] }> = {
  search_companies: {
    required: ["query", "request_key"],
    optional: ["limit", "background", "filters", "cursor"],
  },
  get_companies: { required: ["request_key"], optional: ["ids", "domains"] },
  get_company: { required: ["id"], optional: [] },
  search_observations: {
    required: ["query", "request_key"],
    optional: ["filters", "limit", "cursor"],
  },
  get_observation: { required: ["id"], optional: [] },
  create_usage: { required: ["query", "request_key"], optional: ["filters", "limit", "cursor"] },
  get_usage: { required: [], optional: ["id"] },
  diagnostic: { required: [], optional: [] },
};

const OBSERVATION_FILTERS = [
  "countries",
  "demand_classes",
  "kinds",
  "observed_after",
  "occurred_after",
];
const COMPANY_FILTERS = ["company_ids", "domains", "exclude_company_ids", "exclude_domains"];

oneEngineTest("tools/list shows exactly the tools of the specification", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    const { status, body } = await rpc(app, request("tools/list"), { key });
    assert.deepEqual([status, Object.keys(body.result)], [200, ["tools"]]);
    const tools: Tool[] = body.result.tools;
    assert.deepEqual(tools.map(({ name }) => name), TOOL_NAMES);
    for (const tool of tools) {
      checkArguments(tool);
      checkWords(tool);
      assert.deepEqual(
        tool.annotations,
        tool.name === "create_usage"
          ? {
            readOnlyHint: false,
            destructiveHint: false,
            idempotentHint: true,
            openWorldHint: false,
          }
          : { readOnlyHint: true, openWorldHint: false },
        tool.name,
      );
    }
  });
  await withApp(db, async ({ app }) => {
    const tools = await listTools(app, key);
    const core = ["search_companies", "get_companies", "get_usage"];
    assert.deepEqual(tools.map(({ name }) => name), core);
  }, { env: { MCP_TOOLS: "core" } });
});

function checkArguments({ name, inputSchema }: Tool): void {
  const { type, properties = {}, required = [], additionalProperties } = inputSchema as Schema;
  const { required: needed, optional } = ARGUMENTS[name]!;
  assert.deepEqual([type, required, additionalProperties], ["object", needed, false], name);
  assert.deepEqual(Object.keys(properties).sort(), [...needed, ...optional].sort(), name);
  const filters = Object.keys(properties.filters?.properties ?? {}).sort();
  const expected = name === "search_companies"
    ? [...OBSERVATION_FILTERS, ...COMPANY_FILTERS].sort()
    : optional.includes("filters")
    ? OBSERVATION_FILTERS
    : [];
  assert.deepEqual(filters, expected, name);
}

/** Checks that a tool has a short title, and that its description names its cost and its key. */
function checkWords({ name, title, description }: Tool): void {
  assert.ok(title && title.length <= 40, name);
  assert.match(description!, METERED.includes(name) ? /Costs 1 request unit/ : /Costs nothing/);
  if (WITH_KEY.includes(name)) assert.match(description!, /request_key/, name);
  if (name === "diagnostic") {
    assert.match(description!, /^Takes its key from the Idempotency-Key header alone/);
  }
  if (!METERED.includes(name)) assert.match(description!, /takes no request_key/, name);
}

/** Tools whose results can be longer than clients allow by default. */
const LARGE = "search_companies|get_companies|search_observations|create_usage|get_usage";

oneEngineTest(
  "tools/list is small, and marks the tools with large results",
  async ({ db, sql }) => {
    // A lookup has up to 20 companies, also if the pages of a plan are smaller.
    const cases = [["full", 24_000, 50, 300_000], ["core", 9_000, 5, 120_000]] as const;
    for (const [MCP_TOOLS, max, page_limit, characters] of cases) {
      const { key } = await createCaller(sql, { terms: { page_limit } });
      await withApp(db, async ({ app }) => {
        const { body } = await rpc(app, request("tools/list"), { key });
        const { length } = JSON.stringify(body.result);
        assert.ok(length <= max, `${MCP_TOOLS}: ${length} characters`);
        for (const { name, description, _meta } of body.result.tools as Tool[]) {
          assert.ok(description!.length < 1_500, `${name}: ${description!.length} characters`);
          assert.deepEqual(
            _meta,
            LARGE.split("|").includes(name)
              ? { "anthropic/maxResultSizeChars": characters }
              : undefined,
            name,
          );
        }
      }, { env: { MCP_TOOLS } });
    }
  },
);

oneEngineTest("tool schemas are valid JSON Schema 2020-12", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    for (const { name, inputSchema, outputSchema } of await listTools(app, key)) {
      for (const schema of [inputSchema, outputSchema!]) {
        // An unknown keyword or format, or a broken reference, throws in strict mode. Alternatives
        // may require members that are described outside of them.
        const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false });
        formats.default(ajv);
        assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`);
        const validate = ajv.compile(schema);
        assert.equal(schema.type, "object", name);
        assert.equal(validate([]), false, name);
      }
      // The schemas name no dialect, so that clients of another draft accept them as well.
      assert.deepEqual([inputSchema.$schema, outputSchema!.$schema], [undefined, undefined]);
      assert.equal(JSON.stringify(inputSchema).includes("$ref"), false, name);
    }
  });
});

oneEngineTest("tools/list shows the page size of the caller's plan", async ({ db, sql }) => {
  const builder = await createCaller(sql);
  const professional = await createCaller(sql, { plan: "professional" });
  await withApp(db, async ({ app }) => {
    const limits = async (key: string) => {
      const tools = await listTools(app, key);
      return tools.flatMap(({ inputSchema }) => {
        const { limit } = (inputSchema as Schema).properties ?? {};
        const isRequired = inputSchema.required?.includes("limit");
        return limit ? [[limit.minimum, isRequired ? null : limit.default, limit.maximum]] : [];
      });
    };
    // If a plan allows less than the default, callers have to give a limit.
    const each = (maximum: number) => SEARCHES.map(() => [1, maximum < 10 ? null : 10, maximum]);
    assert.deepEqual(await limits(builder.key), each(25));
    assert.deepEqual(await limits(professional.key), each(50));
    await setPlan(sql, "builder", { page_limit: 10 });
    assert.deepEqual(await limits(builder.key), each(10));
    await setPlan(sql, "builder", { page_limit: 7 });
    assert.deepEqual(await limits(builder.key), each(7));
    assert.deepEqual(await limits(professional.key), each(50));
    await setSubscription(sql, { account_id: professional.account_id, plan: "builder" });
    assert.deepEqual(await limits(professional.key), each(7));
    const over = await rpc(
      app,
      toolCall("search_companies", { query: "q", limit: 8, request_key: "k" }),
      { key: builder.key },
    );
    assert.equal(over.body.result.structuredContent.error.code, "result_limit_reached");
  });
});

/** Faulty arguments that are added to a good call, the error code, and the field in the message. */
const REFUSED: Record<string, [object, string, string][]> = {
  search_companies: [
    [{ surplus: 1 }, "invalid_search", "surplus"],
    [{ filters: { cities: [] } }, "invalid_search", "filters.cities"],
    [{ filters: { kinds: ["funding_round"] } }, "invalid_search", "filters.kinds[0]"],
    [{ background: 1 }, "invalid_search", "background"],
    [{ request_key: "é" }, "invalid_search", "request_key"],
    [{ request_key: "blank " }, "invalid_search", "request_key"],
    [JSON.parse('{"__proto__": {"limit": 1}}'), "invalid_search", "__proto__"],
  ],
  search_observations: [
    [{ filters: { company_ids: [1] } }, "invalid_search", "filters.company_ids"],
    [{ filters: { exclude_company_ids: [1] } }, "invalid_search", "filters.exclude_company_ids"],
    [{ filters: { domains: ["a.example"] } }, "invalid_search", "filters.domains"],
    [{ filters: { exclude_domains: [] } }, "invalid_search", "filters.exclude_domains"],
    [{ background: true }, "invalid_search", "background"],
    [{ background: false }, "invalid_search", "background"],
    [{ query: 5 }, "invalid_search", "query"],
    [{ limit: 0 }, "invalid_search", "limit"],
  ],
  get_companies: [
    [{ surplus: 1 }, "invalid_lookup", "surplus"],
    [{ domains: ["north.example"] }, "invalid_lookup", "ids"],
    [{ ids: ["1"] }, "invalid_lookup", "ids[0]"],
    [JSON.parse('{"__proto__": {"ids": [1]}}'), "invalid_lookup", "__proto__"],
  ],
  get_company: [
    [{ surplus: 1 }, "invalid_lookup", "surplus"],
    [{ id: 0 }, "invalid_lookup", "id"],
    [{ id: "1" }, "invalid_lookup", "id"],
    [JSON.parse('{"__proto__": 1}'), "invalid_lookup", "__proto__"],
  ],
  get_observation: [
    [{ request_key: "k" }, "invalid_search", "request_key"],
    [{ id: 1.5 }, "invalid_search", "id"],
  ],
  get_usage: [
    [{ surplus: 1 }, "invalid_search", "surplus"],
    [{ id: null }, "invalid_search", "id"],
    [{ id: "1" }, "invalid_search", "id"],
  ],
  diagnostic: [[{ surplus: 1 }, "invalid_search", "surplus"]],
};
REFUSED.create_usage = REFUSED.search_observations!;

oneEngineTest("arguments outside a tool's schema are refused by name", async ({ db, sql }) => {
  const world = await createWorld(sql);
  const key = world.keys.entitled;
  await withApp(db, async ({ app }) => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const tools = new Map((await listTools(app, key)).map((tool) => [tool.name, tool]));
    const before = await world.countOperations();
    for (const name of TOOL_NAMES) {
      for (const [faulty, code, field] of REFUSED[name]!) {
        const { args, headers } = goodCall(world, name);
        const both = { ...args, ...faulty };
        const claim = `${name} ${JSON.stringify(both)}`;
        const { body } = await rpc(app, toolCall(name, both), { key, headers });
        const { isError, structuredContent: { error } } = body.result;
        assert.deepEqual([isError, error?.code], [true, code], claim);
        assert.ok(error.message.includes(field), `${claim}: ${error.message}`);
        // The schema does not state that ids and domains exclude each other, because simple clients
        // do not understand such a rule.
        if (field === "ids" && "domains" in faulty) continue;
        assert.equal(ajv.validate(tools.get(name)!.inputSchema, both), false, claim);
      }
    }
    assert.equal(await world.countOperations(), before);
  });
});
