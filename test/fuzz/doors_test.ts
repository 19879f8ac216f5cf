/** Sends generated calls through both doors. Equal inputs have to get equal answers. */
import fc from "fast-check";
import { everyDoor } from "../contract/every_door.ts";
import { createHttpDoor } from "../contract/http_door.ts";
import { createMcpDoor } from "../contract/mcp_door.ts";
import { drain } from "../../src/operations/worker.ts";
import { withApp } from "../support/app.ts";
import type { Call } from "../support/calls.ts";
import { oneEngineTest } from "../support/database.ts";
import { listTools } from "../support/mcp.ts";
import { assertSettled } from "../support/operations.ts";
import { createWorld } from "../support/world.ts";
import { Members, printJson } from "./json_text.ts";
import { collectKnown, hintsOf, type Known } from "./known.ts";
import { runs } from "./runs.ts";
import { type Schema, SchemaValues } from "./schema_values.ts";
import { assertInnocent, watchedLog } from "./watch.ts";

oneEngineTest("both doors give equal answers to any inputs", async ({ db, sql }) => {
  const world = await createWorld(sql);
  const { log, lines } = watchedLog();
  await withApp(db, async ({ app }) => {
    const document = await (await app.fetch(new Request("http://127.0.0.1/openapi.json"))).json();
    const key = world.keys.entitled;
    const http = createHttpDoor({ fetch: app.fetch, document });
    const ask = everyDoor(http.door, await createMcpDoor({ fetch: app.fetch, key }));
    const known = await collectKnown(app.fetch, world);
    const check = async (call: Call) => void await ask(call);
    await fc.assert(
      fc.asyncProperty(await calls(app, known), (call) => check(call)),
      { numRuns: runs(150), endOnFailure: true },
    );
    while (await drain(app.context, app.actions.metered) > 0);
  }, { log });
  assertInnocent(lines);
  await assertSettled(sql);
});

/** Generates calls that both doors support: those of tools that have a route. */
async function calls(
  app: Parameters<typeof listTools>[0],
  known: Known,
): Promise<fc.Arbitrary<Call>> {
  const values = new SchemaValues({
    resolve() {
      throw new Error("input schemas have no references");
    },
    hints: hintsOf(known),
  });
  const schemas = new Map(
    (await listTools(app, known.key)).map(({ name, inputSchema }) => [name, inputSchema as Schema]),
  );
  const search = values.nearly(schemas.get("search_companies")!);
  const { ids, domains } = schemas.get("get_companies")!.properties!;
  // A query string holds only texts, so only integers and texts mean the same as in JSON.
  const lookup = fc.oneof(
    values.clean(ids!, "ids").map((list) => Members.of({ ids: list })),
    values.clean(domains!, "domains").map((list) => Members.of({ domains: list })),
    fc.array(hintsOf(known).domains!.hostile!, { minLength: 1, maxLength: 22 })
      .map((list) => Members.of({ domains: list.map((one) => String(one).toWellFormed()) })),
    fc.array(fc.integer({ min: -1, max: 5 }), { minLength: 1, maxLength: 22 })
      .map((list) => Members.of({ ids: list })),
  );
  const read = fc.oneof(values.clean({ type: "integer" }, "id"), fc.integer({ min: 0, max: 9 }))
    .map((id) => Members.of({ id }));
  const request_key = fc.oneof(fc.uuid(), fc.nat(20).map((n) => `key ${n}`));
  const of = (action: Call["action"], inputs: fc.Arbitrary<unknown>) =>
    fc.record({
      action: fc.constant(action),
      inputs: inputs.map(plain),
      key: fc.constantFrom(known.key, known.key, known.key, ...known.other_keys),
      request_key,
    }).map((call): Call => METERED.includes(action) ? call : { ...call, request_key: undefined });
  return fc.oneof(
    { weight: 4, arbitrary: of("search_companies", search.map(asMembers)) },
    { weight: 3, arbitrary: of("get_companies", lookup) },
    of("get_company", read),
    of("get_observation", read),
    of("get_operation", read),
    of("get_usage", fc.constant(Members.of({}))),
  );
}

const METERED: Call["action"][] = ["search_companies", "get_companies"];

function asMembers(node: unknown): Members {
  return node instanceof Members ? node : Members.of({ query: "freezer" });
}

/**
 * Returns the parsed inputs of a node. No door runs an action for a node that the parser refuses or
 * that is nested too deeply. Such a node becomes a plain search.
 */
function plain(node: unknown): Record<string, unknown> {
  const text = printJson(node as Members);
  try {
    const { request_key: _, background: __, ...inputs } = JSON.parse(text);
    if (depthOf(text) < 20) return inputs;
  } catch {
    // The text is not valid JSON.
  }
  return { query: "freezer" };
}

/** Returns the nesting depth of brackets, including brackets in strings. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth--;
  }
  return deepest;
}
