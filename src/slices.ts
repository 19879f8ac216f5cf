/** Divides long work into slices. Between them, the event loop serves timers and sockets. */

/** Milliseconds of a slice: a tenth of the longest block that a caller's text may cause. */
export const SLICE_MILLISECONDS = 5;

/** Measures the slices of one piece of work, which turns the event loop once a slice is over. */
export class Slices {
  readonly #milliseconds: number;
  readonly #now: () => number;
  readonly #pause: () => Promise<void>;
  #start: number;

  /**
   * @param options.milliseconds duration of a slice
   * @param options.now milliseconds of a clock that runs evenly
   * @param options.pause lets the event loop turn once
   */
  constructor({ milliseconds = SLICE_MILLISECONDS, now = () => performance.now(), pause = turn }: {
    milliseconds?: number;
    now?: () => number;
    pause?: () => Promise<void>;
  } = {}) {
    this.#milliseconds = milliseconds;
    this.#now = now;
    this.#pause = pause;
    this.#start = now();
  }

  /** True if the event loop has waited for a slice. */
  get isOver(): boolean {
    return this.#now() - this.#start >= this.#milliseconds;
  }

  /** Turns the event loop once and begins the next slice. */
  async turn(): Promise<void> {
    await this.#pause();
    this.#start = this.#now();
  }
}

/** Lets the event loop turn. No setImmediate: connections may wait through dozens of those. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
