/** Bounds the rate of unmetered reads of each subscription in this process. */
import type { SubscriptionTerms } from "../accounts/subscription.ts";
import { Failure } from "../failures.ts";
import type { Caller, Context, ReadActionName } from "./action.ts";

const MINUTE_MILLISECONDS = 60_000;

/** Fields of entries that name what an action reads. */
const FIELD_OF: Partial<Record<ReadActionName, string>> = {
  get_company: "company_id",
  get_observation: "observation_id",
};

/** A company or observation: { company_id } or { observation_id }. */
type Item = Record<string, number>;

/** Reads of a subscription in the present minute. */
interface Reads {
  /** Number of counted reads. */
  count: number;
  /** Items that were read, and whose delivery has not been looked up yet. */
  items: Item[];
  /** Subtracts the items that were delivered. Reads above the rate wait for it. */
  subtracting?: Promise<void>;
}

/**
 * Counts the unmetered reads of each subscription in the present minute. The rate is that of the
 * plan (reads_per_minute). Each process counts for itself, so several replicas allow as many reads
 * each. A minute begins for all subscriptions at once.
 */
export class ReadRates {
  readonly #now: () => number;
  #minute = 0;
  /** Reads in this minute, by subscription. */
  readonly #reads = new Map<number, Reads>();

  /** @param now milliseconds since 1970 */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Counts a read. Reads of companies and observations that an operation of the account has delivered
   * in the last hour do not count. The database is asked only when the plan's rate is reached.
   * @throws Failure too_many_requests with the end of the minute
   */
  async admit(
    context: Context,
    caller: Caller,
    { subscription_id, reads_per_minute, action, id }:
      & Pick<SubscriptionTerms, "subscription_id" | "reads_per_minute">
      & { action: ReadActionName; id?: number },
  ): Promise<void> {
    const now = this.#now();
    const minute = Math.floor(now / MINUTE_MILLISECONDS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#reads.clear();
    }
    const reads = this.#reads.get(subscription_id) ?? { count: 0, items: [] };
    this.#reads.set(subscription_id, reads);
    const field = FIELD_OF[action];
    const items = field === undefined || id === undefined ? [] : [{ [field]: id }];
    if (reads.count >= reads_per_minute && reads.items.length > 0) {
      reads.subtracting ??= subtractDelivered(context, caller, reads)
        .finally(() => delete reads.subtracting);
      await reads.subtracting;
    }
    if (reads.count < reads_per_minute) {
      reads.count++;
      reads.items.push(...items);
      return;
    }
    if (await countDelivered(context, caller, items) > 0) return;
    const end = (minute + 1) * MINUTE_MILLISECONDS;
    throw new Failure("too_many_requests", {
      message: "More unmetered reads in this minute than the plan allows. Try again at retry_at.",
      retry_at: new Date(end).toISOString(),
      retry_after_seconds: Math.ceil((end - now) / 1000),
    });
  }
}

async function subtractDelivered(context: Context, caller: Caller, reads: Reads): Promise<void> {
  const delivered = await countDelivered(context, caller, reads.items);
  reads.count -= delivered;
  reads.items = [];
}

/** Returns how many of the items an operation of the account has delivered in the last hour. */
async function countDelivered(
  { sql, now }: Context,
  { key_hash }: Caller,
  items: readonly Item[],
): Promise<number> {
  if (items.length === 0) return 0;
  const [row] = await sql<[{ count: number }]>`
    select count_delivered(${key_hash}, ${sql.json(items)}, ${now?.() ?? null}) as count
  `;
  return row.count;
}
