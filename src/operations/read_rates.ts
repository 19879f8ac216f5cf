/** Bounds the rate of unmetered reads of each subscription in this process. */
import { getTerms } from "../accounts/subscription.ts";
import { Failure } from "../failures.ts";
import type { Caller, Context, ReadActionName } from "./action.ts";

const MINUTE_MILLISECONDS = 60_000;

type Terms = Awaited<ReturnType<typeof getTerms>>;

/** Part of a delivered entry that contains what an action reads. */
const ENTRY_OF: Partial<Record<ReadActionName, (id: number) => object>> = {
  get_company: (id) => ({ company_id: id }),
  get_observation: (id) => ({ observation_ids: [id] }),
};

/**
 * Counts the unmetered reads of each subscription in the present minute. The rate is that of the
 * plan (reads_per_minute). Each process counts for itself, so several replicas allow as many reads
 * each. A minute begins for all subscriptions at once.
 */
export class ReadRates {
  readonly #now: () => number;
  #minute = 0;
  /** Terms of the keys that have read in this minute. */
  readonly #terms = new Map<string, Terms>();
  /** Numbers of reads in this minute, by subscription. */
  readonly #counts = new Map<number, number>();

  /** @param now milliseconds since 1970 */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Counts a read. Above the plan's rate, only companies and observations that an operation of the
   * account has delivered in the last hour are read.
   * @throws Failure too_many_requests with the end of the minute; invalid_api_key
   */
  async admit(
    context: Context,
    caller: Caller,
    { action, id }: { action: ReadActionName; id?: number },
  ): Promise<void> {
    const now = this.#now();
    const minute = Math.floor(now / MINUTE_MILLISECONDS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#terms.clear();
      this.#counts.clear();
    }
    const { subscription_id, reads_per_minute } = await this.#termsOf(context, caller);
    const count = this.#counts.get(subscription_id) ?? 0;
    if (count < reads_per_minute) {
      this.#counts.set(subscription_id, count + 1);
      return;
    }
    if (id !== undefined && await wasDelivered(context, caller, { action, id })) return;
    const end = (minute + 1) * MINUTE_MILLISECONDS;
    throw new Failure("too_many_requests", {
      retry_at: new Date(end).toISOString(),
      retry_after_seconds: Math.ceil((end - now) / 1000),
    });
  }

  async #termsOf(context: Context, caller: Caller): Promise<Terms> {
    const key = caller.key_hash.toHex();
    const known = this.#terms.get(key);
    if (known !== undefined) return known;
    const terms = await getTerms(context, caller);
    this.#terms.set(key, terms);
    return terms;
  }
}

/** Returns whether an operation of the account has delivered what is read, in the last hour. */
async function wasDelivered(
  { sql, now }: Context,
  { key_hash }: Caller,
  { action, id }: { action: ReadActionName; id: number },
): Promise<boolean> {
  const entry = ENTRY_OF[action]?.(id);
  if (entry === undefined) return false;
  const [row] = await sql<[{ delivered: boolean }]>`
    select was_delivered(${key_hash}, ${sql.json([entry])}, ${now?.() ?? null}) as delivered
  `;
  return row.delivered;
}
