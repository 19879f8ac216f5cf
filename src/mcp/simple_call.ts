/**
 * Answers calls of tools without a server of the SDK. Creating a server and a transport for a call
 * takes longer than reading a company. Message, revision and headers have been checked before
 * (endpoint.ts, revision.ts), and the action checks the arguments. Calls with parameters other than
 * name, arguments and `_meta`, or with a related task in `_meta`, go through the SDK (server.ts). A
 * test compares the responses of this module with those of the SDK.
 */
import {
  type CallToolResult,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolError,
  RELATED_TASK_META_KEY,
  type RequestId,
  type Result,
  SERVER_INFO_META_KEY,
} from "@modelcontextprotocol/server";
import { API_VERSION } from "../contract/version.ts";
import type { CreatedTask } from "./tasks.ts";

/** Name and version that the server reports in all revisions of the protocol (revision.ts). */
export const INFO = {
  name: "company-evidence",
  title: "Company evidence service",
  version: API_VERSION,
};

/**
 * A call that names a tool, has no parameters other than name, arguments and `_meta`, and has no
 * related task.
 */
export interface SimpleCall extends JSONRPCRequest {
  method: "tools/call";
  params: { name: string; arguments?: unknown; _meta?: Record<string, unknown> };
}

const MEMBERS = ["jsonrpc", "id", "method", "params"];
const PARAMETERS = ["name", "arguments", "_meta"];

/**
 * Returns whether a JSON value is a simple call. The SDK's own checks of a message accept every
 * simple call, but take longer.
 */
export function isSimpleCall(value: unknown): value is SimpleCall {
  if (!isObject(value) || !hasOnly(value, MEMBERS)) return false;
  const { jsonrpc, id, method, params } = value;
  if (jsonrpc !== "2.0" || method !== "tools/call") return false;
  if (!isToken(id)) return false;
  if (!isObject(params) || !hasOnly(params, PARAMETERS)) return false;
  const { name, _meta } = params;
  if (typeof name !== "string") return false;
  if (_meta === undefined) return true;
  if (!isObject(_meta) || _meta[RELATED_TASK_META_KEY] !== undefined) return false;
  const { progressToken } = _meta;
  return progressToken === undefined || isToken(progressToken);
}

/** Returns whether a value may be an id of a request or a progress token. */
function isToken(value: unknown): boolean {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Returns whether a JSON value is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasOnly(value: object, members: readonly string[]): boolean {
  for (const member in value) {
    if (!members.includes(member)) return false;
  }
  return true;
}

/** Members that revision 2026-07-28 has in every result. */
const MODERN_STAMPS = { resultType: "complete", _meta: { [SERVER_INFO_META_KEY]: INFO } };

/**
 * Answers a call with the same response as the SDK.
 * @throws any error of callTool except ProtocolError
 */
export async function answerCall(
  { id, params }: SimpleCall,
  isModern: boolean,
  callTool: (name: string, args: unknown) => Promise<CallToolResult | CreatedTask>,
): Promise<JSONRPCMessage> {
  try {
    const result = await callTool(params.name, params.arguments ?? {});
    return stamped(id, isModern ? MODERN_STAMPS : {}, result);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { code, message, data } = error;
    return { jsonrpc: "2.0", id, error: { code, message, ...data !== undefined && { data } } };
  }
}

/**
 * Returns the response of a call: its result, with the members (`stamps`) that every result has.
 */
export function stamped(
  id: RequestId,
  stamps: Result,
  { _meta, ...result }: CallToolResult | CreatedTask,
): JSONRPCMessage {
  return {
    result: { ...stamps, ...result, _meta: { ..._meta, ...stamps._meta } },
    jsonrpc: "2.0",
    id,
  };
}
