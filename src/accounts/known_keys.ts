/** Caches the API keys that a statement of this process has recently found valid. */
import { Failure } from "../failures.ts";
import type { KeyUses } from "./key_uses.ts";
import { type AccountsContext, getTerms } from "./subscription.ts";

/** Max number of cached keys: about 2 MB. */
export const KNOWN_KEYS_MAX = 10_000;

/** Milliseconds for which a cached key counts as valid after a statement has accepted it. */
export const KNOWN_MILLISECONDS = 60_000;

/** Milliseconds during which a repeated acceptance of a key does not change the cache. */
const REFRESH_MILLISECONDS = 1_000;

type Bearer = Parameters<typeof getTerms>[1];

interface KnownKey {
  /** Subscription of the key, which never changes. */
  subscription_id: number;
  /** Time of the last acceptance, with a precision of REFRESH_MILLISECONDS. */
  accepted: number;
}

/**
 * Bounded cache of valid keys. It decides only whether a request is worth reading. Every statement
 * that answers a caller checks the key again, so a revoked key is refused although it is cached.
 */
export class KnownKeys {
  /** The cached keys by their hashes. The least recently used key comes first. */
  readonly #known = new Map<string, KnownKey>();
  readonly #now: () => number;
  readonly #uses: Pick<KeyUses, "note"> | undefined;

  /**
   * @param now milliseconds of a monotonic clock
   * @param uses records every accepted key
   */
  constructor(now: () => number = () => performance.now(), uses?: Pick<KeyUses, "note">) {
    this.#now = now;
    this.#uses = uses;
  }

  /**
   * Returns the subscription of a valid key. Checks the key in the database, by one indexed read,
   * unless the key is cached.
   * @throws Failure invalid_api_key
   */
  async subscriptionOf(context: AccountsContext, caller: Bearer): Promise<number> {
    const known = this.#known.get(name(caller));
    if (known !== undefined && this.#now() - known.accepted < KNOWN_MILLISECONDS) {
      return known.subscription_id;
    }
    const { subscription_id } = await this.watch(caller, () => getTerms(context, caller));
    this.#add(name(caller), subscription_id);
    return subscription_id;
  }

  /** Runs work whose statements check the key, and records the result of the check. */
  async watch<T>(caller: Bearer, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#uses?.note(name(caller));
      this.#refresh(name(caller));
      return result;
    } catch (error) {
      if (error instanceof Failure && error.code === "invalid_api_key") {
        this.#known.delete(name(caller));
      }
      throw error;
    }
  }

  #refresh(key: string): void {
    const known = this.#known.get(key);
    // If each request moved the entry, the map would often have to rebuild its table.
    if (known === undefined || this.#now() - known.accepted < REFRESH_MILLISECONDS) return;
    this.#add(key, known.subscription_id);
  }

  #add(key: string, subscription_id: number): void {
    this.#known.delete(key);
    this.#known.set(key, { subscription_id, accepted: this.#now() });
    if (this.#known.size > KNOWN_KEYS_MAX) this.#known.delete(this.#known.keys().next().value!);
  }
}

function name({ key_hash }: Bearer): string {
  return key_hash.toHex();
}
