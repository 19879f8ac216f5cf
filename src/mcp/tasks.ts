/**
 * Presents operations as tasks (extension io.modelcontextprotocol/tasks, revision 2026-07-28). A
 * task is an operation in the background: its id is usage.id, and its result is the answer of
 * get_usage.
 */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type JSONRPCRequest,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { AnswerFacts } from "../doors/answer.ts";
import { Failure } from "../failures.ts";
import { cancelOperation, readOperationTimes } from "../operations/answer.ts";
import type { Caller } from "../operations/action.ts";
import type { RunContext } from "../operations/run.ts";

/** Name of the extension among the capabilities. */
export const TASKS = "io.modelcontextprotocol/tasks";

/**
 * Milliseconds that a client should wait between two polls. It is the interval of HTTP
 * (`Retry-After: 1`).
 */
const POLL_INTERVAL_MS = 1_000;

/** Error code for a task that can no longer be cancelled, from JSON-RPC's range for servers. */
const NOT_CANCELLABLE = -32001;

/** Fields of a task in every answer. */
interface Task {
  taskId: string;
  status: "working" | "completed" | "cancelled";
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: number;
  pollIntervalMs: number;
}

/** Answer of a call that returns a task in place of a result. */
export interface CreatedTask extends Task {
  resultType: "task";
  _meta: AnswerFacts;
}

/** A task with its result, if it has one. */
export interface DetailedTask extends Task {
  [member: string]: unknown;
  result?: CallToolResult;
}

/** Context in which a task is looked up, and its caller. */
export interface TaskContext {
  context: RunContext;
  caller: Caller;
  /** Min milliseconds from a task's creation for which its result is kept. */
  ttl_ms: number;
}

/** Returns whether the client of a request accepts a task in place of a result. */
export function declaresTasks({ params }: JSONRPCRequest): boolean {
  const capabilities = params?._meta?.[CLIENT_CAPABILITIES_META_KEY] as
    | { extensions?: Record<string, unknown> }
    | undefined;
  return capabilities?.extensions?.[TASKS] !== undefined;
}

/**
 * Requires the tasks extension.
 * @throws MissingRequiredClientCapabilityError if the client does not declare the extension
 */
export function requireTasks(request: JSONRPCRequest): void {
  if (declaresTasks(request)) return;
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS]: {} } },
  });
}

/** Returns the task of an operation in the background. */
export async function createdTask(
  operation_id: number,
  facts: AnswerFacts,
  where: TaskContext,
): Promise<CreatedTask> {
  return { resultType: "task", ...await taskOf(operation_id, "working", where), _meta: facts };
}

/**
 * Finds a task.
 * @param poll calls get_usage
 * @throws ProtocolError if the account has no such operation, or if it cannot be read at present
 */
export async function getTask(
  taskId: string,
  poll: (id: number) => Promise<{ result: CallToolResult; body: object }>,
  where: TaskContext,
): Promise<DetailedTask> {
  const id = operationId(taskId);
  const { result, body }: { result: CallToolResult; body: PolledBody } = await poll(id);
  // A body without `usage` means that the poll was refused. The task itself has not failed.
  if (body.usage === undefined) throw refusedPoll(body);
  const isWorking = ["pending", "processing"].includes(body.usage.status);
  const task = await taskOf(id, isWorking ? "working" : "completed", where);
  return task.status === "completed" ? { ...task, result } : { ...task };
}

interface PolledBody {
  usage?: { status: string };
  error?: { code: string; message: string };
}

/**
 * Cancels a task.
 * @throws ProtocolError if there is no such task, or if its operation can no longer be cancelled
 */
export async function cancelTask(taskId: string, where: TaskContext): Promise<void> {
  const { context, caller } = where;
  const outcome = await withProtocolErrors(() =>
    cancelOperation(context, caller, operationId(taskId))
  );
  if (outcome === "cancelled") return;
  throw new ProtocolError(
    NOT_CANCELLABLE,
    `The task cannot be cancelled: its operation is ${outcome}.`,
    { error: { code: "task_not_cancellable", status: outcome } },
  );
}

async function taskOf(
  id: number,
  status: Task["status"],
  { context, caller, ttl_ms }: TaskContext,
): Promise<Task> {
  const times = await withProtocolErrors(() => readOperationTimes(context, caller, id));
  return {
    taskId: String(id),
    status: times.cancelled ? "cancelled" : status,
    createdAt: times.claimed_at,
    lastUpdatedAt: times.finished_at ?? times.claimed_at,
    ttlMs: ttl_ms,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

function operationId(taskId: string): number {
  const id = Number(taskId);
  if (/^[1-9]\d*$/.test(taskId) && Number.isSafeInteger(id)) return id;
  throw unknownTask();
}

/**
 * Runs a function, and turns its failures into errors of the protocol. An operation of another
 * account is an unknown task. Failure invalid_api_key remains, because the HTTP layer answers it.
 */
async function withProtocolErrors<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "invalid_api_key") throw error;
    throw refusedPoll({ error });
  }
}

function refusedPoll({ error }: PolledBody): ProtocolError {
  if (error === undefined || error.code === "usage_not_found") return unknownTask();
  const { code, message } = error;
  return new ProtocolError(ProtocolErrorCode.InternalError, message, { error: { code, message } });
}

function unknownTask(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "Unknown task: no operation with this id is available to this account.",
  );
}
