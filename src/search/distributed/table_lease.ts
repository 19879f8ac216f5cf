/**
 * Lease of the search tables, so that only one process writes them. A search node cannot check the
 * lease, so a statement under way may arrive after the lease has ended. table_position.ts describes
 * how such a write is detected.
 */
import type { Sql } from "../../db/sql.ts";
import type { TableSet } from "./table_schema.ts";

/** Seconds until another process may take over the tables of a process that died. */
const LEASE_SECONDS = 15;
/** Milliseconds between renewals, well below the duration of the lease. */
const RENEW_MILLISECONDS = LEASE_SECONDS * 1000 / 3;

/** Error that stops a writer without the lease, because another process may write the tables. */
export class TableLeaseLost extends Error {
  override name = "TableLeaseLost";

  constructor() {
    super("the lease of the search tables was lost or released");
  }
}

/** State of the two sets of tables, as the holder of the lease knows it. */
export interface Claim {
  serving: TableSet | null;
  filling: TableSet | null;
  /** True if no search reads the set that does not serve. */
  retired: boolean;
}

/** The lease of one process. */
export class TableLease {
  readonly #sql: Sql;
  readonly #now: () => number;
  readonly #token = crypto.randomUUID();
  #heldUntil = -Infinity;
  #renewAt = -Infinity;
  #claimed: Claim | undefined;
  #stopped = false;

  /** @param now returns the milliseconds of a monotonic clock */
  constructor(sql: Sql, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  /**
   * Takes the lease, or renews it if a renewal is due. Returns undefined if another process holds
   * the lease, or after `stop`.
   */
  async claim(): Promise<Claim | undefined> {
    if (this.#stopped) return undefined;
    // The time is taken before the request, so that the lease ends here before it ends in the
    // database.
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
   * Renews the lease if a renewal is due. Must be called before each transaction. The lease is lost
   * if another process has held it meanwhile, even if that process has released it again.
   *
   * @throws TableLeaseLost
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

  /** Makes all later checks throw. The lease is held until it is released. */
  stop(): void {
    this.#stopped = true;
  }

  /** Checks the lease. Must be called right before each statement. @throws TableLeaseLost */
  check(): void {
    if (this.#stopped) throw new TableLeaseLost();
    if (this.#now() > this.#heldUntil) throw this.#lost();
  }

  /** Records which set is being filled; null if none is. @throws TableLeaseLost */
  async noteFilling(set: TableSet | null): Promise<void> {
    const [{ held }] = await this.#sql<[{ held: boolean }]>`
      select fill_search_tables(${this.#token}, ${set}) as held
    `;
    this.#claimed = undefined;
    if (!held) throw this.#lost();
  }

  /** Makes searches read the set that was filled. @throws TableLeaseLost */
  async noteServing(set: TableSet): Promise<void> {
    const [{ held }] = await this.#sql<[{ held: boolean }]>`
      select serve_search_tables(${this.#token}, ${set}) as held
    `;
    this.#claimed = undefined;
    if (!held) throw this.#lost();
  }

  /** Gives the lease back. This object cannot take it again. */
  async release(): Promise<void> {
    this.#stopped = true;
    if (this.#now() > this.#heldUntil) return;
    await this.#sql`select release_search_tables(${this.#token})`;
  }

  #noteHeld(isHeld: boolean, started: number): void {
    this.#heldUntil = isHeld ? started + LEASE_SECONDS * 1000 : -Infinity;
    this.#renewAt = started + RENEW_MILLISECONDS;
  }

  #lost(): TableLeaseLost {
    this.#claimed = undefined;
    this.#heldUntil = -Infinity;
    return new TableLeaseLost();
  }
}
