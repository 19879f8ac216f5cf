/**
 * JSON-RPC requests of both eras through the SDK. Each has a server to itself, since nothing is kept
 * between two requests.
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

/** What the service answers, whichever era the request is of. */
export interface ServerHandlers {
  listTools(): Tool[];
  /**
   * @param given as it came: anything at all
   * @throws ProtocolError where the protocol knows no such tool; anything else ends the request
   */
  callTool(name: string, given: unknown): Promise<CallToolResult | CreatedTask>;
  /** @throws ProtocolError if there is no such task; anything else ends the request */
  getTask(taskId: string): Promise<DetailedTask>;
  /** @throws ProtocolError if there is no such task, or if it can no longer be cancelled */
  cancelTask(taskId: string): Promise<void>;
}

const INFO = { name: "company-evidence", title: "Company evidence service", version: API_VERSION };

/** Milliseconds for which a client may keep the list: a plan rarely changes. */
const LIST_TTL_MS = 300_000;

/** Milliseconds for which a client may keep what the server says of itself. */
const DISCOVER_TTL_MS = 3_600_000;

const LEGACY: ServerOptions = {
  capabilities: { tools: {} },
  instructions: INSTRUCTIONS,
  cacheHints: {
    // The list shows the page size of the caller's plan.
    "tools/list": { ttlMs: LIST_TTL_MS, cacheScope: "private" },
    "server/discover": { ttlMs: DISCOVER_TTL_MS, cacheScope: "public" },
  },
  // For what a server asks of its client; this one asks nothing, and making the default is dear.
  jsonSchemaValidator: {
    getValidator(): never {
      throw new Error("nothing is asked of clients");
    },
  },
};

const MODERN: ServerOptions = {
  ...LEGACY,
  capabilities: { ...LEGACY.capabilities, extensions: { [TASKS]: {} } },
  supportedProtocolVersions: [MODERN_VERSION],
};

/** Checked here, since the SDK calls its own error what is wrong with them. */
const REQUESTS = new Map<string, StandardSchemaV1>([
  ["initialize", specTypeSchemas.InitializeRequest],
  ["tools/list", specTypeSchemas.ListToolsRequest],
  ["tools/call", specTypeSchemas.CallToolRequest],
]);

/** A JSON-RPC response, and the HTTP status that it comes with. */
export interface Answered {
  message: JSONRPCMessage;
  status: number;
}

/**
 * Answers a request.
 * @throws whatever callTool throws beside ProtocolError: it is not the protocol's to answer
 */
export async function answerRequest(
  request: JSONRPCRequest,
  revision: Revision,
  handlers: ServerHandlers,
): Promise<Answered> {
  const { plain, given } = withoutArguments(request);
  const isModern = revision !== undefined;
  const fault = isModern && plain.method === "initialize" ? undefined : faultOf(plain);
  if (fault !== undefined) return { message: fault, status: 200 };
  const { promise, resolve, reject } = Promise.withResolvers<JSONRPCMessage>();
  let created: CreatedTask | undefined;
  const call = { given, handlers, fail: reject, create: (task: CreatedTask) => created = task };
  const server = createServer(isModern ? MODERN : LEGACY, call);
  if (isModern) offerTasks(server, plain, call);
  const transport = isModern ? new ModernExchange(revision, resolve) : new OneRequest(resolve);
  server.connect(transport).then(
    () => transport.onmessage!(plain, isModern ? { classification: revision } : undefined),
    reject,
  );
  const message = withTask(await promise, created);
  const code = "error" in message ? message.error.code : undefined;
  return { message, status: isModern && code !== undefined ? STATUSES[code] ?? 200 : 200 };
}

/** HTTP statuses of errors by revision 2026-07-28. Other errors come with 200. */
const STATUSES: Partial<Record<number, number>> = {
  [ProtocolErrorCode.MethodNotFound]: 404,
  [ProtocolErrorCode.MissingRequiredClientCapability]: 400,
};

/** The SDK writes results of calls alone: a task takes the place of one. */
function withTask(message: JSONRPCMessage, created: CreatedTask | undefined): JSONRPCMessage {
  if (created === undefined || !("result" in message)) return message;
  const _meta = { ...message.result._meta, ...created._meta };
  return { ...message, result: { ...created, _meta } };
}

interface PlainRequest {
  plain: JSONRPCRequest;
  given: unknown;
}

/**
 * Takes the arguments out: they are the action's to judge, and the SDK's copy of them would lack odd
 * names. A server that offers no tasks of 2025-11-25 ignores that one was asked for.
 */
function withoutArguments({ params, ...request }: JSONRPCRequest): PlainRequest {
  const { arguments: given, task: _task, ...rest } = params ?? {};
  return { plain: { ...request, ...params && { params: rest } }, given };
}

/** Returns the error of a request whose parameters are not those of its method. */
function faultOf(request: JSONRPCRequest): JSONRPCMessage | undefined {
  // The SDK itself calls the rest of a call's faults by this code.
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
  given: unknown;
  handlers: ServerHandlers;
  /** Takes what is not the protocol's to answer. */
  fail: (error: unknown) => void;
  /** Takes the task that a call has become. */
  create: (task: CreatedTask) => void;
}

function createServer(options: ServerOptions, call: OneCall): Server {
  const { given, handlers, create } = call;
  const server = new Server(INFO, options);
  server.setRequestHandler("tools/list", ({ params }) => {
    // There is one page, so no cursor can be valid.
    if (params?.cursor !== undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown cursor");
    }
    return { tools: handlers.listTools() };
  });
  server.setRequestHandler("tools/call", async ({ params }) => {
    const result = await answerable(call, () => handlers.callTool(params.name, given ?? {}));
    if (!("taskId" in result)) return result;
    create(result as CreatedTask);
    return { content: [] };
  });
  return server;
}

const TaskParams = z.object({ taskId: z.string() });

/** Methods of the tasks extension; a client that does not declare it is told what it lacks. */
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
  // No task asks its client for anything, so there is nothing to take.
  offer("tasks/update", async (taskId) => {
    await handlers.getTask(taskId);
    return {};
  });
}

/** Lets the protocol answer its own errors alone. */
async function answerable<T>({ fail }: OneCall, answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof ProtocolError)) fail(error);
    throw error;
  }
}

type Respond = (message: JSONRPCMessage) => void;

/** A transport that carries one request in and its response out. */
class OneRequest implements Transport {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(readonly respond: Respond) {}

  async start(): Promise<void> {}

  // deno-lint-ignore require-await -- the interface's word
  async send(message: JSONRPCMessage): Promise<void> {
    this.respond(message);
  }

  async close(): Promise<void> {}
}

/** The same for revision 2026-07-28: a server serves this revision on the SDK's own transport alone. */
class ModernExchange extends PerRequestHTTPServerTransport {
  constructor(classification: MessageClassification, readonly respond: Respond) {
    super({ classification });
  }

  // deno-lint-ignore require-await -- the interface's word
  override async send(message: JSONRPCMessage): Promise<void> {
    this.respond(message);
  }
}
