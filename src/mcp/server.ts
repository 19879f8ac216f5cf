/**
 * Answers JSON-RPC requests of all supported revisions (revision.ts) through the SDK. Each request
 * has a separate server, because no state is kept between requests.
 */
import {
  type CallToolResult,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageClassification,
  type MessageExtraInfo,
  PerRequestHTTPServerTransport,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerOptions,
  specTypeSchemas,
  type StandardSchemaV1,
  type Tool,
  type Transport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { API_VERSION } from "../contract/version.ts";
import { MODERN_VERSION, type Revision } from "./revision.ts";
import { type CreatedTask, type DetailedTask, requireTasks, TASKS } from "./tasks.ts";
import { INSTRUCTIONS } from "./tools.ts";

/** Name and version that the server reports in all revisions of the protocol (revision.ts). */
const INFO = { name: "company-evidence", title: "Company evidence service", version: API_VERSION };

/** Handlers of requests of either era. */
export interface ServerHandlers {
  listTools(): Tool[];
  /**
   * Calls a tool.
   * @param args unchecked arguments of any type
   * @throws ProtocolError if there is no such tool; any other error ends the request
   */
  callTool(name: string, args: unknown): Promise<CallToolResult | CreatedTask>;
  /** @throws ProtocolError if there is no such task; any other error ends the request */
  getTask(taskId: string): Promise<DetailedTask>;
  /** @throws ProtocolError if there is no such task, or if it can no longer be cancelled */
  cancelTask(taskId: string): Promise<void>;
}

/**
 * Milliseconds for which a client may cache the list of tools. The list changes only with the
 * caller's plan. Five minutes are chosen.
 */
const LIST_TTL_MS = 300_000;

/**
 * Milliseconds for which a client may cache the server's description of itself. An hour is chosen:
 * it changes only with an upgrade.
 */
const DISCOVER_TTL_MS = 3_600_000;

const LEGACY: ServerOptions = {
  capabilities: { tools: {} },
  instructions: INSTRUCTIONS,
  cacheHints: {
    // The list shows the page size of the caller's plan.
    "tools/list": { ttlMs: LIST_TTL_MS, cacheScope: "private" },
    "server/discover": { ttlMs: DISCOVER_TTL_MS, cacheScope: "public" },
  },
  // The SDK validates answers of clients to requests of the server. This server sends no requests,
  // and building the default validator is expensive.
  jsonSchemaValidator: {
    getValidator(): never {
      throw new Error("the server sends no requests to clients");
    },
  },
};

const MODERN: ServerOptions = {
  ...LEGACY,
  capabilities: { ...LEGACY.capabilities, extensions: { [TASKS]: {} } },
  supportedProtocolVersions: [MODERN_VERSION],
};

/**
 * Schemas of requests that are checked here, because the SDK reports faults in them as internal
 * errors.
 */
const REQUESTS = new Map<string, StandardSchemaV1>([
  ["initialize", specTypeSchemas.InitializeRequest],
  ["tools/list", specTypeSchemas.ListToolsRequest],
  ["tools/call", specTypeSchemas.CallToolRequest],
]);

/** A JSON-RPC response and its HTTP status. */
interface RpcAnswer {
  message: JSONRPCMessage;
  status: number;
}

/**
 * Answers a request.
 * @throws any error of callTool, getTask or cancelTask except ProtocolError, which becomes the
 *   JSON-RPC error
 */
export async function answerRequest(
  request: JSONRPCRequest,
  revision: Revision,
  handlers: ServerHandlers,
): Promise<RpcAnswer> {
  const { plain, args } = withoutArguments(request);
  const isModern = revision !== undefined;
  const fault = isModern && plain.method === "initialize" ? undefined : faultOf(plain);
  if (fault !== undefined) return { message: fault, status: 200 };
  const { promise, resolve, reject } = Promise.withResolvers<JSONRPCMessage>();
  let called: CallToolResult | CreatedTask | undefined;
  const keep = (result: CallToolResult | CreatedTask) => called = result;
  const call = { args, handlers, fail: reject, keep };
  const server = createServer(isModern ? MODERN : LEGACY, call);
  if (isModern) offerTasks(server, plain, call);
  const transport = isModern ? new ModernExchange(revision, resolve) : new OneRequest(resolve);
  server.connect(transport).then(
    () => transport.onmessage!(plain, isModern ? { classification: revision } : undefined),
    reject,
  );
  const message = withResult(await promise, called);
  const code = "error" in message ? message.error.code : undefined;
  return { message, status: isModern && code !== undefined ? STATUSES[code] ?? 200 : 200 };
}

/** HTTP statuses of errors in revision 2026-07-28. Other errors have status 200. */
const STATUSES: Partial<Record<number, number>> = {
  [ProtocolErrorCode.MethodNotFound]: 404,
  [ProtocolErrorCode.MissingRequiredClientCapability]: 400,
};

/** Replaces the empty result that the handler gave to the SDK with the result of the call. */
function withResult(
  message: JSONRPCMessage,
  called: CallToolResult | CreatedTask | undefined,
): JSONRPCMessage {
  if (called === undefined || !("result" in message)) return message;
  const { content: _placeholder, _meta: stamps, ...members } = message.result;
  const { _meta, ...result } = called;
  return { ...message, result: { ...members, ...result, _meta: { ..._meta, ...stamps } } };
}

interface PlainRequest {
  plain: JSONRPCRequest;
  args: unknown;
}

/**
 * Removes the arguments. The action checks them, and the SDK's copy would lack unusual names such
 * as `__proto__`. Also removes `task`, by which a client of revision 2025-11-25 asks for a task.
 * A server without such tasks, like this one, has to ignore it.
 */
function withoutArguments({ params, ...request }: JSONRPCRequest): PlainRequest {
  const { arguments: args, task: _task, ...rest } = params ?? {};
  return { plain: { ...request, ...params && { params: rest } }, args };
}

/** Returns the error of a request whose parameters do not fit its method. */
function faultOf(request: JSONRPCRequest): JSONRPCMessage | undefined {
  // For a call with a name, the SDK itself reports faults as InvalidParams.
  if (request.method === "tools/call" && typeof request.params?.name === "string") return undefined;
  const checked = REQUESTS.get(request.method)?.["~standard"].validate(request);
  const [issue] = (checked as { issues?: readonly Issue[] } | undefined)?.issues ?? [];
  if (issue === undefined) return undefined;
  const path = (issue.path ?? []).join(".").slice(0, 100);
  const error = { code: ProtocolErrorCode.InvalidParams, message: `${path}: ${issue.message}` };
  return { jsonrpc: "2.0", id: request.id, error };
}

interface Issue {
  message: string;
  path?: readonly unknown[];
}

interface OneCall {
  args: unknown;
  handlers: ServerHandlers;
  /** Rejects the request with an error other than ProtocolError. */
  fail: (error: unknown) => void;
  /**
   * Stores the result of a call. It does not pass through the SDK, which does not support tasks.
   */
  keep: (result: CallToolResult | CreatedTask) => void;
}

/** Creates the server of one request. The SDK answers `initialize` and negotiates the revision. */
function createServer(options: ServerOptions, call: OneCall): Server {
  const { args, handlers, keep } = call;
  const server = new Server(INFO, options);
  server.setRequestHandler("tools/list", ({ params }) => {
    // There is one page, so no cursor can be valid.
    if (params?.cursor !== undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown cursor");
    }
    return { tools: handlers.listTools() };
  });
  server.setRequestHandler("tools/call", async ({ params }) => {
    keep(await answerable(call, () => handlers.callTool(params.name, args ?? {})));
    return { content: [] };
  });
  return server;
}

const TaskParams = z.object({ taskId: z.string() });

/**
 * Registers the methods of the tasks extension. A client that does not declare the extension gets
 * an error that names it.
 */
function offerTasks(server: Server, request: JSONRPCRequest, call: OneCall): void {
  const { handlers } = call;
  const offer = (method: string, answer: (taskId: string) => Promise<Result>) =>
    server.setRequestHandler(method, { params: TaskParams }, async ({ taskId }) => {
      requireTasks(request);
      return await answerable(call, () => answer(taskId));
    });
  offer("tasks/get", (taskId) => handlers.getTask(taskId));
  offer("tasks/cancel", async (taskId) => {
    await handlers.cancelTask(taskId);
    return {};
  });
  // No task asks its client for input, so there is nothing to update.
  offer("tasks/update", async (taskId) => {
    await handlers.getTask(taskId);
    return {};
  });
}

/** Runs a handler. Passes errors to `fail`, except a ProtocolError, which the SDK answers. */
async function answerable<T>({ fail }: OneCall, answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof ProtocolError)) fail(error);
    throw error;
  }
}

type Respond = (message: JSONRPCMessage) => void;

/** Transport that carries one request in and its response out. */
class OneRequest implements Transport {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(readonly respond: Respond) {}

  async start(): Promise<void> {}

  // deno-lint-ignore require-await -- the interface requires a promise
  async send(message: JSONRPCMessage): Promise<void> {
    this.respond(message);
  }

  async close(): Promise<void> {}
}

/**
 * Transport that carries one request of revision 2026-07-28. It extends the SDK's transport,
 * because the SDK serves that revision through no other class.
 */
class ModernExchange extends PerRequestHTTPServerTransport {
  constructor(classification: MessageClassification, readonly respond: Respond) {
    super({ classification });
  }

  // deno-lint-ignore require-await -- the interface requires a promise
  override async send(message: JSONRPCMessage): Promise<void> {
    this.respond(message);
  }
}
