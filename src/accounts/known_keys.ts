/**
 * Keeps in memory what this process knows of API keys: which ones a statement has recently found
 * valid, which uses are to be stored, and which accounts the log names.
 */
import type { Sql } from "../db/connect.ts";
import { Failure } from "../failures.ts";
import { errorFields, type Log } from "../log.ts";
import { type AccountsContext, getTerms, type SubscriptionTerms } from "./subscription.ts";

/** Milliseconds after which the cache is cleared (chosen). */
const MINUTE_MILLISECONDS = 60_000;

type Bearer = Parameters<typeof getTerms>[1];

/**
 * Cache of the terms of the valid keys that are used in the present minute, about 300 bytes each. It
 * decides only whether a request is worth reading, and the rate of reads. Every statement that
 * answers a caller checks the key again, so a revoked key is refused although it is cached.
 */
export class KnownKeys {
  /** Terms by the hashes of the keys. */
  readonly #terms = new Map<string, SubscriptionTerms>();
  #minute = 0;
  readonly #now: () => number;
  readonly #uses: Pick<KeyUses, "note"> | undefined;

  /**
   * @param now milliseconds since 1970
   * @param uses notes each key that is found valid
   */
  constructor(now: () => number = Date.now, uses?: Pick<KeyUses, "note">) {
    this.#now = now;
    this.#uses = uses;
  }

  /**
   * Returns the terms of a valid key. Reads them from the database once a minute, by one indexed
   * read.
   * @throws Failure invalid_api_key
   */
  async termsOf(context: AccountsContext, caller: Bearer): Promise<SubscriptionTerms> {
    const minute = Math.floor(this.#now() / MINUTE_MILLISECONDS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#terms.clear();
    }
    const known = this.#terms.get(hexOf(caller));
    if (known !== undefined) return known;
    const terms = await this.watch(caller, () => getTerms(context, caller));
    this.#terms.set(hexOf(caller), terms);
    return terms;
  }

  /** Runs work whose statements check the key, and records the result of the check. */
  async watch<T>(caller: Bearer, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#uses?.note(hexOf(caller));
      return result;
    } catch (error) {
      if (error instanceof Failure && error.code === "invalid_api_key") {
        this.#terms.delete(hexOf(caller));
      }
      throw error;
    }
  }
}

function hexOf({ key_hash }: Bearer): string {
  return key_hash.toHex();
}

/**
 * Milliseconds after which a use is stored, together with the uses of other keys. A minute suffices,
 * because lists show only the day.
 */
const NOTE_MILLISECONDS = 60_000;

/** Max number of keys whose uses wait: about 2 MB. */
const WAITING_MAX = 10_000;

/**
 * Stores each key's last day of use. Uses are collected, so that requests wait for no statement.
 * A row is written once per day, and one that another transaction has locked is skipped, because
 * that transaction probably stores the same day.
 */
export class KeyUses {
  readonly #sql: Sql;
  readonly #log: Log;
  /** Hashes, in hexadecimal, of keys whose use is not stored yet. */
  #waiting = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor({ sql, log }: { sql: Sql; log: Log }) {
    this.#sql = sql;
    this.#log = log;
  }

  /** Notes that a key was found valid. @param hash of the key, in hexadecimal */
  note(hash: string): void {
    if (this.#closed || this.#waiting.size >= WAITING_MAX) return;
    this.#waiting.add(hash);
    this.#startTimer();
  }

  /** Stores the noted uses. Never throws: if the database is unavailable, the uses are kept. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const hashes = this.#waiting;
    if (hashes.size === 0) return;
    this.#waiting = new Set();
    try {
      await this.#sql`
        update api_keys set last_used_on = current_date
        where id in (
          select id from api_keys
          where hash in (select decode(h, 'hex') from unnest(${[...hashes]}::text[]) h)
            and last_used_on is distinct from current_date
          for update skip locked
        )
      `;
    } catch (error) {
      this.#waiting = hashes.union(this.#waiting);
      if (this.#closed) return;
      this.#log.warn("last uses of keys not noted", errorFields(error));
      this.#startTimer();
    }
  }

  /** Stores the remaining uses, and ignores further ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
  }

  #startTimer(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.flush(), NOTE_MILLISECONDS);
    Deno.unrefTimer(this.#timer);
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
  readonly #known = new Map<string, Promise<KeyIdentity | undefined>>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Returns the identity of a key, after one read unless it is cached. Returns undefined if there is
   * no such key, or if the database does not answer.
   */
  identify({ key_hash }: Bearer): Promise<KeyIdentity | undefined> {
    const hash = key_hash.toHex();
    const identity = this.#known.getOrInsertComputed(hash, () => this.#read(hash, key_hash));
    if (this.#known.size > REMEMBERED_MAX) this.#known.delete(this.#known.keys().next().value!);
    return identity;
  }

  /** Resolves when all reads in progress have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#known.values());
  }

  async #read(hash: string, key_hash: Uint8Array): Promise<KeyIdentity | undefined> {
    // A log line without an account is better than no line.
    const [row] = await this.#sql<KeyIdentity[]>`
      select account_id as account, id as key_id from api_keys where hash = ${key_hash}
    `.catch(() => []);
    if (row === undefined) this.#known.delete(hash);
    return row;
  }
}
