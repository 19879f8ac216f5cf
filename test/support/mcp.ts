/** The MCP door, asked as a client would: one JSON-RPC message by `POST /mcp`. */
import type { Tool } from "@modelcontextprotocol/sdk/types";
import type { App } from "../../src/app.ts";
import type { Asked } from "./app.ts";
import type { World } from "./world.ts";

interface RpcOptions {
  key?: string;
  headers?: Record<string, string>;
  /** Address at which the client believes the service to be. */
  url?: string;
}

type Service = Pick<App, "fetch">;

/** @param message a text or bytes are sent as they are, anything else as JSON */
export async function rpc(
  { fetch }: Service,
  message: unknown,
  { key, headers = {}, url = "http://127.0.0.1/mcp" }: RpcOptions = {},
): Promise<Asked> {
  const asItIs = typeof message === "string" || message instanceof Uint8Array;
  const response = await fetch(
    new Request(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        ...key !== undefined && { authorization: `Bearer ${key}` },
        ...headers,
      },
      body: asItIs ? message as BodyInit : JSON.stringify(message),
    }),
  );
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

/** A JSON-RPC request. */
export function request(method: string, params?: object): object {
  return { jsonrpc: "2.0", id: 1, method, ...params && { params } };
}

interface ModernOptions {
  key?: string;
  /** Headers beside those that the message asks for; null takes one away. */
  headers?: Record<string, string | null>;
  version?: string;
  capabilities?: object;
}

/** Sends a request as clients of revision 2026-07-28 do. */
export function modernRpc(
  service: Service,
  message: object,
  { key, headers = {}, version, capabilities }: ModernOptions = {},
): Promise<Asked> {
  const asked = envelope(message, { version, capabilities });
  const all = Object.entries({ ...modernHeaders(asked, version), ...headers })
    .filter((pair): pair is [string, string] => pair[1] !== null);
  return rpc(service, asked, { key, headers: Object.fromEntries(all) });
}

/** Returns the request with the `_meta` that revision 2026-07-28 asks of every request. */
export function envelope(
  message: object,
  { version = "2026-07-28", capabilities = {} }: Pick<ModernOptions, "version" | "capabilities"> =
    {},
): object {
  const { params } = message as { params?: object };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  return { ...message, params: { ...params, _meta } };
}

/** Returns the headers in which revision 2026-07-28 repeats what a request says. */
export function modernHeaders(message: object, version = "2026-07-28"): Record<string, string> {
  const { method, params } = message as { method: string; params?: Record<string, unknown> };
  const name = params?.name ?? params?.taskId;
  return {
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...typeof name === "string" && { "mcp-name": name },
  };
}

export function toolCall(name: string, given: object): object {
  return request("tools/call", { name, arguments: given });
}

/** The tools as this key is shown them. */
export async function listTools(service: Service, key: string): Promise<Tool[]> {
  const { body } = await rpc(service, request("tools/list"), { key });
  return body.result.tools;
}

export const TOOL_NAMES = [
  "search_companies",
  "get_companies",
  "get_company",
  "search_observations",
  "get_observation",
  "create_usage",
  "get_usage",
  "diagnostic",
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** Place of a tool's request key: an argument, the header, or none. */
const KEY_PLACE: Record<ToolName, "argument" | "header" | "none"> = {
  search_companies: "argument",
  get_companies: "argument",
  get_company: "none",
  search_observations: "argument",
  get_observation: "none",
  create_usage: "argument",
  get_usage: "none",
  diagnostic: "header",
};

const GOOD: Record<ToolName, (world: World) => object> = {
  search_companies: () => ({ query: "freezer warehouse", limit: 2 }),
  get_companies: ({ north }) => ({ ids: [north.company_id] }),
  get_company: ({ north }) => ({ id: north.company_id }),
  search_observations: () => ({ query: "freezer warehouse", limit: 2 }),
  get_observation: ({ north }) => ({ id: north.observation_id }),
  create_usage: () => ({ query: "freezer warehouse", limit: 2 }),
  get_usage: () => ({}),
  diagnostic: () => ({}),
};

interface GivenCall {
  name: ToolName;
  given: Record<string, unknown>;
  headers: Record<string, string>;
}

/** A call that succeeds, under a new request key. */
export function goodCall(world: World, name: ToolName): GivenCall {
  const place = KEY_PLACE[name];
  const request_key = world.newKey();
  return {
    name,
    given: { ...GOOD[name](world), ...place === "argument" && { request_key } },
    headers: place === "header" ? { "idempotency-key": request_key } : {},
  };
}
