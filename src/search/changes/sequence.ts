/**
 * Follows a sequence of rows, such as the changes of the dataset or the vectors that workers store.
 * A writer locks the row with the last number of a sequence until it commits. Numbers therefore
 * grow in the order of commits, and a consumer that pages by (number, id) skips nothing. The first
 * load of a consumer reads the same pages, from the beginning. Each consumer keeps its own position
 * and state. This file provides paging, a check of a position's history, loops that yield to the
 * event loop, and serialized runs that catch up.
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
 * Tells whether a position belongs to the present history: its row must still exist, and the row's
 * number must not be lower than the position's. Writers only raise the number of a row. The number
 * falls, or the row disappears, if a backup is restored, a failover loses commits, or rows are
 * deleted (remove_demo, retire_embeddings).
 *
 * @param position number and id of the row; the number 0 means the beginning
 * @param readNumber returns the present number of the row; undefined if the row is absent
 */
export async function isOfSameHistory(
  position: { number: number; id: number },
  readNumber: (id: number) => Promise<number | undefined>,
): Promise<boolean> {
  if (position.number === 0) return true;
  const present = await readNumber(position.id);
  return present !== undefined && present >= position.number;
}

/**
 * Runs a function that catches up with a sequence, one run at a time. Each call waits for a run
 * that begins after the call.
 */
export class CatchingUp {
  readonly #run: (signal?: AbortSignal) => Promise<void>;
  #latest: Promise<void> = Promise.resolve();

  constructor(run: (signal?: AbortSignal) => Promise<void>) {
    this.#run = run;
  }

  /** Catches up with everything that is committed by now. */
  refresh(signal?: AbortSignal): Promise<void> {
    return this.#latest = this.#latest.catch(() => {}).then(() => this.#run(signal));
  }

  /** Resolves when the latest run has ended or failed. */
  async settled(): Promise<void> {
    await this.#latest.catch(() => {});
  }
}
