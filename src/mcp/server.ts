/** One JSON-RPC request through the SDK: a server of its own, since nothing is kept between two. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type ListToolsRequest,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { API_VERSION } from "../contract/version.ts";
import { INSTRUCTIONS } from "./tools.ts";

export interface ServerHandlers {
  listTools(): Tool[];
  /** @throws McpError where the protocol knows no such tool; anything else ends the request */
  callTool(name: string, given: Record<string, unknown>): Promise<CallToolResult>;
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

/**
 * @returns the JSON-RPC response
 * @throws whatever callTool throws beside McpError: it is not the protocol's to answer
 */
export function answerRequest(
  request: JSONRPCRequest,
  { listTools, callTool }: ServerHandlers,
): Promise<JSONRPCMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<JSONRPCMessage>();
  const server = new Server(INFO, OPTIONS);
  server.setRequestHandler(ListToolsRequestSchema, ({ params }: ListToolsRequest) => {
    // There is one page, so no cursor can be valid.
    if (params?.cursor !== undefined) throw new McpError(ErrorCode.InvalidParams, "Unknown cursor");
    return { tools: listTools() };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }: CallToolRequest) => {
    try {
      return await callTool(params.name, params.arguments ?? {});
    } catch (error) {
      if (!(error instanceof McpError)) reject(error);
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
