/** MCP messages derived from `tools/list`: valid, nearly valid and hostile. */
import type { Tool } from "@modelcontextprotocol/sdk/types";
import fc from "fast-check";
import { type JsonNode, Members, printJson, Verbatim } from "./json_text.ts";
import { hintsOf, type Known } from "./known.ts";
import { type Schema, SchemaValues } from "./schema_values.ts";
import { headerText, hostileKey, hostileName, hostileNode, hostileText } from "./values.ts";
import { bodies, type Body, headersOf } from "./wire.ts";

export interface FuzzMessage {
  method: string;
  headers: [string, string][];
  body?: Body;
  /** True if the tool's schema and the protocol allow the call, and no other reason forbids it. */
  clean: boolean;
}

/** Draws messages for the listed tools. */
export function mcpMessages(tools: Tool[], known: Known): fc.Arbitrary<FuzzMessage> {
  const cleanCalls = calls(tools, known, "clean").map(printed);
  const nearCalls = calls(tools, known, "nearly").map(printed);
  const others = fc.oneof(mutated(calls(tools, known, "nearly")), protocolMessages);
  const good = fc.uuid().map((uuid): [string, string][] => [
    ["authorization", `Bearer ${known.key}`],
    ["idempotency-key", uuid],
  ]);
  const odd = fc.oneof(good, oddHeaders(known));
  const message = (
    body: fc.Arbitrary<Body>,
    headers: fc.Arbitrary<[string, string][]>,
    clean = false,
  ) => fc.record({ method: fc.constant("POST"), headers, body, clean: fc.constant(clean) });
  return fc.oneof(
    { weight: 3, arbitrary: message(cleanCalls, good, true) },
    { weight: 5, arbitrary: message(nearCalls, good) },
    { weight: 1, arbitrary: message(nextPages(known).map(printed), good) },
    { weight: 2, arbitrary: message(others.map(printed), odd) },
    { weight: 1, arbitrary: message(bodies(calls(tools, known, "nearly")), odd) },
    {
      weight: 1,
      arbitrary: fc.record({
        method: fc.constantFrom("GET", "DELETE", "OPTIONS", "PUT", "HEAD", "PATCH", "BREW"),
        headers: odd,
        clean: fc.constant(false),
      }),
    },
  ).map(withType);
}

function printed(node: JsonNode): Body {
  return { bytes: new TextEncoder().encode(printJson(node)) };
}

function withType(message: FuzzMessage): FuzzMessage {
  if (message.body === undefined) return message;
  const { headers } = message;
  const named = headers.some(([name]) => name === "content-type");
  return named ? message : { ...message, headers: [...headers, TYPE] };
}

const TYPE: [string, string] = ["content-type", "application/json"];

/** Generates calls of the tools with arguments from their input schemas. */
function calls(tools: Tool[], known: Known, mode: "clean" | "nearly"): fc.Arbitrary<Members> {
  const values = new SchemaValues({
    resolve() {
      throw new Error("input schemas have no references");
    },
    hints: { ...hintsOf(known), request_key: { clean: fc.uuid(), hostile: hostileKey } },
  });
  const lookups = ["ids", "domains"];
  return fc.oneof(...tools.map(({ name, inputSchema }) => {
    const args = values[mode](inputSchema as Schema)
      // The schema cannot say that exactly one of the two is required.
      .map((node) => name === "get_companies" ? oneOf(node, lookups) : node);
    return fc.record({ args, id: mode === "clean" ? fc.nat() : ids }).map(({ args, id }) =>
      envelope(id, "tools/call", Members.of({ name, arguments: args }))
    );
  }));
}

/** Generates calls that continue first pages with right, foreign and invalid cursors. */
function nextPages({ pages, stolen }: Known): fc.Arbitrary<Members> {
  const { list_observations, ...searches } = pages;
  const cursors = [list_observations.cursor, ...stolen, "c".repeat(32), "c"];
  return fc.constantFrom(...Object.entries(searches)).chain(([name, { inputs, cursor }]) =>
    fc.record({
      cursor: fc.constantFrom(cursor, cursor, ...cursors),
      limit: fc.constantFrom(inputs.limit as number, 2),
      request_key: fc.uuid(),
    }).map((more) => {
      const args = Members.of({ query: inputs.query as string, ...more });
      return envelope(1, "tools/call", Members.of({ name, arguments: args }));
    })
  );
}

/** Keeps one of two lists: the first that is not empty. If both are empty, it becomes [1]. */
function oneOf(node: JsonNode, [first, second]: string[]): JsonNode {
  if (!(node instanceof Members)) return node;
  const isEmpty = (value?: JsonNode) =>
    value === undefined || (Array.isArray(value) && value.length === 0);
  if (!isEmpty(node.get(first!))) return node.without(second!);
  if (!isEmpty(node.get(second!))) return node.without(first!);
  return node.without(second!).with(first!, [1]);
}

function envelope(id: JsonNode, method: JsonNode, params?: JsonNode): Members {
  const head: [string, JsonNode][] = [["jsonrpc", "2.0"], ["id", id], ["method", method]];
  return new Members(params === undefined ? head : [...head, ["params", params]]);
}

/** Ids that JSON-RPC allows. */
const ids: fc.Arbitrary<JsonNode> = fc.oneof(
  fc.nat(),
  fc.constantFrom(0, -1, "", "7", "\u0000", "x".repeat(5000), Number.MAX_SAFE_INTEGER),
  hostileText,
);

/** Values that JSON-RPC does not allow as an id, or that are unusual. */
const oddIds: fc.Arbitrary<JsonNode> = fc.oneof(
  fc.constantFrom<string>(
    "null",
    "1.5",
    "-0",
    "1e400",
    "9007199254740993",
    "true",
    "[]",
    "{}",
    "1.0",
  )
    .map((text) => new Verbatim(text)),
  hostileNode,
);

/** Generates calls with a faulty envelope. */
function mutated(messages: fc.Arbitrary<Members>): fc.Arbitrary<JsonNode> {
  const member = fc.constantFrom("jsonrpc", "id", "method", "params");
  return fc.oneof(
    fc.tuple(messages, member).map(([message, name]) => message.without(name)),
    fc.tuple(messages, member, hostileNode).map(([one, name, value]) => one.with(name, value)),
    fc.tuple(messages, fc.oneof(member, hostileName), hostileNode)
      .map(([{ pairs }, name, value]) => new Members([...pairs, [name, value]])),
    fc.tuple(messages, oddIds).map(([one, id]) => one.with("id", id)),
    fc.tuple(messages, fc.constantFrom("1.0", "2", "2.00", "", "2.0 "))
      .map(([one, version]) => one.with("jsonrpc", version)),
    fc.tuple(messages, oddMeta).map(([one, meta]) => {
      const params = one.get("params") as Members;
      return one.with("params", params.with("_meta", meta));
    }),
    fc.tuple(messages, hostileName, hostileNode).map(([one, name, value]) =>
      one.with("params", (one.get("params") as Members).with(name, value))
    ),
    messages.map((one) => [one]),
    messages.map((one) => [one, one]),
    fc.constantFrom<JsonNode>([], null, "tools/call", 1, Members.of({})),
  );
}

const oddMeta: fc.Arbitrary<JsonNode> = fc.oneof(
  fc.constantFrom<JsonNode>(
    null,
    [],
    "meta",
    Members.of({}),
    Members.of({ progressToken: 1 }),
    Members.of({ progressToken: Members.of({}) }),
    Members.of({ progressToken: 1.5 }),
    Members.of({ "io.modelcontextprotocol/related-task": Members.of({ taskId: 5 }) }),
    Members.of({ "": 1, "a/b/c": null }),
  ),
  fc.tuple(hostileName, hostileNode).map((pair) => new Members([pair])),
);

const METHODS = [
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "notifications/initialized",
  "notifications/cancelled",
  "resources/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "sampling/createMessage",
  "tasks/list",
  "rpc.discover",
  "constructor",
  "__proto__",
  "",
];

/** Messages besides calls of the listed tools: requests, notifications and responses. */
const protocolMessages: fc.Arbitrary<JsonNode> = fc.oneof(
  fc.record({
    protocolVersion: fc.oneof(
      fc.constantFrom<JsonNode>("2025-11-25", "2024-11-05", "1999-01-01", "", 5),
      hostileText,
    ),
    capabilities: fc.oneof(fc.constant<JsonNode>(Members.of({})), hostileNode),
    clientInfo: fc.oneof(
      fc.constant<JsonNode>(Members.of({ name: "fuzz", version: "1" })),
      hostileNode,
    ),
  }).map((params) => envelope(1, "initialize", Members.of(params))),
  fc.tuple(ids, fc.constantFrom(...METHODS), fc.option(hostileNode, { nil: undefined }))
    .map(([id, method, params]) => envelope(id, method, params)),
  fc.tuple(ids, fc.constantFrom("ping", "tools/list"), fc.constantFrom(undefined, Members.of({})))
    .map(([id, method, params]) => envelope(id, method, params)),
  fc.tuple(ids, hostileName).map(([id, name]) =>
    envelope(id, "tools/call", Members.of({ name, arguments: Members.of({}) }))
  ),
  fc.tuple(fc.constantFrom(...METHODS), hostileNode)
    .map(([method, params]) => Members.of({ jsonrpc: "2.0", method, params })),
  fc.tuple(ids, fc.constantFrom("result", "error"), hostileNode)
    .map(([id, name, value]) => Members.of({ jsonrpc: "2.0", id, [name]: value })),
  hostileNode,
);

const VERSIONS = ["2025-11-25", "2025-06-18", "2024-11-05", "1999-01-01", "", "x", "2025-11-25, x"];

function oddHeaders(known: Known): fc.Arbitrary<[string, string][]> {
  const single = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<[string, string]> =>
    values.map((value) => [name, value]);
  const extra = fc.oneof(
    single("mcp-protocol-version", fc.oneof(fc.constantFrom(...VERSIONS), headerText)),
    single("mcp-session-id", headerText),
    single("mcp-method", fc.constantFrom("tools/call", "x")),
    single("mcp-name", headerText),
    single("last-event-id", headerText),
    single("accept", fc.constantFrom("application/json", "text/event-stream", "text/html", "x")),
    single("access-control-request-method", fc.constantFrom("POST", "x")),
  );
  return fc.tuple(headersOf(known).hostile, fc.array(extra, { maxLength: 3 }))
    .map(([headers, more]) => [...headers, ...more]);
}

/** Prints a message for a failed assertion. */
export function show({ method, headers, body }: FuzzMessage): string {
  const text = body === undefined ? "" : new TextDecoder().decode(body.bytes).slice(0, 1000);
  return `${method} /mcp ${JSON.stringify(headers).slice(0, 600)} ${text}`;
}
