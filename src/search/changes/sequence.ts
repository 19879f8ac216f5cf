/**
 * Follows a sequence of rows, such as the changes of the dataset or the vectors that workers store.
 * A writer locks the row with the last number of a sequence until it commits. Numbers therefore
 * grow in the order of commits, and a consumer that pages by (number, id) skips nothing. The first
 * load of a consumer reads the same pages, from the beginning. Each consumer keeps its own position
 * and state. This file provides paging, loops that yield to the event loop, and serialized runs that
 * catch up.
 */
import { Slices } from "../../slices.ts";

/** Rows strictly after a position, in the order of the sequence. */
export interface SequencePage<Position> {
  /** Number of rows. */
  count: number;
  /** Position of the last row. If there is no row, the position after which the page was read. */
  last: Position;
}

/** Yields the pages after a position. The last page has fewer rows than the limit, or none. */
export async function* pagesAfter<Page extends SequencePage<unknown>>(
  position: Page["last"],
  { limit, read }: {
    limit: number;
    read(page: { after: Page["last"]; limit: number }): Promise<Page>;
  },
): AsyncGenerator<Page, void, void> {
  for (let after = position;;) {
    const page = await read({ after, limit });
    yield page;
    if (page.count < limit) return;
    after = page.last;
  }
}

/**
 * Passes rows to `take` one by one. The event loop gets turns in between, so that searches are
 * answered.
 */
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
  readonly #run: () => Promise<void>;
  #latest: Promise<void> = Promise.resolve();

  constructor(run: () => Promise<void>) {
    this.#run = run;
  }

  /** Catches up with everything that is committed by now. */
  refresh(): Promise<void> {
    return this.#latest = this.#latest.catch(() => {}).then(this.#run);
  }

  /** Resolves when the latest run has ended or failed. */
  async settled(): Promise<void> {
    await this.#latest.catch(() => {});
  }
}
