/**
 * Takes a metered request through its steps: read, check, claim, perform, settle, answer. There is
 * no other way to be charged.
 */
import type { KnownKeys } from "../accounts/known_keys.ts";
import { requireEntitled } from "../accounts/subscription.ts";
import { isAnswerLost, isUnavailable } from "../db/failure.ts";
import { Failure, type FailureCode } from "../failures.ts";
import type { Log } from "../log.ts";
import type { ChargedUnits, Door, Metrics, OperationStatus } from "../metrics.ts";
import { inSpan } from "../tracing.ts";
import type { Caller, Context, MeteredAction, ReadAction, Reply, Work } from "./action.ts";
import { type Ending, isWhole, replay } from "./answer.ts";
import { claim, isLease, type Lease } from "./claim.ts";
import { type RawInputs, type RawRequest, readInputs, readRequest } from "./inputs.ts";
import type { LeaseReturns } from "./lease_returns.ts";
import type { ReadRates } from "./read_rates.ts";
import type { QueuePlace, Turns } from "./turns.ts";

export interface RunContext extends Context {
  log: Log;
  /** Gives leases of unfinished operations back, again and again until the database confirms it. */
  returns: LeaseReturns;
  /** Finds the terms of a key, which may be a minute old. The claim checks the key again. */
  keys: KnownKeys;
  /** Lets the subscriptions of this process take turns. */
  turns: Turns;
  /** Counts the bodies of each subscription that are being read. */
  bodies: Turns;
  /** Bounds the rate of unmetered reads, which this process counts in memory. */
  reads: ReadRates;
  /** Called when a settlement answers that units are charged, not if that answer is lost. */
  charged?: (units: ChargedUnits) => void;
  deadline_seconds: number;
  /** Door of the requests; absent for background work. */
  door?: Door;
  /** Counters of the outcomes of operations. */
  metrics?: Pick<Metrics, "operation" | "leasesExpired">;
}

/**
 * Runs a metered request of a caller, and returns its answer. An unknown caller learns nothing about
 * the request, because its key is looked up first.
 *
 * If the process dies before the claim commits, nothing has happened. The server may still finish
 * and commit a statement whose client has gone. Then it is as if the process died after it. If the
 * process dies between claim and settlement, the lease of the operation runs out after
 * OPERATION_LEASE_SECONDS. The next sweep queues the operation for a worker (worker.ts); only a
 * settlement charges it. Its units stay reserved until it has ended. With the embedded database,
 * the next start ends all leases and queues their operations, without a wait (openDatabase). After
 * the settlement, a retry gets what may be shown of the delivery then.
 *
 * Background work is in the queue from its claim on, and has no lease until a worker takes it. The
 * lease hides its message. If the lease runs out, the queue delivers the message again.
 *
 * If only the database fails, the caller gets 503 `unavailable` and repeats its key. If the claim
 * has committed, it gets 202 until the operation has ended, and then its outcome.
 *
 * @param read returns the raw request; it may refuse it
 * @throws Failure if the request is refused, or if its operation failed or expired
 */
export async function run<Inputs extends object>(
  context: RunContext,
  action: MeteredAction<Inputs>,
  caller: Caller,
  read: (subscription_id: number) => Promise<RawRequest> | RawRequest,
): Promise<Reply> {
  let end: OperationEnd | undefined;
  try {
    const { subscription_id } = await context.keys.termsOf(context, caller);
    const { request, request_key } = await refusable(context, caller, async () => {
      const raw = await inSpan("door", async () => await read(subscription_id));
      return await inSpan("normalize", async () => await readRequest(action, raw));
    });
    using place = request.background ? undefined : context.turns.enter(subscription_id);
    // Background work needs no place. Without one, a waiting caller is refused.
    const isFull = place === undefined && !request.background;
    const refusal = action.ready()
      ? isFull ? "too_many_requests" as const : undefined
      : "unavailable" as const;
    const token = crypto.randomUUID();
    const { deadline_seconds } = context;
    const wanted = { action, caller, request_key, request, deadline_seconds, refusal, token };
    const claimed = await inSpan("claim", () => claim(context, wanted)).catch((error) => {
      // This process may have the lease, or get it when the claim commits late. It never performs the
      // operation.
      if (isAnswerLost(error) && !request.background) {
        void context.returns.giveBack(token, "unseen");
      }
      throw error;
    });
    const { inputs } = request;
    const answer = isLease(claimed)
      ? await performAndSettle(context, { action, lease: claimed, inputs, caller, place })
      : claimed;
    end = endOf(answer);
    if (end.units !== undefined) context.charged?.(end.units);
    // The key was revoked meanwhile. Other keys of the account see the operation and any charge.
    if (!isWhole(answer)) throw new Failure("invalid_api_key");
    return await inSpan("replay", () => Promise.resolve(replay(action, answer)));
  } catch (error) {
    const refused = error instanceof Failure && error.status < 500;
    end ??= refused ? { status: "refused", code: error.code } : { status: "error" };
    throw error;
  } finally {
    const { metrics, door = "background" } = context;
    metrics?.operation({ action: action.name, door, ...end! });
  }
}

/** An operation to perform, under its lease. */
export interface LeasedOperation<Inputs extends object> {
  action: MeteredAction<Inputs>;
  lease: Lease;
  inputs: Inputs;
  /** Null for background work. */
  caller: Caller | null;
  /** Place of a request whose caller waits; absent for background work. */
  place?: QueuePlace;
}

/**
 * Performs and settles an operation under its lease (steps 4 and 5). A Failure other than
 * `unavailable` ends the operation. After any other error the lease is given back, and workers
 * retry the work. After five attempts of workers that failed or died, the operation ends as
 * usage_failed; once it is seen after its deadline (OPERATION_DEADLINE_SECONDS), as usage_expired.
 * Neither is charged. If the settlement was committed although its answer was lost, it has ended
 * the lease, so giving it back changes nothing.
 *
 * An operation that gets no turn within 4 s throws `unavailable`. The caller gets 503, a worker
 * performs the operation, and a retry gets 202 until it has ended.
 * @returns what the database holds afterwards: the lease may have been lost
 */
export async function performAndSettle<Inputs extends object>(
  context: RunContext,
  { action, lease, inputs, caller, place }: LeasedOperation<Inputs>,
): Promise<Ending<Inputs>> {
  try {
    await place?.turn();
    const work = await inSpan("perform", async () => await action.perform(context, inputs, lease))
      .catch(failureOrThrow);
    if (work instanceof Failure) {
      return await inSpan("settle", () => fail(context, { lease, caller, code: work.code }));
    }
    const limit = action.pageLimit(inputs);
    return await inSpan("settle", () => settle(context, { action, lease, caller, limit, work }));
  } catch (error) {
    // Without the database, a turn or a ready action, the work itself has not failed.
    const reason = isUnavailable(error) ? "unavailable" : "failed";
    // This waits at most 1 s, and never throws.
    await context.returns.giveBack(lease.token, reason);
    throw error;
  }
}

/** Returns a Failure that ends an operation. Throws any other error. */
function failureOrThrow(error: unknown): Failure {
  if (error instanceof Failure && !isUnavailable(error)) return error;
  throw error;
}

/**
 * Runs a check that may refuse a request's input. A caller without a valid key or subscription gets
 * invalid_api_key or subscription_required instead of that refusal.
 */
async function refusable<T>(
  context: Context,
  caller: Caller,
  check: () => Promise<T> | T,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Failure && error.status < 500) await requireEntitled(context, caller);
    throw error;
  }
}

/**
 * Runs an unmetered read of a caller. `raw` may refuse the input too.
 * @throws Failure if the input is invalid, or if the caller reads more than its plan allows
 */
export async function read<Inputs>(
  context: RunContext,
  action: ReadAction<Inputs>,
  caller: Caller,
  raw: () => RawInputs,
): Promise<Reply> {
  const inputs = await refusable(context, caller, () => readInputs(action, raw()));
  const { id } = inputs as { id?: number };
  const terms = await context.keys.termsOf(context, caller);
  await context.reads.admit(context, caller, { ...terms, action: action.name, id });
  return await action.read(context, caller, inputs);
}

/** Outcome of a request, for the metrics. */
interface OperationEnd {
  status: OperationStatus;
  code?: string;
  units?: ChargedUnits;
}

/**
 * Returns the outcome of a request. Only the request that settles the operation is charged. A
 * request that was overtaken counts as accepted: if another process ends it, that process counts it.
 */
export function endOf({ outcome, operation, failure_code }: Ending): OperationEnd {
  if (outcome === "accepted" || outcome === "overtaken") return { status: "accepted" };
  if (outcome === "found") return { status: "replayed" };
  if (operation.status === "delivered") return { status: "delivered", units: operation };
  return { status: "failed", code: failure_code ?? undefined };
}

/** Performed work of an operation under its lease. */
export interface Settlement {
  action: Pick<MeteredAction, "delivery_unit">;
  lease: Lease;
  /** Null for background work, whose answer no caller awaits. */
  caller: Caller | null;
  /** Max number of entries of the page; null if the action has no pages. */
  limit: number | null;
  work: Work;
}

/**
 * Delivers and charges an operation. This happens exactly once, because only the holder of the
 * lease can do it.
 * @returns the answer to the caller; its outcome is `overtaken` if the lease was lost
 */
export async function settle<Inputs>(
  { sql, now }: Context,
  { action, lease, caller, limit, work }: Settlement,
): Promise<Ending<Inputs>> {
  const [row] = await sql<{ settlement: Ending<Inputs> }[]>`
    select settle_operation(
      ${caller?.key_hash ?? null},
      ${lease.operation_id},
      ${lease.token},
      ${sql.json(work.entries as never)},
      ${limit},
      ${action.delivery_unit},
      ${sql.json(work.facts as never)},
      ${limit === null ? null : createCursor()},
      ${work.next === undefined ? null : sql.json(work.next as never)},
      ${work.refresh_hostnames ?? []},
      ${work.fresh_observation_ids ?? []},
      ${now?.() ?? null}
    ) as settlement
  `;
  return row!.settlement;
}

/**
 * Ends an operation by a failure, uncharged. The failure is replayed for its key.
 * @returns the answer to the caller; its outcome is `overtaken` if the lease was lost
 */
export async function fail<Inputs>(
  { sql, now }: Context,
  { lease, caller, code }: { lease: Lease; caller: Caller | null; code: FailureCode },
): Promise<Ending<Inputs>> {
  const [row] = await sql<{ failed: Ending<Inputs> }[]>`
    select fail_operation(
      ${caller?.key_hash ?? null}, ${lease.operation_id}, ${lease.token}, ${code}, ${
    now?.() ?? null
  }
    ) as failed
  `;
  return row!.failed;
}

/**
 * Returns an opaque cursor: 192 random bits, so that no cursor can be guessed from another one. The
 * database keeps it with the account, the search and the position, and checks it when a request is
 * claimed.
 */
function createCursor(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toBase64({ alphabet: "base64url" });
}
