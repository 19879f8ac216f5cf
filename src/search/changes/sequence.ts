/**
 * Follows a sequence of rows, such as the changes of the dataset or the vectors that workers store.
 * A writer locks the row with the last number of a sequence until it commits. Numbers therefore
 * grow in the order of commits, and a consumer that pages by (number, id) skips nothing. The first
 * load of a consumer reads the same pages, from the beginning.
 */
import { Slices } from "../../slices.ts";

/** Milliseconds between two polls of the dataset's clock, unless a test sets others. */
export const POLL_MILLISECONDS = 250;

/** Passes rows to `take` one by one. The event loop gets turns in between. */
export async function takeInSlices<Row>(
  rows: Iterable<Row>,
  take: (row: Row) => void,
): Promise<void> {
  const slices = new Slices();
  for (const row of rows) {
    take(row);
    if (slices.isOver) await slices.turn();
  }
}

/**
 * Runs a function that catches up with a sequence, one run at a time. Each call waits for a run
 * that begins after the call.
 */
export class CatchingUp {
  #latest: Promise<void> = Promise.resolve();

  constructor(private readonly run: () => Promise<void>) {}

  /** Catches up with everything that is committed by now. */
  refresh(): Promise<void> {
    return this.#latest = this.#latest.catch(() => {}).then(this.run);
  }

  /** Resolves when the latest run has ended or failed. */
  async settled(): Promise<void> {
    await this.#latest.catch(() => {});
  }
}
