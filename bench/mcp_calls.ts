/** Makes a call through a door of the service, and reads the body that every door returns. */

/** Doors of the service. `mcp` uses revision 2025-11-25 of MCP, `mcp_modern` uses 2026-07-28. */
export const DOORS = ["http", "mcp", "mcp_modern"] as const;
export type Door = (typeof DOORS)[number];

/** Kinds of calls: a search, and a read of one company. */
export const CALL_KINDS = ["search", "read"] as const;
export type CallKind = (typeof CALL_KINDS)[number];

export interface Call {
  /** Address at which the service listens. */
  url: string;
  key: string;
  /** Query of a search, or id of the company that is read. */
  subject: string | number;
  request_key: string;
}

const LIMIT = 10;

/**
 * Makes a call through a door.
 *
 * @returns the text of the answer
 * @throws Error if the answer is a failure
 */
export async function makeCall(door: Door, kind: CallKind, call: Call): Promise<string> {
  const response = await fetch(...CALLS[kind][door](call));
  const text = await response.text();
  // Within a string, the quotes would be escaped, so this matches only the member of the result.
  if (response.status !== 200 || text.includes('"isError":true')) throw new Error(text);
  return text;
}

/** Returns the body of an answer. Over MCP, also checks that both copies of the body are equal. */
export function bodyText(door: Door, text: string): string {
  if (door === "http") return text;
  const { structuredContent, content } = JSON.parse(text).result;
  const body = JSON.stringify(structuredContent);
  // The text escapes angle brackets.
  if (JSON.stringify(JSON.parse(content[0].text)) !== body) {
    throw new Error("the text is not the structured content");
  }
  return body;
}

/** Arguments of fetch(). */
type FetchArguments = [url: string, init: RequestInit];

const CALLS: Record<CallKind, Record<Door, (call: Call) => FetchArguments>> = {
  search: {
    http: (call) => [`${call.url}/api/companies/search`, {
      method: "POST",
      headers: { ...headers(call), "idempotency-key": call.request_key },
      body: JSON.stringify({ query: call.subject, limit: LIMIT }),
    }],
    mcp: (call) => legacyCall(call, searchCall(call)),
    mcp_modern: (call) => modernCall(call, searchCall(call)),
  },
  read: {
    http: (call) => [`${call.url}/api/companies/${call.subject}`, { headers: headers(call) }],
    mcp: (call) => legacyCall(call, readCall(call)),
    mcp_modern: (call) => modernCall(call, readCall(call)),
  },
};

interface ToolCall {
  name: string;
  arguments: object;
}

function searchCall({ subject, request_key }: Call): ToolCall {
  return { name: "search_companies", arguments: { query: subject, limit: LIMIT, request_key } };
}

function readCall({ subject }: Call): ToolCall {
  return { name: "get_company", arguments: { id: subject } };
}

function legacyCall(call: Call, params: ToolCall): FetchArguments {
  return post(call, params, { "mcp-protocol-version": "2025-11-25" });
}

function modernCall(call: Call, params: ToolCall): FetchArguments {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return post(call, { ...params, _meta }, {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": params.name,
  });
}

function post(call: Call, params: object, more: Record<string, string>): FetchArguments {
  return [`${call.url}/mcp`, {
    method: "POST",
    headers: { ...headers(call), "accept": "application/json, text/event-stream", ...more },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  }];
}

function headers({ key }: Call): Record<string, string> {
  return { "authorization": `Bearer ${key}`, "content-type": "application/json" };
}
