/** HTTP requests of the load, written out once: sending one costs the generator almost nothing. */

/** Stands for a new idempotency key in the text of a request. Every call replaces it. */
export const KEY_PLACE = "00000000-0000-4000-8000-000000000000";

interface RequestParts {
  method?: "GET" | "POST";
  path: string;
  key?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Returns the text of a request over a connection that stays open. */
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

/** Returns a metered search of ten companies. Without a request key, every call has a new one. */
export function searchText(key: string, query: string, request_key = KEY_PLACE): string {
  return requestText({
    method: "POST",
    path: "/api/companies/search",
    key,
    headers: { "idempotency-key": request_key },
    body: { query, limit: 10 },
  });
}

/** Returns a call of an MCP tool. */
export function toolText(key: string, name: string, args: object): string {
  return requestText({
    method: "POST",
    path: "/mcp",
    key,
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
  });
}
