/** Sends generated messages to the MCP door. Every answer has to conform to protocol and tool. */
import assert from "node:assert/strict";
import type { Handler } from "../../src/http/handler.ts";
import { embeddedTest, serverTest } from "../support/database.ts";
import { listTools, TOOL_NAMES } from "../support/mcp.ts";
import { McpJudge, type McpJudgement } from "./mcp_answers.ts";
import { type FuzzMessage, mcpMessages, show } from "./mcp_messages.ts";
import { type Door, fuzzDoor, type Judged, type Session } from "./property.ts";
import { runs } from "./runs.ts";

const CLAIM = "every answer of /mcp conforms to the protocol, including its charge";

embeddedTest(CLAIM, (t) => fuzzDoor(t, { numRuns: runs(700), reached: REACHED }, openDoor));
serverTest(CLAIM, (t) => fuzzDoor(t, { numRuns: runs(100), reached: [] }, openDoor));

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

const METERED = new Set([
  "search_companies",
  "get_companies",
  "search_observations",
  "create_usage",
  "diagnostic",
]);

type JudgedAnswer = McpJudgement & Judged;

async function openDoor(session: Session): Promise<Door<FuzzMessage, JudgedAnswer>> {
  const { app, fetch, document, keys, known } = session;
  const tools = await listTools(app, keys.entitled);
  const judge = new McpJudge(tools, document);
  return {
    requests: mcpMessages(tools, known),
    show,
    ask: (message) => ask(fetch, judge, message),
    check() {},
    checkRetry(again, first, claim) {
      assert.deepEqual(bodyOf(again), bodyOf(first), claim);
    },
    invalid: /invalid_|-32/,
  };
}

async function ask(
  fetch: Handler,
  judge: McpJudge,
  { method, headers, body }: FuzzMessage,
): Promise<JudgedAnswer> {
  const all = new Headers();
  for (const [name, value] of headers) all.append(name, value);
  const init = { method, headers: all, body: body?.bytes };
  const response = await fetch(new Request("http://127.0.0.1/mcp", init));
  const text = await response.text();
  const { status } = response;
  const answer = { status, headers: response.headers, text };
  const judged = judge.judge(answer, messageOf(body?.bytes));
  const { structured } = judged;
  return {
    ...judged,
    status,
    text,
    charged: chargedOf(judged),
    usage: structured?.usage,
    accepted: structured?.error === undefined,
  };
}

function chargedOf({ kind, structured, replayed = false }: McpJudgement): JudgedAnswer["charged"] {
  const [tool, outcome] = kind.split(" ");
  const pending = ["pending", "processing"].includes(structured?.usage?.status);
  return {
    status: outcome !== "result" ? 422 : pending ? 202 : 200,
    metered: METERED.has(tool!),
    replayed,
  };
}

/** Returns the parts of an answer that a retry repeats: not its request id and its replay mark. */
function bodyOf({ status, text, structured }: JudgedAnswer): unknown {
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
