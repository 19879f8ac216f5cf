/**
 * Finds the documents of a segment that may reach a score. The sum of a document adds up the upper
 * bounds of its postings for the terms of a query. Sums are integers, and never too small.
 *
 * Once the threshold is known, long posting lists that add little are omitted. Documents that are
 * only in such lists are skipped (Turtle, Flood: Query evaluation: strategies and optimizations,
 * IPM 1995: MaxScore). Adding up a posting takes a nanosecond, a hundred times less than scoring a
 * document exactly. Documents are sorted by attribute, so a condition on attributes needs only
 * parts of each list.
 */
import type { Admission } from "./filters.ts";
import { DOCUMENTS_MAX } from "./layout.ts";
import type { WeightedTerm } from "./scoring.ts";
import type { Segment } from "./segment.ts";
import { AscendingList, lowerBound, type Range } from "./typed_arrays.ts";

/** The postings of a term, from `start` up to `end`. */
export interface List {
  start: number;
  end: number;
  /** Amount that a posting adds to a sum, by its level. */
  adds: Uint16Array;
  /** Max amount that a posting of the term adds. */
  max: number;
}

/** Max amount of all omitted lists together, as a share of the min sum. */
const SHARE_MAX = 0.3;

/**
 * Returns the lists to omit in a search for sums of at least `minSum`. Their max amounts together
 * are at most SHARE_MAX of `minSum`. The lists must ascend by `max`.
 */
function chooseOmitted(lists: readonly List[], minSum: number): readonly List[] {
  let together = 0;
  const count = lists.findIndex(({ max }) => (together += max) > SHARE_MAX * minSum);
  return lists.slice(0, Math.max(count, 0));
}

/** Posting lists that are not added up. Documents are looked up in them instead. */
class OmittedLists {
  /** Max amount that the lists add together. */
  readonly max: number;
  readonly postings: number;
  readonly #levels: Uint8Array;
  readonly #lists: readonly List[];
  readonly #documents: readonly AscendingList[];

  constructor({ parts: { postings, levels } }: Segment, lists: readonly List[]) {
    this.#levels = levels;
    this.#lists = lists;
    this.#documents = lists.map(({ start, end }) =>
      new AscendingList(postings.subarray(start, end))
    );
    this.max = lists.reduce((sum, { max }) => sum + max, 0);
    this.postings = lists.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  /** Resets the positions, so that the next document may be lower than the last one. */
  rewind(): void {
    for (const documents of this.#documents) documents.rewind();
  }

  /**
   * Replaces the max amounts of the lists in a sum by the actual amounts of a document. It stops
   * once the sum is below `minSum`. Documents must ascend from call to call, until `rewind`.
   */
  lower(document: number, { sum, minSum }: { sum: number; minSum: number }): number {
    const levels = this.#levels;
    let lowered = sum;
    for (let n = this.#lists.length - 1; n >= 0 && lowered >= minSum; n--) {
      const { start, adds, max } = this.#lists[n]!;
      const place = this.#documents[n]!.placeOf(document);
      lowered -= place < 0 ? max : max - adds[levels[start + place]!]!;
    }
    return lowered;
  }
}

/** A part of a posting list, from the place `from` up to `to`. */
interface Slice extends List {
  from: number;
  to: number;
}

/** The scan of one segment. */
export interface Scan {
  segment: Segment;
  admission: Admission;
  /**
   * Slices in ascending order of the max amounts of their terms. Slices of one term are adjacent.
   */
  slices: readonly Slice[];
  /** Number of postings in the slices. */
  postings: number;
  /** Lists that are not added up. Sums in the ranges of `admission` begin with their max amount. */
  omission: OmittedLists;
  /** Sum of each document; 0 before `addUp` and after `clear`. */
  sums: Uint16Array;
}

/** Cost of finding a range in a list, as the number of postings that take as long to read. */
const RANGE_COST = 32;

/**
 * Cost of looking up a document in omitted lists, as the number of postings that take as long to
 * read.
 */
const LOOKUP_COST = 32;

/** Max number of postings whose sums are reset one by one. */
const FEW_POSTINGS = 4_096;

/** Number of low bits of a sum that `guess` ignores. */
const BIN_BITS = 7;

/** Size of a sample. `guess` returns a sum that SAMPLE_BEST of the sample reach. */
const SAMPLE = 1_024;

const SAMPLE_BEST = 24;

// Arrays of sums that later scans reuse. Only one search runs at a time, because searches never
// await.
const idle: Uint16Array[] = [];

const bins = new Uint32Array(1 << (16 - BIN_BITS));

/**
 * Prepares the scan of a segment.
 *
 * @param numbers number of each term in the segment; -1 if it does not contain the term
 * @param minSum min sum of a wanted document; 0: not known yet
 */
export function openScan(
  { segment, admission, terms, numbers, minSum }: {
    segment: Segment;
    admission: Admission;
    terms: readonly WeightedTerm[];
    numbers: readonly number[];
    minSum: number;
  },
): Scan {
  const lists = terms.flatMap(({ adds }, place): List[] => {
    const number = numbers[place]!;
    if (number < 0) return [];
    const max = adds[segment.peak(number)]!;
    return [{ start: segment.start(number), end: segment.start(number + 1), adds, max }];
  }).sort((a, b) => a.max - b.max);
  const omitted = chooseOmitted(lists, minSum);
  const slices = lists.slice(omitted.length).flatMap((list) =>
    rangesOf(segment, list, admission.ranges).map((range) => ({ ...list, ...range }))
  );
  const postings = slices.reduce((sum, { from, to }) => sum + to - from, 0);
  const sums = idle.pop() ?? new Uint16Array(DOCUMENTS_MAX + 1);
  return {
    segment,
    admission,
    slices,
    postings,
    omission: new OmittedLists(segment, omitted),
    sums,
  };
}

/** Returns the parts of a list that the scan has to read. */
function rangesOf(
  segment: Segment,
  { start, end }: List,
  ranges: readonly Range[] | null,
): Range[] {
  if (ranges === null || end - start < RANGE_COST * ranges.length) {
    return [{ from: start, to: end }];
  }
  const { postings } = segment.parts;
  return ranges.map((range) => {
    const from = lowerBound(postings, { start, end, min: range.from });
    return { from, to: lowerBound(postings, { start: from, end, min: range.to }) };
  });
}

/** Adds up all slices. The caller has to call `clear` afterwards. */
export function addUp({ segment, admission, slices, omission, sums }: Scan): void {
  if (omission.max > 0) {
    for (const { from, to } of admission.ranges ?? [{ from: 0, to: segment.size }]) {
      sums.fill(omission.max, from, to);
    }
  }
  for (const slice of slices) addSlice(segment, slice, sums);
}

/** Adds up a slice. It reads two postings at a time, because reading takes most of the time. */
function addSlice(
  { parts: { postings, levels }, postingPairs, levelPairs }: Segment,
  { from, to, adds }: Slice,
  sums: Uint16Array,
): void {
  if (from < to && from % 2 === 1) sums[postings[from]!]! += adds[levels[from]!]!;
  if (from < to && to % 2 === 1) sums[postings[to - 1]!]! += adds[levels[to - 1]!]!;
  const end = to >>> 1;
  for (let pair = (from + 1) >>> 1; pair < end; pair++) {
    const documents = postingPairs[pair]!;
    const both = levelPairs[pair]!;
    sums[documents & 0xffff]! += adds[both & 0xff]!;
    sums[documents >>> 16]! += adds[both >>> 8]!;
  }
}

/** Receives the documents that a scan has picked, with their sums. */
interface PickedDocuments {
  add(document: number, sum: number): void;
}

/**
 * Moves admitted documents with a sum of at least `minSum` into the pool. Documents that were moved
 * or are not admitted then have a sum of 0.
 */
export function pick(
  scan: Scan,
  { minSum, pool }: { minSum: number; pool: PickedDocuments },
): void {
  const { segment, admission, omission, sums } = scan;
  const take = (document: number) => {
    const max = sums[document]!;
    sums[document] = 0;
    if (!admission.admits(document)) return;
    const sum = omission.lower(document, { sum: max, minSum });
    if (sum < minSum) sums[document] = sum;
    else pool.add(document, sum);
  };
  const slices = slicesFrom(scan, minSum);
  const postings = slices.reduce((sum, { from, to }) => sum + to - from, 0);
  // If the slices have more postings than the ranges have documents, a pass over documents is
  // shorter.
  if (postings > admission.share * segment.size) {
    for (const { from, to } of admission.ranges ?? [{ from: 0, to: segment.size }]) {
      for (let document = from; document < to; document++) {
        if (sums[document]! >= minSum) take(document);
      }
    }
    return;
  }
  const { postings: documents } = segment.parts;
  for (const { from, to } of slices) {
    omission.rewind();
    for (let place = from; place < to; place++) {
      const document = documents[place]!;
      if (sums[document]! >= minSum) take(document);
    }
  }
}

/**
 * Returns slices that contain all documents with a sum of at least `minSum`. A document that is
 * only in the other slices has a lower sum.
 */
function slicesFrom({ slices, omission }: Scan, minSum: number): readonly Slice[] {
  let together = omission.max;
  let last: Uint16Array | undefined;
  const first = slices.findIndex(({ adds, max }) => {
    if (adds !== last) together += max;
    last = adds;
    return together >= minSum;
  });
  return first < 0 ? [] : slices.slice(first);
}

/**
 * Estimates whether looking up the documents whose sums reach `minSum` costs more than adding up
 * the omitted lists.
 */
export function omitsTooMuch(
  { segment, admission, omission, sums }: Scan,
  minSum: number,
): boolean {
  if (omission.max === 0) return false;
  const { ranges, share } = admission;
  const step = Math.ceil(share * segment.size / SAMPLE);
  let near = 0;
  for (const { from, to } of ranges ?? [{ from: 0, to: segment.size }]) {
    for (let document = from; document < to; document += step) {
      if (sums[document]! >= minSum) near++;
    }
  }
  return near * step * LOOKUP_COST > omission.postings * share;
}

/** Returns a sum that a few hundred admitted documents are likely to reach. */
export function guess(scan: Scan): number {
  const { segment: { parts: { postings } }, admission, sums } = scan;
  const step = Math.ceil(scan.postings / SAMPLE);
  bins.fill(0);
  for (const { from, to } of scan.slices) {
    for (let place = from; place < to; place += step) {
      const document = postings[place]!;
      if (admission.admits(document)) bins[sums[document]! >>> BIN_BITS]!++;
    }
  }
  let bin = bins.length - 1;
  for (let best = bins[bin]!; bin > 0 && best < SAMPLE_BEST; best += bins[bin]!) bin--;
  return Math.max(bin << BIN_BITS, 1);
}

/** Sets all sums to 0, and keeps their array for a later scan. */
export function clear({ segment, postings, slices, omission, sums }: Scan): void {
  if (postings > FEW_POSTINGS || omission.max > 0) sums.fill(0, 0, segment.size);
  else {
    for (const { from, to } of slices) {
      for (let place = from; place < to; place++) sums[segment.parts.postings[place]!] = 0;
    }
  }
  idle.push(sums);
}
