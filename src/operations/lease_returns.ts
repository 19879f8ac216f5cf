/** Gives leases back in the background, and retries until the database confirms the return. */
import { DEADLINE_GRACE_SECONDS, type Sql, STATEMENT_TIMEOUT_SECONDS } from "../db/connect.ts";
import { defectFields, type Log } from "../log.ts";
import { pause } from "../repeat.ts";

/**
 * Reason why a lease is given back. It decides whether the read of the operation's message counts
 * toward poison (see LeaseReturns), and when the work is retried (see give_back_leases).
 *
 * - `failed`: the work itself failed.
 * - `unavailable`: the database did not answer in time, the process stops, or it cannot perform the
 *   action at present.
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
  /** Called when an operation can be taken again immediately. */
  wake?: () => void;
  /** Clock of a test. Absent: the database's clock. */
  now?: () => Date;
}

/**
 * Max milliseconds that `giveBack` waits for the first attempts. A caller waits meanwhile, so the
 * number is chosen small.
 */
const GIVER_MS = 1_000;

/**
 * Milliseconds of the first pause between two attempts. Each further pause is twice as long. Both
 * bounds of the pause are chosen.
 */
const FIRST_PAUSE_MS = 250;

/** Max milliseconds of a pause between two attempts. */
const LONGEST_PAUSE_MS = 2_000;

/**
 * Milliseconds during which an unseen lease may still be created. The server may continue a
 * statement whose client is gone, up to the statement time-out.
 */
const IN_FLIGHT_MS = (STATEMENT_TIMEOUT_SECONDS + DEADLINE_GRACE_SECONDS) * 1000;

/**
 * Max milliseconds that a closing process waits for the last attempt. A stop has 15 seconds for
 * everything.
 */
const CLOSE_MS = 4_000;

interface Waiting extends ReturnedLease {
  since: number;
  done: PromiseWithResolvers<void>;
}

type ReturnOutcome = "given_back" | "unknown" | "locked";

/**
 * Gives leases back in one loop and one statement, so that an outage that hits many requests at
 * once does not cause a burst of retries. Each retry is harmless, because a token gives its lease
 * back only once.
 *
 * A message that was read too often is poison, and its operation fails. pgmq counts each read when
 * it happens, so a process that dies leaves its read counted. A read that ended because of the
 * database is subtracted by the statement that gives its lease back. If the outage is longer than
 * the lease, another process may read the message first. The first read then stays counted, as if
 * its process had crashed.
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

  /** Gives a lease back. Resolves when this is done, or after GIVER_MS, while attempts continue. */
  async giveBack(lease: ReturnedLease): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#waiting.set(lease.token, { ...lease, since: performance.now(), done });
    this.#bell.dispatchEvent(new Event("ring"));
    this.#running ??= this.#run();
    const timer = setTimeout(done.resolve, GIVER_MS);
    await done.promise;
    clearTimeout(timer);
  }

  /** Makes a last attempt. Leases that are not given back by then expire. */
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
      const leases = [...this.#waiting.values()];
      const isLast = signal.aborted;
      await this.#attempt(leases);
      if (isLast) leases.forEach((one) => this.#drop(one));
      if (this.#waiting.size === 0) break;
      const isNew = (one: Waiting) => !leases.includes(one);
      if ([...this.#waiting.values()].some(isNew)) pauseMs = FIRST_PAUSE_MS;
      else await pause(pauseMs, this.#bell, signal);
    }
    this.#running = undefined;
  }

  async #attempt(leases: readonly Waiting[]): Promise<void> {
    const { sql, log, now, wake } = this.#options;
    const returns = leases.map(({ token, operation_id, reason }) => ({
      lease: token,
      operation_id,
      reason,
    }));
    try {
      const [row] = await sql<{ outcomes: Record<string, ReturnOutcome> }[]>`
        select give_back_leases(${sql.json(returns as never)}, ${now?.() ?? null}) as outcomes
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

/** Returns whether the statement that creates the lease may still be under way. */
function mayAppear({ reason, since }: Waiting): boolean {
  return reason === "unseen" && performance.now() - since < IN_FLIGHT_MS;
}
