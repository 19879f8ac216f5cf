/**
 * Answers calls of tools without a server of the SDK. Creating a server and a transport for a call
 * takes longer than reading a company. Message, revision and headers have been checked before
 * (endpoint.ts, revision.ts), and the action checks the arguments. Calls with parameters other than
 * name, arguments and `_meta` go through the SDK (server.ts). A test compares the responses of this
 * module with those of the SDK.
 */
import {
  type CallToolResult,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolError,
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

/** A call with no parameters other than name, arguments and `_meta`. */
interface SimpleCall {
  id: RequestId;
  name: string;
  args: unknown;
}

/**
 * Returns the call if it names a tool and has no uncommon parameters. The SDK handles all other
 * calls.
 */
export function simpleCallOf({ id, method, params = {} }: JSONRPCRequest): SimpleCall | undefined {
  const { name, arguments: args, _meta, ...rest } = params;
  if (method !== "tools/call" || typeof name !== "string") return undefined;
  return Object.keys(rest).length > 0 ? undefined : { id, name, args };
}

/** Members that revision 2026-07-28 has in every result. */
const MODERN_STAMPS = { resultType: "complete", _meta: { [SERVER_INFO_META_KEY]: INFO } };

/**
 * Answers a call with the same response as the SDK.
 * @throws any error of callTool except ProtocolError
 */
export async function answerCall(
  { id, name, args }: SimpleCall,
  isModern: boolean,
  callTool: (name: string, args: unknown) => Promise<CallToolResult | CreatedTask>,
): Promise<JSONRPCMessage> {
  try {
    const result = await callTool(name, args ?? {});
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
