/** Divides long work into slices. Between them, the event loop serves timers and sockets. */

/**
 * Milliseconds of a slice: a tenth of the max time for which a caller's text may block the loop.
 */
const SLICE_MILLISECONDS = 5;

/** Measures the slices of one piece of work. The work calls `turn` when a slice is over. */
export class Slices {
  readonly #milliseconds: number;
  readonly #now: () => number;
  #start: number;

  /**
   * @param options.milliseconds duration of a slice
   * @param options.now milliseconds of a monotonic clock
   */
  constructor({ milliseconds = SLICE_MILLISECONDS, now = () => performance.now() } = {}) {
    this.#milliseconds = milliseconds;
    this.#now = now;
    this.#start = now();
  }

  /** True if the present slice has lasted its milliseconds. */
  get isOver(): boolean {
    return this.#now() - this.#start >= this.#milliseconds;
  }

  /** Runs steps to their end. The event loop gets a turn between two steps if the slice is over. */
  async run<Result>(steps: Generator<void, Result>): Promise<Result> {
    for (let step = steps.next();; step = steps.next()) {
      if (step.done) return step.value;
      if (this.isOver) await this.turn();
    }
  }

  /**
   * Turns the event loop once and begins the next slice. With setImmediate, sockets could wait for
   * dozens of turns.
   */
  async turn(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#start = this.#now();
  }
}

/** Runs steps to their end in one turn of the event loop. */
export function runNow<Result>(steps: Generator<void, Result>): Result {
  for (let step = steps.next();; step = steps.next()) if (step.done) return step.value;
}
