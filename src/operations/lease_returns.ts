/** Gives leases back in the background, and retries until the database confirms the return. */
import { DEADLINE_GRACE_SECONDS, STATEMENT_TIMEOUT_SECONDS } from "../db/connect.ts";
import { defectFields, type Log } from "../log.ts";
import { atMost, pause } from "../repeat.ts";
import type { Context } from "./action.ts";

/**
 * Reason why a lease is given back. It decides whether the read of the operation's message counts
 * toward poison (see LeaseReturns), and when the work is retried (see give_back_lease).
 *
 * - `failed`: the work itself failed.
 * - `unavailable`: the database did not answer in time, the process stops, or it has no turn for the
 *   operation or cannot perform it at present.
 * - `unseen`: the answer of the statement that took the lease was lost. The lease may not exist.
 */
export type ReturnReason = "failed" | "unavailable" | "unseen";

/**
 * Max milliseconds that `giveBack` waits for the first attempts. A caller waits meanwhile, so the
 * number is chosen small.
 */
const GIVER_MS = 1_000;

/**
 * Milliseconds of the first pause between two attempts. Each further pause is twice as long. This
 * number and the next one are chosen.
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
 * Max milliseconds that a closing process waits for the last attempts, a part of STOP_SECONDS of
 * main.ts.
 */
const CLOSE_MS = 4_000;

/**
 * Gives leases back. Each retry is harmless, because a token gives its lease back only once.
 *
 * A message that was read too often is poison, and its operation fails. pgmq counts each read when
 * it happens, so a process that dies leaves its read counted. A read that ended because of the
 * database is subtracted by the statement that gives its lease back. If the outage is longer than
 * the lease, another process may read the message first. The first read then stays counted, as if
 * its process had crashed.
 */
export class LeaseReturns {
  readonly #context: Context & { log: Log };
  readonly #unfinished = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(context: Context & { log: Log }) {
    this.#context = context;
  }

  /** Gives a lease back. Resolves when this is done, or after GIVER_MS, while attempts continue. */
  async giveBack(token: string, reason: ReturnReason): Promise<void> {
    const done = this.#persist(token, reason).finally(() => this.#unfinished.delete(done));
    this.#unfinished.add(done);
    await atMost(GIVER_MS, done);
  }

  /** Makes a last attempt for each lease. Leases that are not given back by then expire. */
  async close(): Promise<void> {
    this.#closing.abort();
    await atMost(CLOSE_MS, Promise.all(this.#unfinished));
  }

  async #persist(token: string, reason: ReturnReason): Promise<void> {
    const { sql, log, now } = this.#context;
    const { signal } = this.#closing;
    const mayAppearUntil = reason === "unseen" ? performance.now() + IN_FLIGHT_MS : 0;
    for (let pauseMs = FIRST_PAUSE_MS;; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const isLast = signal.aborted;
      try {
        const [{ held }] = await sql<[{ held: boolean }]>`
          select give_back_lease(${token}, ${reason}, ${now?.() ?? null}) as held
        `;
        if (held || performance.now() >= mayAppearUntil) return;
      } catch (error) {
        log.warn("lease not given back yet", defectFields(error));
      }
      if (isLast) return;
      await pause(pauseMs, signal);
    }
  }
}
