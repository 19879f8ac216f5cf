/** Takes a metered request through its steps: normalize, claim, perform, settle, replay. */
import { requireEntitled } from "../accounts/subscription.ts";
import { isAnswerLost, isUnavailable } from "../db/failure.ts";
import { Failure } from "../failures.ts";
import type { Log } from "../log.ts";
import type { ChargedUnits, Door, Metrics, OperationStatus } from "../metrics.ts";
import type { Caller, Context, MeteredAction, Reply, Work } from "./action.ts";
import type { Answer } from "./answer.ts";
import { claim, type ClaimRequest, isLease, type Lease } from "./claim.ts";
import { type RawRequest, readRequest } from "./inputs.ts";
import type { LeaseReturns } from "./lease_returns.ts";
import { readOperation, replay } from "./replay.ts";
import { claimAndSettle, fail, settle } from "./settle.ts";
import type { CallerTurns } from "./caller_turns.ts";
import type { DeliveredCallers } from "./delivered_callers.ts";
import { inSpan } from "../tracing.ts";

export interface RunContext extends Context {
  log: Log;
  /** Gives back the leases of operations that this process does not finish. */
  returns: LeaseReturns;
  /** Callers whose searches may be performed before they are claimed. */
  delivered: DeliveredCallers;
  /** Limits the claiming statements of each caller. */
  turns: CallerTurns;
  /** Called when this process has queued background work. */
  wake?: () => void;
  deadline_seconds: number;
  /** Door of the requests; absent for background work. */
  door?: Door;
  /** Counters of the outcomes of operations. */
  metrics?: Pick<Metrics, "operation" | "leasesExpired">;
}

/**
 * Runs an action for a caller. `read` returns the raw request. Both `read` and the check of the
 * inputs may refuse the request. A caller without a valid key or subscription gets
 * invalid_api_key or subscription_required instead of that refusal.
 */
export async function run<Inputs extends object>(
  context: RunContext,
  action: MeteredAction<Inputs>,
  caller: Caller,
  read: () => Promise<RawRequest> | RawRequest,
): Promise<Reply> {
  const { metrics, door = "background" } = context;
  let end: OperationEnd | undefined;
  try {
    const answer = await answerTo(context, action, caller, read);
    end = endOf(answer);
    const reply = await inSpan("replay", () => Promise.resolve(replay(action, answer)));
    return { ...reply, charged: end.units };
  } catch (error) {
    end ??= refusalOf(error);
    throw error;
  } finally {
    context.delivered.record(caller, end!.status === "delivered");
    metrics?.operation({ action: action.name, door, ...end! });
  }
}

/** Outcome of a request. */
interface OperationEnd {
  status: OperationStatus;
  code?: string;
  units?: ChargedUnits;
}

/** Returns the outcome of a request. Only the request that settles the operation is charged. */
export function endOf(
  { outcome, operation, failure_code }: Pick<
    Answer,
    "outcome" | "operation" | "failure_code"
  >,
): OperationEnd {
  if (outcome === "accepted") return { status: "accepted" };
  if (outcome === "found") return { status: "replayed" };
  if (operation.status === "delivered") return { status: "delivered", units: operation };
  return { status: "failed", code: failure_code ?? undefined };
}

function refusalOf(error: unknown): OperationEnd {
  const refused = error instanceof Failure && error.status < 500;
  return refused ? { status: "refused", code: error.code } : { status: "error" };
}

async function answerTo<Inputs extends object>(
  context: RunContext,
  action: MeteredAction<Inputs>,
  caller: Caller,
  read: () => Promise<RawRequest> | RawRequest,
): Promise<Answer<Inputs>> {
  const { request, request_key } = await refusable(
    context,
    caller,
    async () => {
      const raw = await inSpan("door", async () => await read());
      return await inSpan("normalize", async () => await readRequest(action, raw, context.now));
    },
  );
  if (!action.ready()) {
    await requireEntitled(context, caller);
    throw new Failure("unavailable");
  }
  const { deadline_seconds } = context;
  const claimRequest = { action, caller, request_key, request, deadline_seconds };
  const early = await answerEarly(context, claimRequest);
  if (early !== undefined) return early;
  const claimed = await inSpan("claim", () => claimOrGiveBack(context, claimRequest));
  if (!isLease(claimed)) {
    if (claimed.outcome === "accepted") context.wake?.();
    return claimed;
  }
  const answer = await perform(context, { action, lease: claimed, inputs: request.inputs, caller });
  return answer!;
}

/**
 * Performs a request before it is claimed, and claims and settles it in one statement. Returns
 * undefined if the request must be claimed first.
 */
async function answerEarly<Inputs extends object>(
  context: RunContext,
  request: ClaimRequest<Inputs>,
): Promise<Answer<Inputs> | undefined> {
  const { action, caller, request: { inputs, cursor, background } } = request;
  if (action.performFromMemory === undefined || cursor !== null || background) return;
  if (!context.delivered.start(caller)) return;
  try {
    const work = await inSpan("perform", () => action.performFromMemory!(context, inputs))
      // After an error, the request is claimed and performed again, as if it had not been early. If
      // the error recurs, perform() handles it.
      .catch(() => undefined);
    if (work === undefined) return;
    return await inSpan(
      "settle",
      () => context.turns.run(caller, () => claimAndSettle(context, request, work)),
    );
  } finally {
    context.delivered.end(caller);
  }
}

/**
 * Claims an operation. If the answer is lost, the operation may be leased to this process, which
 * would never perform it. The lease is then given back in the background, so that a retry need not
 * wait until the lease ends. Background work needs no such step: either its message was sent, or
 * the operation does not exist.
 */
async function claimOrGiveBack<Inputs extends object>(
  context: RunContext,
  request: ClaimRequest<Inputs>,
): Promise<Lease | Answer<Inputs>> {
  const token = crypto.randomUUID();
  try {
    return await context.turns.run(request.caller, () => claim(context, { ...request, token }));
  } catch (error) {
    if (isAnswerLost(error)) {
      if (request.request.background) context.wake?.();
      else void context.returns.giveBack({ token, operation_id: null, reason: "unseen" });
    }
    throw error;
  }
}

/**
 * Runs a check that may refuse a request's input. A caller without a valid key or subscription gets
 * invalid_api_key or subscription_required instead of that refusal.
 */
export async function refusable<T>(
  context: Context,
  caller: Caller,
  check: () => Promise<T> | T,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    // A key that the check itself found invalid is not checked again.
    if (error instanceof Failure && error.status < 500 && error.code !== "invalid_api_key") {
      await requireEntitled(context, caller);
    }
    throw error;
  }
}

export interface Performance<Inputs extends object> {
  action: MeteredAction<Inputs>;
  lease: Lease;
  inputs: Inputs;
  /** Null for background work. */
  caller: Caller | null;
}

/**
 * Performs and settles an operation under a lease (rooms 4 and 5). A Failure of perform ends the
 * operation. After any other error the lease is given back. The work is then retried in the
 * background, and no reservation leaks. If the database was unavailable, the attempt does not count
 * as a failure of the work.
 * @returns the answer to `caller`; undefined for a failed background operation
 */
export async function perform<Inputs extends object>(
  context: RunContext,
  { action, lease, inputs, caller }: Performance<Inputs>,
): Promise<Answer<Inputs> | undefined> {
  try {
    const work = await inSpan("perform", () => performOrFail(context, { action, lease, inputs }));
    if (work !== undefined) {
      const limit = action.pageLimit(inputs);
      const settlement = { action, lease, inputs, caller, limit, work };
      return await inSpan("settle", () => settle(context, settlement));
    }
    if (caller === null) return undefined;
    return { ...await readOperation(context, caller, lease.operation_id), outcome: "settled" };
  } catch (error) {
    const { token, operation_id } = lease;
    const reason = isUnavailable(error) ? "unavailable" : "failed";
    await context.returns.giveBack({ token, operation_id, reason });
    throw error;
  }
}

/** Performs an operation. @returns the values to settle; undefined if the operation has failed */
async function performOrFail<Inputs extends object>(
  context: RunContext,
  { action, lease, inputs }: Omit<Performance<Inputs>, "caller">,
): Promise<Work | undefined> {
  try {
    return await action.perform(context, inputs, lease);
  } catch (error) {
    if (!(error instanceof Failure) || isUnavailable(error)) throw error;
    await fail(context, lease, error.code);
    const { operation_id } = lease;
    context.log.info("operation failed", { operation_id, code: error.code });
  }
}
