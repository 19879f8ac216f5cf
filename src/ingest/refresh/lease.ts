/** Work that one process at a time does: held while it goes on, free when the process dies. */

/** Max seconds for which a dead process holds up its work. */
export const LEASE_SECONDS = 60;

const RENEW_MS = LEASE_SECONDS * 1000 / 3;

/** Another process has taken over, or may have. */
export class LeaseLost extends Error {
  override name = "LeaseLost";

  constructor() {
    super("the lease passed to another process, or was taken back");
  }
}

/** Renews a lease in the background until it is disposed of. */
export class FeedLease implements AsyncDisposable {
  /** Aborts when the process is to stop, or when the lease is lost. */
  readonly signal: AbortSignal;
  readonly #lost = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  #heldUntil = leaseEnd();
  #renewing: Promise<void> = Promise.resolve();

  /** @param renew takes LEASE_SECONDS more; false: the lease is another's */
  constructor(renew: () => Promise<boolean>, stop: AbortSignal) {
    this.signal = AbortSignal.any([stop, this.#lost.signal]);
    this.#timer = setInterval(() => {
      this.#renewing = this.#renew(renew);
    }, RENEW_MS);
  }

  /** True if the work has passed to another process. */
  get lost(): boolean {
    return this.#lost.signal.aborted;
  }

  /**
   * Throws once the lease is lost. It must be called before each write. @throws LeaseLost, or why
   * the process stops
   */
  check(): void {
    // A process that was halted for long wakes up before its timers do.
    if (performance.now() > this.#heldUntil) this.#lost.abort(new LeaseLost());
    this.signal.throwIfAborted();
  }

  /** Ends the lease after a write under it has found it lost. @throws LeaseLost */
  lose(): never {
    this.#lost.abort(new LeaseLost());
    throw this.#lost.signal.reason;
  }

  /** Yields the entries while the lease is held. Entries that are read later are not recorded. */
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
      // The database is away: the next renewal may find it back before the lease ends.
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
  }
}

/** Counted from before the database counts, so that it is never believed too long. */
function leaseEnd(): number {
  return performance.now() + LEASE_SECONDS * 1000;
}
