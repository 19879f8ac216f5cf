/**
 * The lease of the search tables: one process writes them. The engine cannot refuse a write, so a
 * statement that is under way when the lease ends may arrive late. table_position.ts tells how such a
 * write is found.
 */
import type { Sql } from "../../db/sql.ts";
import type { TableSet } from "./table_schema.ts";

/** Seconds until the tables of a process that died pass to another. */
const LEASE_SECONDS = 15;
/** Renewed well before its end. */
const RENEW_MILLISECONDS = LEASE_SECONDS * 1000 / 3;

/** Another process writes the tables, or may do so by now. */
export class LeaseLost extends Error {
  override name = "LeaseLost";

  constructor() {
    super("the search tables passed to another process, or were given back");
  }
}

/** Which tables serve and which are being filled, as the holder of the lease knows them. */
export interface Claim {
  serving: TableSet | null;
  filling: TableSet | null;
  /** Whether no search reads the set that does not serve. */
  retired: boolean;
}

export class TableLease {
  readonly #sql: Sql;
  readonly #now: () => number;
  readonly #token = crypto.randomUUID();
  #heldUntil = -Infinity;
  #renewAt = -Infinity;
  #claimed: Claim | undefined;
  #stopped = false;

  /** @param now returns the milliseconds of a clock that runs evenly */
  constructor(sql: Sql, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  /** Takes the lease, or renews it where that is due. Returns nothing if another process holds it. */
  async claim(): Promise<Claim | undefined> {
    if (this.#stopped) return undefined;
    // Counted from before the database counts, so that it is never believed too long.
    const started = this.#now();
    if (started < this.#renewAt && this.#claimed !== undefined) return this.#claimed;
    const [row] = await this.#sql<[{ claim: Claim | null } | undefined]>`
      select claim_search_tables(${this.#token}, ${LEASE_SECONDS}) as claim
    `;
    this.#claimed = row?.claim ?? undefined;
    this.#noteHeld(this.#claimed !== undefined, started);
    return this.#claimed;
  }

  /**
   * Must be called before each transaction: renews the lease where that is due. A lease that another
   * process has had in between is lost, even if it is free again.
   *
   * @throws LeaseLost
   */
  async hold(): Promise<void> {
    this.check();
    const started = this.#now();
    if (started < this.#renewAt) return;
    const [{ held }] = await this.#sql<[{ held: boolean }]>`
      select hold_search_tables(${this.#token}, ${LEASE_SECONDS}) as held
    `;
    this.#noteHeld(held, started);
    this.check();
  }

  /** Has every check from now on throw. The lease is held until it is released. */
  stop(): void {
    this.#stopped = true;
  }

  /** Must be called right before each statement to the engine. @throws LeaseLost */
  check(): void {
    if (this.#stopped) throw new LeaseLost();
    if (this.#now() > this.#heldUntil) throw this.#lost();
  }

  /** Notes which set is being filled; null: none. @throws LeaseLost */
  async noteFilling(set: TableSet | null): Promise<void> {
    const [{ held }] = await this.#sql<[{ held: boolean }]>`
      select fill_search_tables(${this.#token}, ${set}) as held
    `;
    this.#claimed = undefined;
    if (!held) throw this.#lost();
  }

  /** Has searches read the set that was filled. @throws LeaseLost */
  async noteServing(set: TableSet): Promise<void> {
    const [{ held }] = await this.#sql<[{ held: boolean }]>`
      select serve_search_tables(${this.#token}, ${set}) as held
    `;
    this.#claimed = undefined;
    if (!held) throw this.#lost();
  }

  /** Gives the lease back. It cannot be taken again. */
  async release(): Promise<void> {
    this.#stopped = true;
    if (this.#now() > this.#heldUntil) return;
    await this.#sql`select release_search_tables(${this.#token})`;
  }

  #noteHeld(isHeld: boolean, started: number): void {
    this.#heldUntil = isHeld ? started + LEASE_SECONDS * 1000 : -Infinity;
    this.#renewAt = started + RENEW_MILLISECONDS;
  }

  #lost(): LeaseLost {
    this.#claimed = undefined;
    this.#heldUntil = -Infinity;
    return new LeaseLost();
  }
}
