/**
 * `POST /mcp`: the transport's rules in front of the SDK (Model Context Protocol 2025-11-25,
 * Streamable HTTP; design 6). Stateless: every request brings its key, no session, no streams.
 */
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  ErrorCode,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Tool as ToolDescription,
} from "@modelcontextprotocol/sdk/types.js";
import { type Context as HonoContext, Hono } from "hono";
import type { KnownKeys } from "../accounts/known_keys.ts";
import { getTerms } from "../accounts/subscription.ts";
import type { Actions } from "../actions.ts";
import { writeJson } from "../contract/json_text.ts";
import type { DoorEnvironment } from "../doors/environment.ts";
import { parseJson } from "../doors/json.ts";
import { readCaller, readJsonBytes } from "../doors/request.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { Caller } from "../operations/action.ts";
import type { RunContext } from "../operations/run.ts";
import { callTool } from "./call.ts";
import { crossOrigin, originGuard } from "./origin.ts";
import { describeTool } from "./schemas.ts";
import { answerRequest, ProtocolError } from "./server.ts";
import { advertisedTools, type Tool } from "./tools.ts";

export interface EndpointOptions {
  context: RunContext;
  actions: Actions;
  log: Log;
  keys: KnownKeys;
  /** Which tools are advertised; others are unknown. */
  tools: "full" | "core";
  /** Browser origins that may call, beside the service's own. */
  allowed_origins: readonly string[];
  metrics?: Pick<Metrics, "mcpEnded">;
}

/**
 * To be mounted at `/mcp`. It throws a Failure where the transport refuses a request before there
 * is a message to answer: 401, 403, 408, 413, 415, and 503 while the database is away.
 */
export function createEndpoint(options: EndpointOptions): Hono<DoorEnvironment> {
  const tools = advertisedTools(options.tools);
  const list = describedTools([...tools.values()]);
  const app = new Hono<DoorEnvironment>();
  app.use(originGuard(options.allowed_origins), crossOrigin);
  app.post("/", async (c) => {
    const caller = readCaller(c.req.raw.headers);
    c.set("caller", caller);
    await options.keys.require(options.context, caller);
    let message: JSONRPCMessage;
    try {
      message = await readMessage(c.req.raw);
    } catch (error) {
      // Whoever may not ask at all is told that instead.
      await getTerms(options.context, caller);
      if (!(error instanceof ProtocolError)) throw error;
      const { code, message } = error;
      return json({ jsonrpc: "2.0", id: null, error: { code, message } }, 400);
    }
    const started = performance.now();
    const response = await answer({ message, caller }, c, { ...options, catalogue: tools, list });
    options.metrics?.mcpEnded({
      method: methodOf(message),
      tool: c.get("tool"),
      error: c.get("code"),
      seconds: (performance.now() - started) / 1000,
    });
    return response;
  });
  return app;
}

function json(body: unknown, status: number): Response {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return new Response(writeJson(body), { status, headers });
}

interface Catalogue {
  catalogue: ReadonlyMap<string, Tool>;
  /** The tools as a plan with this page size sees them. */
  list: (page_limit: number) => ToolDescription[];
}

async function answer(
  { message, caller }: { message: JSONRPCMessage; caller: Caller },
  c: HonoContext<DoorEnvironment>,
  { context, actions, log, keys, catalogue, list }: EndpointOptions & Catalogue,
): Promise<Response> {
  const { headers } = c.req.raw;
  const isCall = isJSONRPCRequest(message) && message.method === "tools/call";
  // A call has its key checked by the statements that answer it.
  const terms = isCall ? undefined : await getTerms(context, caller);
  // A notification, or an answer to what was never asked: nothing is kept, so there is nothing to do.
  if (!isJSONRPCRequest(message)) return new Response(null, { status: 202 });
  const response = await answerRequest(message, {
    listTools: () => list(terms!.page_limit),
    callTool(name, given) {
      if (catalogue.has(name)) c.set("tool", name);
      return callTool(catalogue, { name, given }, {
        context,
        actions,
        log,
        keys,
        caller,
        request_id: c.get("request_id"),
        headers,
        ended({ code, charged }) {
          if (code !== undefined) c.set("code", code);
          c.set("charged", charged);
        },
      });
    },
  });
  if ("error" in response) c.set("code", String(response.error.code));
  // The protocol has refused the call before any statement could check the key.
  if (isCall && "error" in response) await getTerms(context, caller);
  return json(response, 200);
}

const METHODS = [
  "initialize",
  "notifications/initialized",
  "ping",
  "tools/list",
  "tools/call",
];

/** Names the method of a message for the metrics; one that is not served is the caller's text. */
function methodOf(message: JSONRPCMessage): string {
  const method = "method" in message ? message.method : "";
  return METHODS.includes(method) ? method : "_OTHER";
}

/** Made once for each page size that a plan has had. */
function describedTools(tools: readonly Tool[]): Catalogue["list"] {
  const lists = new Map<number, ToolDescription[]>();
  return (page_limit) =>
    lists.getOrInsertComputed(
      page_limit,
      () => tools.map((tool) => describeTool(tool, page_limit)),
    );
}

/**
 * @throws Failure unsupported_media_type, payload_too_large or request_timeout
 * @throws ProtocolError where there is no message to answer
 */
async function readMessage(request: Request): Promise<JSONRPCMessage> {
  const version = request.headers.get("mcp-protocol-version");
  if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    const known = SUPPORTED_PROTOCOL_VERSIONS.join(", ");
    throw new ProtocolError(ErrorCode.InvalidRequest, `MCP-Protocol-Version is none of ${known}`);
  }
  let value: unknown;
  try {
    value = parseJson(await readJsonBytes(request));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ProtocolError(ErrorCode.ParseError, error.message);
  }
  if (Array.isArray(value)) throw new ProtocolError(ErrorCode.InvalidRequest, "One message a body");
  const parsed = JSONRPCMessageSchema.safeParse(value);
  if (!parsed.success) throw new ProtocolError(ErrorCode.InvalidRequest, "No JSON-RPC 2.0 message");
  return parsed.data;
}
