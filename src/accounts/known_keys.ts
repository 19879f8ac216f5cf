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

/**
 * Bounded cache of valid keys. It decides only whether a body is worth reading. Every statement
 * that answers a caller checks the key again, so a revoked key is refused although it is cached.
 */
export class KnownKeys {
  /**
   * Time of each key's last acceptance, by its hash, with a precision of REFRESH_MILLISECONDS. The
   * least recently used key comes first.
   */
  readonly #accepted = new Map<string, number>();
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
   * Checks a key in the database, by one indexed read, unless the key is cached. Caches the key if
   * it is valid.
   * @throws Failure invalid_api_key
   */
  async require(context: AccountsContext, caller: Bearer): Promise<void> {
    const accepted = this.#accepted.get(name(caller));
    if (accepted !== undefined && this.#now() - accepted < KNOWN_MILLISECONDS) return;
    await this.watch(caller, () => getTerms(context, caller));
  }

  /** Runs work whose statements check the key, and records the result of the check. */
  async watch<T>(caller: Bearer, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#add(name(caller));
      return result;
    } catch (error) {
      if (error instanceof Failure && error.code === "invalid_api_key") {
        this.#accepted.delete(name(caller));
      }
      throw error;
    }
  }

  #add(key: string): void {
    this.#uses?.note(key);
    const before = this.#accepted.get(key);
    // If each request moved the entry, the map would often have to rebuild its table.
    if (before !== undefined && this.#now() - before < REFRESH_MILLISECONDS) return;
    this.#accepted.delete(key);
    this.#accepted.set(key, this.#now());
    if (this.#accepted.size > KNOWN_KEYS_MAX) {
      this.#accepted.delete(this.#accepted.keys().next().value!);
    }
  }
}

function name({ key_hash }: Bearer): string {
  return key_hash.toHex();
}
