/** The MCP door under generated messages: every answer is one of the protocol and its tool. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Sql } from "../../src/db/connect.ts";
import type { Handler } from "../../src/http/handler.ts";
import { drain } from "../../src/operations/worker.ts";
import { standingClock, withApp } from "../support/app.ts";
import { type DatabaseCase, embeddedTest, serverTest } from "../support/database.ts";
import { listTools, TOOL_NAMES } from "../support/mcp.ts";
import { assertSettled } from "../support/operations.ts";
import { createWorld } from "../support/world.ts";
import { assertOwn, collectKnown, type Known } from "./known.ts";
import { McpJudge, type McpJudgement } from "./mcp_answers.ts";
import { type FuzzMessage, mcpMessages, show } from "./mcp_messages.ts";
import { runs } from "./runs.ts";
import { assertCharged, assertInnocent, readStored, type Stored, watchedLog } from "./watch.ts";

const CLAIM = "whatever is sent to /mcp, the answer is the protocol's and costs what it says";

embeddedTest(CLAIM, (t) => fuzz(t, runs(700), REACHED));
serverTest(CLAIM, (t) => fuzz(t, runs(100), []));

/** Kinds of answers that the generators have to reach. */
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
  "200 -32601",
  "200 -32602",
  "400 -32600",
  "400 -32700",
  "http 202",
  "http 401 invalid_api_key",
  "http 403 forbidden_origin",
  "http 405 method_not_allowed",
  "http 415 unsupported_media_type",
];

async function fuzz({ db, sql }: DatabaseCase, numRuns: number, reached: string[]): Promise<void> {
  const world = await createWorld(sql);
  const { log, lines } = watchedLog();
  await withApp(db, async ({ app }) => {
    const document = await (await app.fetch(new Request("http://127.0.0.1/openapi.json"))).json();
    const tools = await listTools(app, world.keys.entitled);
    const known = await collectKnown(app.fetch, world);
    const property = new Property(app.fetch, sql, {
      judge: new McpJudge(tools, document),
      known,
    });
    await fc.assert(
      fc.asyncProperty(mcpMessages(tools, known), (message) => property.check(message)),
      { numRuns, endOnFailure: true },
    );
    property.assertReached(reached);
    while (await drain(app.context, app.actions.metered, 50) > 0);
  }, { log, now: standingClock() });
  assertInnocent(lines);
  await assertSettled(sql);
}

interface Answered extends McpJudgement {
  status: number;
  text: string;
}

const METERED = new Set([
  "search_companies",
  "get_companies",
  "search_observations",
  "create_usage",
  "diagnostic",
]);

class Property {
  readonly #fetch: Handler;
  readonly #sql: Sql;
  readonly #known: Known;
  readonly #judge: McpJudge;
  readonly #seen = new Set<string>();
  #stored: Stored | undefined;
  #asked = 0;

  constructor(fetch: Handler, sql: Sql, { judge, known }: { judge: McpJudge; known: Known }) {
    this.#fetch = fetch;
    this.#sql = sql;
    this.#known = known;
    this.#judge = judge;
  }

  async check(message: FuzzMessage): Promise<void> {
    const claim = show(message);
    const before = this.#stored ?? await readStored(this.#sql);
    const first = await this.#ask(message);
    assert.deepEqual(first.faults, [], `${claim}: ${first.status} ${first.text.slice(0, 600)}`);
    const after = this.#stored = await readStored(this.#sql);
    assertCharged(before, after, chargedOf(first), claim);
    if (first.structured?.error === undefined) {
      const text = new TextDecoder().decode(message.body?.bytes);
      const { usage } = first.structured ?? {};
      assertOwn(this.#known, { ...message, text, usage }, claim);
    }
    if (message.clean) assert.doesNotMatch(first.kind, /invalid_|-32/, `${claim}: ${first.text}`);
    this.#seen.add(first.kind);
    if (this.#asked++ % 3 !== 0) return;
    const again = await this.#ask(message);
    assert.deepEqual(bodyOf(again), bodyOf(first), `${claim}: again`);
    assert.deepEqual(await readStored(this.#sql), after, `${claim}: charged again`);
  }

  assertReached(kinds: string[]): void {
    const missing = kinds.filter((kind) => !this.#seen.has(kind));
    assert.deepEqual(missing, [], [...this.#seen].sort().join("\n"));
  }

  async #ask({ method, headers, body }: FuzzMessage): Promise<Answered> {
    const all = new Headers();
    for (const [name, value] of headers) all.append(name, value);
    const init = { method, headers: all, body: body?.bytes };
    const response = await this.#fetch(new Request("http://127.0.0.1/mcp", init));
    const text = await response.text();
    const { status } = response;
    const answer = { status, headers: response.headers, text };
    return { ...this.#judge.judge(answer, messageOf(body?.bytes)), status, text };
  }
}

function chargedOf({ kind, structured, replayed = false }: Answered) {
  const [tool, outcome] = kind.split(" ");
  const pending = ["pending", "processing"].includes(structured?.usage?.status);
  return {
    status: outcome !== "result" ? 422 : pending ? 202 : 200,
    metered: METERED.has(tool!),
    replayed,
    usage: structured?.usage,
  };
}

/** The answer without what may differ between two: its request id, and whether it is a replay. */
function bodyOf({ status, text, structured }: Answered): unknown {
  if (structured === undefined) return [status, text];
  return [status, structured];
}

function messageOf(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
