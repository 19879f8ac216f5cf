/** Finds the account of a request's key for the log. Each key is looked up once per process. */
import type { Sql } from "../db/connect.ts";

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
