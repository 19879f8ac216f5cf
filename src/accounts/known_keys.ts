/** Keys that this process has lately seen valid. */
import { Failure } from "../failures.ts";
import type { KeyUses } from "./key_uses.ts";
import { type AccountsContext, getTerms } from "./subscription.ts";

/** Maximum number of keys that are remembered: about 2 MB. */
export const KNOWN_KEYS_MAX = 10_000;

/** Milliseconds for which a key counts as known after a statement has accepted it. */
export const KNOWN_MILLISECONDS = 60_000;

/** Milliseconds for which a further acceptance of a key is not written down. */
const REFRESH_MILLISECONDS = 1_000;

type Bearer = Parameters<typeof getTerms>[1];

/**
 * A bounded memory of valid keys. It decides only whether a body is worth reading: every statement
 * that answers a caller checks the key again, so a revoked key is refused although it is known.
 */
export class KnownKeys {
  /**
   * When each key was last accepted, by its hash, to within REFRESH_MILLISECONDS. The longest unused
   * key comes first.
   */
  readonly #accepted = new Map<string, number>();
  readonly #now: () => number;

  readonly #uses: Pick<KeyUses, "note"> | undefined;

  /**
   * @param now milliseconds of a clock that only goes forward
   * @param uses takes note of every key that was accepted
   */
  constructor(now: () => number = () => performance.now(), uses?: Pick<KeyUses, "note">) {
    this.#now = now;
    this.#uses = uses;
  }

  /**
   * Looks the key up unless it is known. An unknown key costs one indexed read and is not kept.
   * @throws Failure invalid_api_key
   */
  async require(context: AccountsContext, caller: Bearer): Promise<void> {
    const accepted = this.#accepted.get(name(caller));
    if (accepted !== undefined && this.#now() - accepted < KNOWN_MILLISECONDS) return;
    await this.watch(caller, () => getTerms(context, caller));
  }

  /** Runs work whose statements check the key, and remembers the outcome of that check. */
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
    // A new place in the map with each request would soon cost a new map.
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
