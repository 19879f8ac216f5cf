/**
 * Serves `POST /mcp`. Checks the rules of the transport (Model Context Protocol, Streamable HTTP)
 * before the SDK gets a message. The endpoint is stateless: each request has an API key, and there
 * are no sessions and no streams. Requests of revision 2026-07-28 name it in their `_meta`. All
 * other requests are of an older revision.
 */
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  type Tool as ToolDescription,
} from "@modelcontextprotocol/server";
import { type Context as HonoContext, Hono, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { getTerms } from "../accounts/subscription.ts";
import type { Actions } from "../actions.ts";
import { type DoorEnvironment, readCaller, readJson } from "../doors/request.ts";
import { Failure } from "../failures.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { Caller } from "../operations/action.ts";
import type { RunContext } from "../operations/run.ts";
import { enterBody } from "../operations/turns.ts";
import { defined, inSpan } from "../tracing.ts";
import { callTool, type ToolCall } from "./call.ts";
import { isRequest, type Revision, revisionOf } from "./revision.ts";
import { describeTool } from "./schemas.ts";
import { answerRequest, type ServerHandlers } from "./server.ts";
import { cancelTask, declaresTasks, getTask } from "./tasks.ts";
import { advertisedTools, type Tool } from "./tools.ts";

const DAY_MILLISECONDS = 86_400_000;

interface EndpointOptions {
  context: RunContext;
  actions: Actions;
  log: Log;
  /** Set of advertised tools. Other tools are unknown. */
  tools: "full" | "core";
  /** Number of days for which delivered results are kept. */
  retention_days: number;
  /** Browser origins that may call, in addition to the service's own. */
  allowed_origins: readonly string[];
  metrics?: Pick<Metrics, "mcpEnded">;
}

/**
 * Creates the app that is mounted at `/mcp`. The app throws a Failure if the answer is an HTTP
 * error instead of a JSON-RPC message. Its status is 401, 403, 408, 413, 415 or 429, or 503 while
 * the database is unavailable.
 */
export function createEndpoint(options: EndpointOptions): Hono<DoorEnvironment> {
  const catalogue = advertisedTools(options.tools);
  const endpoint = { ...options, catalogue, list: describedTools([...catalogue.values()]) };
  const app = new Hono<DoorEnvironment>();
  app.use(originGuard(options.allowed_origins));
  app.post("/", async (c) => {
    const caller = readCaller(c.req.raw.headers);
    c.set("caller", caller);
    const terms = await options.context.keys.termsOf(options.context, caller);
    let message: JSONRPCMessage | undefined;
    let revision: Revision;
    try {
      using _place = enterBody(options.context.bodies, terms.subscription_id);
      message = await readMessage(c.req.raw);
      revision = revisionOf(message, c.req.raw.headers);
    } catch (error) {
      // A cached key may have been revoked. Its caller gets invalid_api_key instead.
      await getTerms(options.context, caller);
      if (!(error instanceof ProtocolError)) throw error;
      return refusal(error, message !== undefined && isRequest(message) ? message.id : null);
    }
    const started = performance.now();
    const request = { message, revision, caller };
    const method = methodOf(message);
    const response = await inSpan(method, async (span) => {
      const answered = await answer(request, c, endpoint);
      span?.setAttributes(defined({
        "mcp.method.name": method,
        "gen_ai.tool.name": c.get("tool"),
        "error.type": c.get("code"),
      }));
      return answered;
    });
    options.metrics?.mcpEnded({
      method,
      tool: c.get("tool"),
      error: c.get("code"),
      seconds: (performance.now() - started) / 1000,
    });
    return response;
  });
  return app;
}

function refusal({ code, message, data }: ProtocolError, id: RequestId | null): Response {
  return json({ jsonrpc: "2.0", id, error: { code, message, data } }, 400);
}

function json(body: unknown, status: number): Response {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return new Response(JSON.stringify(body), { status, headers });
}

interface EndpointContext extends EndpointOptions {
  catalogue: ReadonlyMap<string, Tool>;
  /** Returns the tools for a plan with this page size. */
  list: (page_limit: number) => ToolDescription[];
}

interface RpcRequest {
  message: JSONRPCMessage;
  revision: Revision;
  caller: Caller;
}

async function answer(
  { message, revision, caller }: RpcRequest,
  c: HonoContext<DoorEnvironment>,
  endpoint: EndpointContext,
): Promise<Response> {
  const { context } = endpoint;
  const isCall = isRequest(message) && message.method === "tools/call";
  // The statements that answer a call check its key. Every other request is answered for any valid
  // key, because only calls require a subscription.
  const terms = isCall ? undefined : await getTerms(context, caller);
  // A notification or a response needs no work, because the server sends no requests.
  if (!isRequest(message)) return new Response(null, { status: 202 });
  const handlers = handlersOf({ message, caller, page_limit: terms?.page_limit ?? 0 }, c, endpoint);
  const answered = await answerRequest(message, revision, handlers);
  if ("error" in answered.message) c.set("code", String(answered.message.error.code));
  // If the protocol has refused the call, no statement has checked its key yet.
  if (isCall && !("result" in answered.message)) await getTerms(context, caller);
  return json(answered.message, answered.status);
}

function handlersOf(
  { message, caller, page_limit }: {
    message: JSONRPCRequest;
    caller: Caller;
    page_limit: number;
  },
  c: HonoContext<DoorEnvironment>,
  { context, actions, log, catalogue, list, retention_days }: EndpointContext,
): ServerHandlers {
  const call: ToolCall = {
    context: { ...context, charged: (units) => c.set("charged", units) },
    actions,
    log,
    caller,
    request_id: c.get("request_id"),
    headers: c.req.raw.headers,
    failed: (code) => c.set("code", code),
  };
  const ttl_ms = retention_days * DAY_MILLISECONDS;
  const poll = (id: number) => callTool(catalogue, { name: "get_usage", args: { id } }, call);
  return {
    listTools: () => list(page_limit),
    async callTool(name, args) {
      if (catalogue.has(name)) c.set("tool", name);
      const task_ttl_ms = declaresTasks(message) ? ttl_ms : undefined;
      const { result } = await callTool(catalogue, { name, args }, { ...call, task_ttl_ms });
      return result;
    },
    getTask: (taskId) => getTask(taskId, poll, ttl_ms),
    cancelTask: (taskId) => cancelTask(taskId, context, caller),
  };
}

const METHODS = [
  "initialize",
  "server/discover",
  "tasks/get",
  "tasks/cancel",
  "tasks/update",
  "notifications/initialized",
  "ping",
  "tools/list",
  "tools/call",
];

/** Returns the method of a message for the metrics; `_OTHER` for an unknown one. */
function methodOf(message: JSONRPCMessage): string {
  const method = "method" in message ? message.method : "";
  return METHODS.includes(method) ? method : "_OTHER";
}

/** Creates a function that describes the tools once for each page size of a plan. */
function describedTools(tools: readonly Tool[]): EndpointContext["list"] {
  const lists = new Map<number, ToolDescription[]>();
  return (page_limit) =>
    lists.getOrInsertComputed(
      page_limit,
      () => tools.map((tool) => describeTool(tool, page_limit)),
    );
}

/**
 * Reads the message of a request.
 * @throws Failure unsupported_media_type, payload_too_large or request_timeout
 * @throws ProtocolError if the body is not exactly one JSON-RPC message
 */
async function readMessage(request: Request): Promise<JSONRPCMessage> {
  let value: unknown;
  try {
    value = await readJson(request);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.ParseError, error.message);
  }
  if (Array.isArray(value)) throw invalidRequest("The body must be one message, not a list");
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value)) {
    return value;
  }
  throw invalidRequest("The body is not a JSON-RPC 2.0 message");
}

function invalidRequest(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidRequest, message);
}

/**
 * Creates a middleware that accepts requests without an origin, from pages of the service, and from
 * allowed origins. It lets these pages read the answer. For all other origins, it throws Failure
 * forbidden_origin.
 */
function originGuard(allowed: readonly string[]): MiddlewareHandler {
  return (c, next) => {
    const origin = c.req.header("origin");
    // Only browsers need CORS headers, and adding them would copy each answer.
    if (origin === undefined) return next();
    if (!allowed.includes(origin) && !isSameOrigin(origin, c.req.url)) {
      throw new Failure("forbidden_origin");
    }
    return withHeaders(c, next);
  };
}

/**
 * Returns whether an origin has the scheme, host and port of the request's own address. The host
 * must be an IP address or localhost. Anyone can point a domain name at this machine, so the origin
 * of a name must be among the allowed origins.
 */
function isSameOrigin(origin: string, url: string): boolean {
  const service = new URL(url);
  const isAddress = /^\[|^[0-9.]+$/.test(service.hostname) || service.hostname === "localhost";
  // Browsers write an origin in the same form as URL.
  return isAddress && origin === service.origin;
}

const withHeaders = cors({
  origin: (origin) => origin,
  allowMethods: ["POST"],
  allowHeaders: [
    "Accept",
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "MCP-Session-Id",
  ],
  exposeHeaders: ["Request-Id", "Retry-After", "WWW-Authenticate"],
  maxAge: 7200,
});
