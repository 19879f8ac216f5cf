/** Bounds the rate of unmetered reads of each subscription in this process. */
import { getTerms } from "../accounts/subscription.ts";
import { Failure } from "../failures.ts";
import type { Caller, Context, ReadActionName } from "./action.ts";

/** Milliseconds for which a process remembers the subscription and the plan's rate of a key. */
const REMEMBERED_MILLISECONDS = 60_000;

/** Max number of remembered keys: about 2 MB. */
const REMEMBERED_MAX = 10_000;

const MINUTE_MILLISECONDS = 60_000;

interface RememberedKey {
  subscription_id: number;
  reads_per_minute: number;
  /** Milliseconds of the clock at which it is forgotten. */
  until: number;
}

/**
 * Counts the unmetered reads of each subscription in the present minute. The rate is that of the
 * plan (reads_per_minute). Each process counts for itself, so several replicas allow as many reads
 * each. A minute begins for all subscriptions at once.
 */
export class ReadRates {
  readonly #now: () => number;
  readonly #keys = new Map<string, RememberedKey>();
  readonly #counts = new Map<number, number>();
  #minute = 0;

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
    const { subscription_id, reads_per_minute } = await this.#keyOf(context, caller, now);
    const minute = Math.floor(now / MINUTE_MILLISECONDS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts.clear();
    }
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

  async #keyOf(context: Context, caller: Caller, now: number): Promise<RememberedKey> {
    const hash = caller.key_hash.toHex();
    const known = this.#keys.get(hash);
    if (known !== undefined && now < known.until) return known;
    const { subscription_id, reads_per_minute } = await getTerms(context, caller);
    const key = { subscription_id, reads_per_minute, until: now + REMEMBERED_MILLISECONDS };
    this.#keys.delete(hash);
    this.#keys.set(hash, key);
    if (this.#keys.size > REMEMBERED_MAX) this.#keys.delete(this.#keys.keys().next().value!);
    return key;
  }
}

/** Returns whether an operation of the account has delivered what is read, in the last hour. */
async function wasDelivered(
  { sql, now }: Context,
  { key_hash }: Caller,
  { action, id }: { action: ReadActionName; id: number },
): Promise<boolean> {
  const entry = action === "get_company"
    ? { company_id: id }
    : action === "get_observation"
    ? { observation_ids: [id] }
    : undefined;
  if (entry === undefined) return false;
  const [row] = await sql<[{ delivered: boolean }]>`
    select was_delivered(${key_hash}, ${sql.json([entry])}, ${now?.() ?? null}) as delivered
  `;
  return row.delivered;
}
