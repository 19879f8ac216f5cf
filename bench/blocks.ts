/** Measures how long work blocks the event loop, by the delay of a timer. */
import type { IndexState } from "../src/search/engine/segmented_index.ts";
import type { ObservationDocument } from "../src/search/index/document.ts";
import { ObservationIndex } from "../src/search/index/observation_index.ts";
import type { Ours } from "./engines/ours.ts";
import { createOurs } from "./engines/ours.ts";
import { LIMIT } from "./measure.ts";
import type { Query } from "./queries.ts";

/** Milliseconds of indexing between two turns of the event loop, as in the service. */
const SLICE = 5;
/** Max number of expired documents that are removed between two turns of the event loop. */
const SLICE_EVICTIONS = 2_000;

/** Moment after all expiries. A tenth of the documents have an expiry. */
const END = "2040-01-01T00:00:00.000000Z";

/** Longest blocks of the event loop, in milliseconds. */
interface Blocks {
  /** Longest block by searches for observations and for companies. */
  search: number;
  /** Longest block by indexing revised documents, while a worker merges segments. */
  refresh_and_merge: number;
  /** Longest block by opening an index from the state that a worker sends, and searching it. */
  swap: number;
  /** Longest block by a swap after every fifth document was removed. */
  worn_swap: number;
  /** Longest block by removing expired documents. */
  evict: number;
  /** Number of merges during `refresh_and_merge`. */
  merges: number;
}

/**
 * Measures the longest block by each kind of work.
 *
 * @param ours is searched and copied, but not changed
 * @param changed revised documents, which are indexed in a copy
 */
export async function measureBlocks(
  ours: Ours,
  { queries, changed }: { queries: readonly Query[]; changed: readonly ObservationDocument[] },
): Promise<Blocks> {
  const search = await longestBlock(async () => {
    for (const query of queries) {
      ours.search(query, LIMIT);
      await loop();
      ours.shortlist(query, LIMIT);
      await loop();
    }
  });
  const state = ours.index.state();
  const query = queries[0]!;
  let next = ours;
  const swap = await longestBlock(async () => {
    next = await open(state, query);
  });
  const worn = wear(state);
  const wornState = structuredClone(worn.state());
  const worn_swap = await longestBlock(async () => {
    await open(wornState, query);
  });
  const evict = await longestBlock(async () => {
    while (!worn.evictExpired(END, SLICE_EVICTIONS)) await loop();
  });
  let merges = 0;
  const refresh_and_merge = await longestBlock(async () => {
    merges = await refresh(next.index, changed);
  });
  return { search, refresh_and_merge, swap, worn_swap, evict, merges };
}

/** Opens an index from the state that a worker sends, and makes both kinds of searches. */
async function open(state: IndexState, query: Query): Promise<Ours> {
  const opened = createOurs(ObservationIndex.of(state, { merges: "elsewhere" }));
  await loop();
  opened.search(query, LIMIT);
  await loop();
  opened.shortlist(query, LIMIT);
  await loop();
  return opened;
}

/** Returns an index from which every fifth document was removed. */
function wear(state: IndexState): ObservationIndex {
  const index = ObservationIndex.of(state, { merges: "elsewhere" });
  const { size } = index;
  for (let id = 1; id <= size; id += 5) index.remove(id);
  return index;
}

/** Runs `work`. @returns max milliseconds between two turns of a timer during the work */
export async function longestBlock(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const note = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  let timer = setTimeout(function tick() {
    note();
    timer = setTimeout(tick);
  });
  await work();
  clearTimeout(timer);
  // A block at the end of the work has delayed the timer. This notes its length.
  note();
  return longest;
}

/** Indexes documents in slices, while a worker makes all due merges. @returns number of merges */
async function refresh(
  index: ObservationIndex,
  documents: readonly ObservationDocument[],
): Promise<number> {
  const merger = createMerger(index);
  let start = performance.now();
  for (const document of documents) {
    index.put(document);
    if (performance.now() - start > SLICE) {
      merger.wake();
      await loop();
      start = performance.now();
    }
  }
  return await merger.end();
}

/** Creates a merger, which makes one merge at a time in a worker. */
function createMerger(index: ObservationIndex) {
  const worker = new Worker(import.meta.resolve("./merge_worker.ts"), { type: "module" });
  let merging: Promise<void> | undefined;
  let merges = 0;
  const mergeOnce = async () => {
    const work = index.engine.mergeable();
    if (work === undefined) return;
    const { promise, resolve, reject } = Promise.withResolvers<SharedArrayBuffer>();
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ error, message }) => reject(error ?? new Error(message));
    worker.postMessage(work);
    if (index.engine.adopt(work, await promise)) merges++;
  };
  return {
    wake() {
      merging ??= mergeOnce().finally(() => merging = undefined);
    },
    async end(): Promise<number> {
      await merging;
      for (let before = -1; merges > before;) {
        before = merges;
        await mergeOnce();
      }
      worker.terminate();
      return merges;
    },
  };
}

/** Resolves at the next turn of the event loop. */
function loop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
