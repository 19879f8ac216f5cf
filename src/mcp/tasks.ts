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
import type { ErrorEnvelope } from "../contract/operation.ts";
import { type AnswerFacts, errorEnvelope } from "../doors/answer.ts";
import { Failure } from "../failures.ts";
import type { Caller, Context, OperationTimes } from "../operations/action.ts";
import { cancelOperation } from "../operations/answer.ts";

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

/** Returns the task of an operation. @param ttl_ms min milliseconds for which its result is kept */
export function taskOf(id: number, times: OperationTimes, ttl_ms: number): Task {
  const { claimed_at, finished_at, cancelled } = times;
  return {
    taskId: String(id),
    status: cancelled ? "cancelled" : finished_at === null ? "working" : "completed",
    createdAt: claimed_at,
    lastUpdatedAt: finished_at ?? claimed_at,
    ttlMs: ttl_ms,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

/**
 * Finds a task.
 * @param poll calls get_usage
 * @throws ProtocolError if the account has no such operation, or if it cannot be read at present
 */
export async function getTask(
  taskId: string,
  poll: (id: number) => Promise<{ result: object; body: object; times?: OperationTimes }>,
  ttl_ms: number,
): Promise<DetailedTask> {
  const id = operationId(taskId);
  const { result, body, times } = await poll(id);
  // Without an operation, the poll was refused. The task itself has not failed.
  if (times === undefined) throw refusedPoll((body as ErrorEnvelope).error);
  const task = taskOf(id, times, ttl_ms);
  return task.status === "completed" ? { ...task, result: result as CallToolResult } : { ...task };
}

/**
 * Cancels a task. Failure invalid_api_key is thrown unchanged, because the HTTP layer answers it.
 * @throws ProtocolError if there is no such task, or if its operation can no longer be cancelled
 */
export async function cancelTask(taskId: string, context: Context, caller: Caller): Promise<void> {
  const outcome = await cancelOperation(context, caller, operationId(taskId)).catch((error) => {
    if (!(error instanceof Failure) || error.code === "invalid_api_key") throw error;
    throw refusedPoll(errorEnvelope(error).error);
  });
  if (outcome === "cancelled") return;
  throw new ProtocolError(
    NOT_CANCELLABLE,
    `The task cannot be cancelled: its operation is ${outcome}.`,
    { error: { code: "task_not_cancellable", status: outcome } },
  );
}

function operationId(taskId: string): number {
  const id = Number(taskId);
  if (/^[1-9]\d*$/.test(taskId) && Number.isSafeInteger(id)) return id;
  throw unknownTask();
}

/** Returns the error of a refused read. An operation of another account is an unknown task. */
function refusedPoll(error: ErrorEnvelope["error"]): ProtocolError {
  if (error.code === "usage_not_found") return unknownTask();
  return new ProtocolError(ProtocolErrorCode.InternalError, error.message, { error });
}

function unknownTask(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "Unknown task: no operation with this id is available to this account.",
  );
}
