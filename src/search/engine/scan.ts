/**
 * Which documents of a segment may reach a score: what all postings of a query's terms add, added up
 * per document, as whole numbers that are never too small. Long lists that add little are left out
 * once it is known what a document has to reach, and documents that stand in such lists alone are
 * not even looked at (Turtle, Flood: Query evaluation: strategies and optimizations, IPM 1995:
 * MaxScore). To add up a posting takes a nanosecond, a hundred times less than to score a document
 * exactly. Where documents must have certain attributes, only their part of each list is read: they
 * are neighbours.
 */
import type { Admission, Range } from "./admission.ts";
import { DOCUMENTS_MAX } from "./layout.ts";
import { chooseOmitted, type List, Omission } from "./omission.ts";
import type { Pool } from "./pool.ts";
import type { WeightedTerm } from "./question.ts";
import { firstFrom } from "./rising.ts";
import type { Segment } from "./segment.ts";

/** A part of a list, from a place up to another. */
interface Slice extends List {
  from: number;
  to: number;
}

export interface Scan {
  segment: Segment;
  admission: Admission;
  /** Those whose terms add most stand last; those of a term side by side. */
  slices: readonly Slice[];
  postings: number;
  /** What is not added up by posting: every admitted sum begins with the most that it can be. */
  omission: Omission;
  /** By document; all 0 before `addUp` and after `clear`. */
  sums: Uint16Array;
}

/** To find a range in a list costs as much as reading so many postings. */
const RANGE_COST = 32;

/** So does looking a document up in lists that were left out. */
const LOOKUP_COST = 32;

/** Fewer postings are taken back one by one. */
const FEW_POSTINGS = 4_096;
const BIN_BITS = 7;

/** A sample that tells where the best documents are: how many of all, how many of them best. */
const SAMPLE = 1_024;
const SAMPLE_BEST = 24;

// One search at a time: searches never wait for anything.
const idle: Uint16Array[] = [];
const bins = new Uint32Array(1 << (16 - BIN_BITS));

/**
 * @param numbers of the terms in the segment; -1 where it does not hold one
 * @param least the sum that is asked for; 0: not known yet
 */
export function openScan(
  { segment, admission, terms, numbers, least }: {
    segment: Segment;
    admission: Admission;
    terms: readonly WeightedTerm[];
    numbers: readonly number[];
    least: number;
  },
): Scan {
  const lists = terms.flatMap(({ adds }, place): List[] => {
    const number = numbers[place]!;
    if (number < 0) return [];
    const most = adds[segment.peak(number)]!;
    return [{ start: segment.start(number), end: segment.start(number + 1), adds, most }];
  }).sort((a, b) => a.most - b.most);
  const omitted = chooseOmitted(lists, least);
  const slices = lists.slice(omitted.length).flatMap((list) =>
    rangesOf(segment, list, admission.ranges).map((range) => ({ ...list, ...range }))
  );
  const postings = slices.reduce((sum, { from, to }) => sum + to - from, 0);
  const sums = idle.pop() ?? new Uint16Array(DOCUMENTS_MAX + 1);
  return { segment, admission, slices, postings, omission: new Omission(segment, omitted), sums };
}

/** The parts of a list that are to be read. */
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
    const from = firstFrom(postings, { start, end, least: range.from });
    return { from, to: firstFrom(postings, { start: from, end, least: range.to }) };
  });
}

/** Adds up all slices. `clear` has to follow. */
export function addUp({ segment, admission, slices, omission, sums }: Scan): void {
  if (omission.most > 0) {
    for (const { from, to } of admission.ranges ?? [{ from: 0, to: segment.size }]) {
      sums.fill(omission.most, from, to);
    }
  }
  for (const slice of slices) addSlice(segment, slice, sums);
}

/** Two postings at a time, since most of the time goes into reading them. */
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

/** Moves admitted documents with at least such a sum into the pool; theirs are then 0. */
export function pick(scan: Scan, { least, pool }: { least: number; pool: Pool }): void {
  const { segment, admission, omission, sums } = scan;
  const take = (document: number) => {
    const most = sums[document]!;
    sums[document] = 0;
    if (!admission.admits(document)) return;
    const sum = omission.lower(document, { sum: most, least });
    if (sum < least) sums[document] = sum;
    else pool.add(document, sum);
  };
  const slices = slicesFrom(scan, least);
  const postings = slices.reduce((sum, { from, to }) => sum + to - from, 0);
  // Where lists are long, most documents stand in several of them.
  if (postings > admission.share * segment.size) {
    for (const { from, to } of admission.ranges ?? [{ from: 0, to: segment.size }]) {
      for (let document = from; document < to; document++) {
        if (sums[document]! >= least) take(document);
      }
    }
    return;
  }
  const { postings: documents } = segment.parts;
  for (const { from, to } of slices) {
    omission.rewind();
    for (let place = from; place < to; place++) {
      const document = documents[place]!;
      if (sums[document]! >= least) take(document);
    }
  }
}

/** Those that hold every document of such a sum: what stands in the others alone cannot have it. */
function slicesFrom({ slices, omission }: Scan, least: number): readonly Slice[] {
  let together = omission.most;
  let last: Uint16Array | undefined;
  const first = slices.findIndex(({ adds, most }) => {
    if (adds !== last) together += most;
    last = adds;
    return together >= least;
  });
  return first < 0 ? [] : slices.slice(first);
}

/** Whether to look up what comes near a sum costs more than to add all lists up. */
export function omitsTooMuch({ segment, admission, omission, sums }: Scan, least: number): boolean {
  if (omission.most === 0) return false;
  const { ranges, share } = admission;
  const step = Math.ceil(share * segment.size / SAMPLE);
  let near = 0;
  for (const { from, to } of ranges ?? [{ from: 0, to: segment.size }]) {
    for (let document = from; document < to; document += step) {
      if (sums[document]! >= least) near++;
    }
  }
  return near * step * LOOKUP_COST > omission.postings * share;
}

/** A sum that a few hundred admitted documents are likely to have. */
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

/** Takes all sums back, and their room for a search to come. */
export function clear({ segment, postings, slices, omission, sums }: Scan): void {
  if (postings > FEW_POSTINGS || omission.most > 0) sums.fill(0, 0, segment.size);
  else {
    for (const { from, to } of slices) {
      for (let place = from; place < to; place++) sums[segment.parts.postings[place]!] = 0;
    }
  }
  idle.push(sums);
}
