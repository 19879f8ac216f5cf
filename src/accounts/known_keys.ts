/**
 * Keeps in memory what this process knows of API keys: which ones a statement has recently found
 * valid, which uses are to be stored, and which accounts the log names.
 */
import type { Sql } from "../db/connect.ts";
import { Failure } from "../failures.ts";
import { errorFields, type Log } from "../log.ts";
import { type AccountsContext, getTerms } from "./subscription.ts";

/** Max number of cached keys: about 2 MB. */
export const KNOWN_KEYS_MAX = 10_000;

/**
 * Milliseconds for which a cached key counts as valid after a statement has accepted it. A minute
 * is chosen.
 */
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

/**
 * Milliseconds after which a use is stored, together with the uses of other keys. A minute is
 * chosen: lists show days.
 */
const NOTE_MILLISECONDS = 60_000;

/** Max number of keys in each of the sets `#waiting` and `#noted`: about 2 MB per set. */
const NOTED_MAX = 10_000;

type Timer = ReturnType<typeof setTimeout>;

interface KeyUsesOptions {
  sql: Sql;
  log: Log;
  /** Returns the milliseconds of a monotonic clock. */
  now?: () => number;
}

/**
 * Stores each key's last day of use, once per day and process. Uses are collected, so that requests
 * wait for no statement. A key that another process is storing at the same moment is skipped.
 */
export class KeyUses {
  readonly #options: KeyUsesOptions;
  readonly #now: () => number;
  /** Hashes, in hexadecimal, of keys whose use is not stored yet. */
  #waiting = new Set<string>();
  /** Hashes of keys whose use on the database's current day is stored. */
  readonly #noted = new Set<string>();
  /** End of the database's current day, in milliseconds of `#now`. */
  #dayEnd = -Infinity;
  #timer: Timer | undefined;
  #closed = false;

  constructor(options: KeyUsesOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Notes that a request with a key was answered. @param hash of the key, in hexadecimal */
  note(hash: string): void {
    // clear() replaces the table of the set even if it is empty, and old tables stay in memory until
    // the next full garbage collection.
    if (this.#noted.size > 0 && this.#now() >= this.#dayEnd) this.#noted.clear();
    if (this.#closed || this.#noted.has(hash) || this.#waiting.size >= NOTED_MAX) return;
    this.#waiting.add(hash);
    this.#timer ??= this.#startTimer();
  }

  /** Stores the noted uses. Never throws: if the database is unavailable, the uses are kept. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const hashes = this.#waiting;
    if (hashes.size === 0) return;
    this.#waiting = new Set();
    try {
      const [row] = await this.#options.sql<[{ day_rest_seconds: number }]>`
        select note_key_uses(${[...hashes]}) as day_rest_seconds
      `;
      this.#remember(hashes, row.day_rest_seconds);
    } catch (error) {
      this.#waiting = hashes.union(this.#waiting);
      if (this.#closed) return;
      this.#options.log.warn("last uses of keys not noted", errorFields(error));
      this.#timer ??= this.#startTimer();
    }
  }

  /** Stores the remaining uses, and ignores further ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
  }

  #remember(hashes: Set<string>, day_rest_seconds: number): void {
    this.#dayEnd = this.#now() + day_rest_seconds * 1000;
    if (this.#noted.size + hashes.size > NOTED_MAX) this.#noted.clear();
    for (const hash of hashes) this.#noted.add(hash);
  }

  #startTimer(): Timer {
    const timer = setTimeout(() => void this.flush(), NOTE_MILLISECONDS);
    Deno.unrefTimer(timer);
    return timer;
  }
}

/** Account and number of a key. Neither ever changes, so they may be cached. */
export interface KeyIdentity {
  account: number;
  key_id: number;
}

/** Max number of cached keys: about 2 MB. */
const REMEMBERED_MAX = 10_000;

/** Bounded cache of identities by the hash of the key. It never holds the key itself. */
export class KeyIdentities {
  readonly #sql: Sql;
  readonly #known = new Map<string, KeyIdentity>();
  /** Reads in progress by the hash of the key. */
  readonly #reads = new Map<string, Promise<KeyIdentity | undefined>>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Calls `use` with the identity of a key: at once if it is cached, otherwise after one read. The
   * identity is undefined if there is no such key, or if the database does not answer.
   */
  identify(
    { key_hash }: { key_hash: Uint8Array },
    use: (identity: KeyIdentity | undefined) => void,
  ): void {
    const hash = key_hash.toHex();
    const known = this.#known.get(hash);
    if (known !== undefined) return use(known);
    const read = this.#reads.getOrInsertComputed(hash, () => this.#read(hash, key_hash));
    void read.then(use);
  }

  /** Resolves when all reads in progress have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#reads.values());
  }

  async #read(hash: string, key_hash: Uint8Array): Promise<KeyIdentity | undefined> {
    try {
      const [row] = await this.#sql<KeyIdentity[]>`
        select account_id as account, id as key_id from api_keys where hash = ${key_hash}
      `;
      if (row !== undefined) this.#remember(hash, { account: row.account, key_id: row.key_id });
      return row;
    } catch {
      // A log line without an account is better than no line.
      return undefined;
    } finally {
      this.#reads.delete(hash);
    }
  }

  #remember(hash: string, identity: KeyIdentity): void {
    this.#known.set(hash, identity);
    if (this.#known.size > REMEMBERED_MAX) this.#known.delete(this.#known.keys().next().value!);
  }
}
