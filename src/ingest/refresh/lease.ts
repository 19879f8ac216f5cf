/** A lease on work that only one process may do at a time. It expires if the process dies. */

/**
 * Seconds until a lease that is not renewed expires. The number is chosen: a run of a dead process
 * continues a minute later.
 */
export const FEED_LEASE_SECONDS = 60;

const RENEW_MS = FEED_LEASE_SECONDS * 1000 / 3;

/** Error of a process whose lease has ended. Another process may have taken over. */
export class LeaseLost extends Error {
  override name = "LeaseLost";

  constructor() {
    super("the lease passed to another process, or was taken back");
  }
}

/** A lease that is renewed in the background until this object is disposed of. */
export class FeedLease implements AsyncDisposable {
  /** Aborts when the process stops or the lease is lost. */
  readonly signal: AbortSignal;
  readonly #lost = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  #heldUntil = leaseEnd();
  #renewing: Promise<void> = Promise.resolve();

  /** @param renew extends the lease by FEED_LEASE_SECONDS. Returns false if the lease is lost */
  constructor(renew: () => Promise<boolean>, stop: AbortSignal) {
    this.signal = AbortSignal.any([stop, this.#lost.signal]);
    this.#timer = setInterval(() => {
      this.#renewing = this.#renew(renew);
    }, RENEW_MS);
  }

  /** True if the lease is lost. */
  get lost(): boolean {
    return this.#lost.signal.aborted;
  }

  /**
   * Checks the lease. It must be called before each write.
   * @throws LeaseLost, or the reason why the process stops
   */
  check(): void {
    // After a long halt of the process, this call can run before the timer that renews the lease.
    if (performance.now() > this.#heldUntil) this.#lost.abort(new LeaseLost());
    this.signal.throwIfAborted();
  }

  /**
   * Marks the lease as lost. It is called after a write that failed because the lease was lost.
   * @throws LeaseLost
   */
  lose(): never {
    this.#lost.abort(new LeaseLost());
    throw this.#lost.signal.reason;
  }

  /**
   * Yields the entries. Throws as soon as the lease is lost, so that later entries are not
   * recorded.
   */
  async *whileHeld<T>(entries: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const entry of entries) {
      this.check();
      yield entry;
    }
    this.check();
  }

  async #renew(renew: () => Promise<boolean>): Promise<void> {
    const end = leaseEnd();
    try {
      if (await renew()) this.#heldUntil = end;
      else this.#lost.abort(new LeaseLost());
    } catch {
      // The database is unavailable. The next renewal may still come before the lease ends.
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
  }
}

/**
 * Returns the end of a lease that starts now, in milliseconds of performance.now(). It must be
 * called before the database starts the lease, so that this process never assumes a later end than
 * the database.
 */
function leaseEnd(): number {
  return performance.now() + FEED_LEASE_SECONDS * 1000;
}
