/** One JSON-RPC request through the SDK: a server of its own, since nothing is kept between two. */
import { Server } from "@modelcontextprotocol/sdk/server";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  InitializeRequestSchema,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ListToolsRequestSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import { API_VERSION } from "../contract/version.ts";
import { INSTRUCTIONS } from "./tools.ts";

/** A refusal by the protocol; unlike the SDK's own class it leaves the sentence as it is. */
export class ProtocolError extends Error {
  override name = "ProtocolError";

  constructor(readonly code: ErrorCode, message: string) {
    super(message);
  }
}

export interface ServerHandlers {
  listTools(): Tool[];
  /**
   * @param given as it came: anything at all
   * @throws ProtocolError where the protocol knows no such tool; anything else ends the request
   */
  callTool(name: string, given: unknown): Promise<CallToolResult>;
}

const INFO = { name: "company-evidence", title: "Company evidence service", version: API_VERSION };

const OPTIONS = {
  capabilities: { tools: {} },
  instructions: INSTRUCTIONS,
  // For what a server asks of its client; this one asks nothing, and making the default is dear.
  jsonSchemaValidator: {
    getValidator(): never {
      throw new Error("nothing is asked of clients");
    },
  },
};

/** Checked here, since the SDK calls its own error what is wrong with them. */
const REQUESTS = new Map<string, z.ZodType>([
  ["initialize", InitializeRequestSchema],
  ["tools/list", ListToolsRequestSchema],
  ["tools/call", CallToolRequestSchema],
]);

/**
 * @returns the JSON-RPC response
 * @throws whatever callTool throws beside ProtocolError: it is not the protocol's to answer
 */
export async function answerRequest(
  { params, ...request }: JSONRPCRequest,
  handlers: ServerHandlers,
): Promise<JSONRPCMessage> {
  // Arguments are the action's to judge, and the SDK's copy of them would lack odd names. Who offers
  // no tasks ignores that one was asked for (2025-11-25, Tasks).
  const { arguments: given, task: _task, ...rest } = params ?? {};
  const plain = { ...request, ...params && { params: rest } };
  const [issue] = REQUESTS.get(plain.method)?.safeParse(plain).error?.issues ?? [];
  if (issue === undefined) return await serve(plain, given, handlers);
  const message = `${issue.path.join(".").slice(0, 100)}: ${issue.message}`;
  return { jsonrpc: "2.0", id: plain.id, error: { code: ErrorCode.InvalidParams, message } };
}

function serve(
  request: JSONRPCRequest,
  given: unknown,
  { listTools, callTool }: ServerHandlers,
): Promise<JSONRPCMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<JSONRPCMessage>();
  const server = new Server(INFO, OPTIONS);
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    // There is one page, so no cursor can be valid.
    if (params?.cursor !== undefined) {
      throw new ProtocolError(ErrorCode.InvalidParams, "Unknown cursor");
    }
    return { tools: listTools() };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    try {
      return await callTool(params.name, given ?? {});
    } catch (error) {
      if (!(error instanceof ProtocolError)) reject(error);
      throw error;
    }
  });
  const transport = new OneRequest(resolve);
  server.connect(transport).then(() => transport.onmessage!(request), reject);
  return promise;
}

/** A transport that carries one request in and its response out. */
class OneRequest {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(readonly respond: (message: JSONRPCMessage) => void) {}

  async start(): Promise<void> {}

  // deno-lint-ignore require-await -- the interface's word
  async send(message: JSONRPCMessage): Promise<void> {
    this.respond(message);
  }

  async close(): Promise<void> {}
}
