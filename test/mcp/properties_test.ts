/** Tools called with anything: what comes back is always what their schemas tell of. */
import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { drain } from "../../src/operations/worker.ts";
import { withApp } from "../support/app.ts";
import { errorCode } from "../support/contract.ts";
import { embeddedTest } from "../support/database.ts";
import { goodCall, listTools, rpc, TOOL_NAMES, toolCall, type ToolName } from "../support/mcp.ts";
import { assertSettled } from "../support/operations.ts";
import { createWorld, type World } from "../support/world.ts";

const CALLS = 1000;

/** Values of a wrong type, out of bounds, or odd. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, "", "1", "x", 0, -1, 1.5, 1e300, 26, [], {}, [null], [1]),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);

/** Right, beside what is taken for right elsewhere. */
const id = fc.constantFrom<unknown>(1, 2, 999_999, 2 ** 53, "1", "01", 0);

const filters = fc.record({
  countries: fc.oneof(junk, fc.constant(["CA"])),
  kinds: fc.oneof(junk, fc.constant(["procurement_request"])),
  occurred_after: fc.oneof(junk, fc.constant("2026-03-01T00:00:00Z")),
  company_ids: fc.oneof(junk, fc.array(id, { maxLength: 2 })),
  domains: fc.oneof(junk, fc.constant(["north.example"])),
  surplus: junk,
}, { requiredKeys: [] });

const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  query: fc.oneof(junk, fc.constantFrom("freezer", "x".repeat(501), "\u{1f9ca}".repeat(500))),
  filters: fc.oneof(junk, filters),
  limit: fc.oneof(junk, fc.constantFrom(1, 25, 26, 1000)),
  cursor: fc.oneof(junk, fc.constantFrom("", "c".repeat(32))),
  background: fc.oneof(junk, fc.boolean()),
  ids: fc.oneof(junk, fc.array(id, { maxLength: 2 })),
  domains: fc.oneof(junk, fc.constant([" SHARED.example. "])),
  id: fc.oneof(junk, id, id),
  request_key: fc.oneof(junk, fc.constantFrom("k".repeat(256), "\u00e9")),
  surplus: junk,
};

const SEARCH = ["query", "filters", "limit", "cursor", "request_key", "background", "surplus"];

/** What a tool takes, and something that it does not. */
const TAKEN: Record<ToolName, string[]> = {
  search_companies: SEARCH,
  get_companies: ["ids", "domains", "request_key", "surplus"],
  get_company: ["id", "request_key"],
  search_observations: SEARCH,
  get_observation: ["id", "surplus"],
  create_usage: SEARCH,
  get_usage: ["id", "surplus"],
  diagnostic: ["request_key", "surplus"],
};

interface Generated {
  name: ToolName;
  /** Over the arguments of a good call, or alone. */
  other: Record<string, unknown>;
  alone: boolean;
}

/** Up to two arguments off, so that most calls are judged by one of them. */
const generated: fc.Arbitrary<Generated> = fc.constantFrom(...TOOL_NAMES).chain((name) =>
  fc.record({
    name: fc.constant(name),
    other: fc.subarray(TAKEN[name], { maxLength: 2 })
      .chain((names) => fc.record(Object.fromEntries(names.map((one) => [one, VALUES[one]!])))),
    alone: fc.nat(4).map((one) => one === 0),
  })
);

embeddedTest("whatever a tool is given, it answers what its schemas tell of", async (t) => {
  const { db, sql } = t;
  const world = await createWorld(sql);
  const key = world.keys.entitled;
  const seen = new Set<string>();
  await withApp(db, async ({ app }) => {
    const judges = judgesOf(await listTools(app, key));
    await fc.assert(
      fc.asyncProperty(generated, async (one) => {
        const { given, headers } = argumentsOf(world, one);
        const { status, body } = await rpc(app, toolCall(one.name, given), { key, headers });
        const claim = `${one.name} ${JSON.stringify(given)}: ${JSON.stringify(body)}`;
        assert.deepEqual(
          [status, Object.keys(body).sort()],
          [200, ["id", "jsonrpc", "result"]],
          claim,
        );
        const { structuredContent, isError = false } = body.result;
        const { input, output } = judges.get(one.name)!;
        assert.ok(output(structuredContent), `${claim} ${JSON.stringify(output.errors)}`);
        const code = errorCode(structuredContent);
        assert.equal(isError, code !== undefined, claim);
        assert.notEqual(code, "internal_error", claim);
        if (!input(given)) assert.ok(isError, `${claim} ${JSON.stringify(input.errors)}`);
        seen.add(`${one.name} ${code ?? "result"}`);
      }),
      { seed: 20260301, numRuns: CALLS, endOnFailure: true },
    );
    // The generator reaches what it is there for.
    assert.deepEqual(REACHED.filter((kind) => !seen.has(kind)), []);
    while (await drain(app.context, app.actions.metered, 50) > 0);
  });
  await assertSettled(sql);
});

const REACHED = [
  ...TOOL_NAMES.map((name) => `${name} result`),
  "search_companies invalid_search",
  "search_companies invalid_cursor",
  "search_companies result_limit_reached",
  "get_companies invalid_lookup",
  "get_company company_not_found",
  "get_company invalid_lookup",
  "search_observations invalid_search",
  "get_observation observation_not_found",
  "create_usage invalid_search",
  "get_usage usage_not_found",
  "get_usage invalid_search",
  "diagnostic invalid_search",
];

/** Formats are annotations in 2020-12; what the service takes for an instant is its own to say. */
function judgesOf(
  tools: Awaited<ReturnType<typeof listTools>>,
): Map<string, { input: ValidateFunction; output: ValidateFunction }> {
  const lenient = new Ajv2020({ strict: false, validateFormats: false });
  const strict = new Ajv2020({ strict: false });
  formats.default(strict);
  return new Map(tools.map(({ name, inputSchema, outputSchema }) => [name, {
    input: lenient.compile(inputSchema),
    output: strict.compile(outputSchema!),
  }]));
}

function argumentsOf(
  world: World,
  { name, other, alone }: Generated,
): { given: Record<string, unknown>; headers: Record<string, string> } {
  const { given, headers } = goodCall(world, name);
  const both = alone ? other : { ...given, ...other };
  // As it stands in JSON.
  return { given: JSON.parse(JSON.stringify(both)), headers };
}
