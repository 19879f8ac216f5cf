/** Gives leases back in the background until the database has taken them. */
import type { Sql } from "../db/connect.ts";
import { defectFields, type Log } from "../log.ts";
import { pause } from "../repeat.ts";

/**
 * Why a lease is given back. The reason decides whether the read of the message counts as one of a
 * poison message, and when the work is tried again (see give_back_leases).
 *
 * - `failed`: the work failed by itself.
 * - `unavailable`: the database did not answer in time, or the process stops.
 * - `unseen`: the answer of the statement that took the lease was lost.
 */
export type ReturnReason = "failed" | "unavailable" | "unseen";

interface ReturnedLease {
  token: string;
  /** Null for an unseen lease. Its operation may not exist. */
  operation_id: number | null;
  reason: ReturnReason;
}

interface LeaseReturnsOptions {
  sql: Sql;
  log: Log;
  /** Called when an operation can be taken again at once. */
  wake?: () => void;
  /** Fixes the clock in tests. */
  now?: () => Date;
}

/** Milliseconds that the giver waits for the first attempts before it goes on. */
const GIVER_MS = 1_000;

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Milliseconds for which an unseen lease may still come into being: the server may go on with a
 * statement whose client is gone, up to the statement time-out.
 */
const IN_FLIGHT_MS = 12_000;

/** Milliseconds that a closing process waits for the last attempt. */
const CLOSE_MS = 4_000;

interface Waiting extends ReturnedLease {
  since: number;
  done: PromiseWithResolvers<void>;
}

type ReturnOutcome = "given_back" | "unknown" | "locked";

/**
 * All leases share one loop and one statement, so that an outage that hits many requests at once
 * does not become a crowd of retries. Each retry is harmless, because a token gives its lease back
 * only once.
 *
 * What counts as a read of a poison message follows from this. pgmq counts each read when it
 * happens, so a process that dies leaves its read counted and needs no record of its own. A read
 * that ended because of the database is taken back in the statement that gives its lease back. If
 * the outage is longer than the lease, another process may read the message first. That process notes
 * the lease that it overtakes, and the first one takes its own read back by it. Only a process that
 * stops during an outage leaves a read counted, as if it had crashed.
 */
export class LeaseReturns {
  readonly #options: LeaseReturnsOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #bell = new EventTarget();
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: LeaseReturnsOptions) {
    this.#options = options;
  }

  /** Resolves when the lease is given back, or after a second while the attempts go on. */
  async giveBack(lease: ReturnedLease): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#waiting.set(lease.token, { ...lease, since: performance.now(), done });
    this.#bell.dispatchEvent(new Event("ring"));
    this.#running ??= this.#run();
    const timer = setTimeout(done.resolve, GIVER_MS);
    await done.promise;
    clearTimeout(timer);
  }

  /** Makes a last attempt. What is not given back by then runs out by itself. */
  async close(): Promise<void> {
    this.#closing.abort();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, CLOSE_MS);
    await Promise.race([this.#running, late.promise]);
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (let pauseMs = FIRST_PAUSE_MS;; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const asked = [...this.#waiting.values()];
      const last = signal.aborted;
      await this.#attempt(asked);
      if (last) asked.forEach((one) => this.#drop(one));
      if (this.#waiting.size === 0) break;
      const isNew = (one: Waiting) => !asked.includes(one);
      if ([...this.#waiting.values()].some(isNew)) pauseMs = FIRST_PAUSE_MS;
      else await pause(pauseMs, this.#bell, signal);
    }
    this.#running = undefined;
  }

  async #attempt(leases: readonly Waiting[]): Promise<void> {
    const { sql, log, now, wake } = this.#options;
    const asked = leases.map(({ token, operation_id, reason }) => ({
      lease: token,
      operation_id,
      reason,
    }));
    try {
      const [row] = await sql<{ outcomes: Record<string, ReturnOutcome> }[]>`
        select give_back_leases(${sql.json(asked as never)}, ${now?.() ?? null}) as outcomes
      `;
      for (const lease of leases) {
        const outcome = row!.outcomes[lease.token]!;
        if (outcome === "given_back" && lease.reason === "unseen") wake?.();
        if (outcome === "given_back" || outcome === "unknown" && !mayAppear(lease)) {
          this.#drop(lease);
        }
      }
    } catch (error) {
      log.warn("leases not given back yet", { leases: leases.length, ...defectFields(error) });
    }
  }

  #drop(lease: Waiting): void {
    this.#waiting.delete(lease.token);
    lease.done.resolve();
  }
}

/** Returns whether the statement that takes the lease may still be under way. */
function mayAppear({ reason, since }: Waiting): boolean {
  return reason === "unseen" && performance.now() - since < IN_FLIGHT_MS;
}
