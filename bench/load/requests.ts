/** Texts of HTTP requests. They are composed in advance, so that sending them takes little time. */

/** Placeholder of an idempotency key in the text of a request. Every call replaces it by a new key. */
export const KEY_PLACE = "00000000-0000-4000-8000-000000000000";

interface RequestParts {
  method?: "GET" | "POST";
  path: string;
  key?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Returns the text of an HTTP/1.1 request. The connection stays open after it. */
export function requestText({ method = "GET", path, key, headers, body }: RequestParts): string {
  const bytes = body === undefined ? "" : JSON.stringify(body);
  const fields = {
    host: "127.0.0.1",
    ...key !== undefined && { authorization: `Bearer ${key}` },
    ...body !== undefined && {
      "content-type": "application/json",
      "content-length": new TextEncoder().encode(bytes).length,
    },
    ...headers,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${bytes}`;
}

/** Returns a metered search of ten companies. By default, every call has a new request key. */
export function searchText(key: string, query: string, request_key = KEY_PLACE): string {
  return requestText({
    method: "POST",
    path: "/api/companies/search",
    key,
    headers: { "idempotency-key": request_key },
    body: { query, limit: 10 },
  });
}

/** Returns a call of an MCP tool by a client of revision 2025-11-25. */
export function toolText(key: string, name: string, args: object): string {
  const headers = { "mcp-protocol-version": "2025-11-25" };
  return callText(key, { name, arguments: args }, headers);
}

/** Returns a call of an MCP tool by a client of revision 2026-07-28. */
export function modernToolText(key: string, name: string, args: object): string {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": name,
  };
  return callText(key, { name, arguments: args, _meta }, headers);
}

function callText(key: string, params: object, headers: Record<string, string>): string {
  return requestText({
    method: "POST",
    path: "/mcp",
    key,
    headers: { accept: "application/json, text/event-stream", ...headers },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
  });
}
