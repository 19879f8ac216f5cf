/** Records the day on which each key was last used, without delaying requests. */
import type { Sql } from "../db/connect.ts";
import { errorFields, type Log } from "../log.ts";

/** Milliseconds after which a use is stored, together with the uses of other keys. */
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
