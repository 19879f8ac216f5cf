/** Holds documents of an index in typed arrays that never change, except for the removed ones. */
import { COUNTRIES, DEMAND_CLASSES, KINDS } from "../../contract/vocabulary.ts";
import { lowerBound } from "../words/lower_bound.ts";
import { SpellingIndex } from "../words/spelling.ts";
import type { AnalyzedDocument } from "./analyze.ts";
import { microsecondsOf } from "./instants.ts";

/** Bits of `Segment.states`: which facets a document states. */
export const STATES = { region: 1, city: 2, metro: 4, round: 8, role: 16, document: 32 } as const;

/**
 * Arrays of a segment, which threads share and snapshots contain. Documents are numbered in the
 * order of their ids, terms in the order of their keys. Starts have one more element than what they
 * number. Instants are microseconds since the epoch.
 */
export const ARRAYS = {
  ids: Float64Array,
  companies: Float64Array,
  /** Places in KINDS, COUNTRIES and DEMAND_CLASSES. */
  kinds: Uint8Array,
  countries: Uint8Array,
  demand_classes: Uint8Array,
  /** NaN: unknown. */
  occurred: Float64Array,
  observed: Float64Array,
  /** Infinity: never. */
  expires: Float64Array,
  /** NaN: unknown. */
  closes: Float64Array,
  amounts: Float64Array,
  /** Bits of NAICS sectors (document.ts). */
  sectors: Uint32Array,
  states: Uint8Array,
  /** 0: the document was replaced or removed. */
  live: Uint8Array,
  /** Words of the documents (AnalyzedDocument.stream). */
  stream: Uint16Array,
  stream_starts: Uint32Array,
  /** Keys of the terms, ascending. */
  keys: Float64Array,
  posting_starts: Uint32Array,
  /** Documents with a term, ascending, and the impact of the term in each. */
  documents: Uint32Array,
  impacts: Uint8Array,
  /** Hash table of terms: number of a term plus 1; 0: free. */
  slots: Uint32Array,
  /** Distinct folded words that can correct a spelling, sorted, separated by line breaks. */
  words: Uint8Array,
  /** Deletion neighbourhoods of the words (words/spelling.ts). */
  deletions: Float64Array,
} as const;

/** Arrays of a segment by their names. */
export type SegmentArrays = { [Name in keyof typeof ARRAYS]: InstanceType<(typeof ARRAYS)[Name]> };

/** Range of the postings of a term. */
export interface PostingRange {
  from: number;
  to: number;
}

/** Documents with the terms that they contain. */
export class Segment {
  /** Number of removed documents. */
  removed: number;
  readonly #mask: number;
  #spelling: SpellingIndex | undefined;

  constructor(readonly arrays: SegmentArrays) {
    this.#mask = arrays.slots.length - 1;
    this.removed = arrays.live.reduce((sum, isLive) => sum + 1 - isLive, 0);
  }

  /** Number of documents, including removed ones. */
  get size(): number {
    return this.arrays.ids.length;
  }

  /** Number of bytes of the arrays. */
  get bytes(): number {
    return Object.values(this.arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Returns the number of the document with an id; -1 if there is none, or it was removed. */
  documentOf(id: number): number {
    const { ids, live } = this.arrays;
    const place = lowerBound(ids, id);
    return ids[place] === id && live[place] === 1 ? place : -1;
  }

  /** Removes the document with an id. @returns whether it was present */
  remove(id: number): boolean {
    const document = this.documentOf(id);
    if (document < 0) return false;
    this.arrays.live[document] = 0;
    this.removed++;
    return true;
  }

  /** Returns the postings of a term; undefined if no document contains it. */
  find(key: number): PostingRange | undefined {
    const { keys, posting_starts, slots } = this.arrays;
    for (let slot = slotOf(key) & this.#mask;; slot = (slot + 1) & this.#mask) {
      const term = slots[slot]! - 1;
      if (term < 0) return undefined;
      if (keys[term] === key) return { from: posting_starts[term]!, to: posting_starts[term + 1]! };
    }
  }

  /** Counts the documents with a term that are not removed. */
  frequency(key: number): number {
    const range = this.find(key);
    if (range === undefined) return 0;
    const { documents, live } = this.arrays;
    if (this.removed === 0) return range.to - range.from;
    let count = 0;
    for (let at = range.from; at < range.to; at++) count += live[documents[at]!]!;
    return count;
  }

  /** Returns words near a misspelled, folded word. */
  near(word: string): string[] {
    const { words, deletions } = this.arrays;
    this.#spelling ??= new SpellingIndex(textsOf(words), deletions);
    return this.#spelling.near(word);
  }
}

/** Returns the place at which the search for a key begins. Its lower 26 bits are a hash. */
function slotOf(key: number): number {
  return Math.imul(key & 0x3ffffff, 0x9e3779b1) >>> 6;
}

/** Builds a segment. The documents must have distinct ids. */
export function buildSegment(analyzed: readonly AnalyzedDocument[]): Segment {
  const sorted = analyzed.toSorted((a, b) => a.document.observation_id - b.document.observation_id);
  const size = sorted.length;
  const of = <Item>(value: (document: AnalyzedDocument["document"]) => Item) =>
    sorted.map(({ document }) => value(document));
  const at = (instant: string | null, absent: number) =>
    instant === null ? absent : microsecondsOf(instant);
  const numbers = new Map<number, number>();
  const counts: number[] = [];
  for (const one of sorted) {
    for (const key of one.keys) {
      const number = numbers.get(key);
      if (number === undefined) {
        numbers.set(key, counts.length);
        counts.push(1);
      } else counts[number]!++;
    }
  }
  const keys = shared(Float64Array, numbers.size);
  keys.set([...numbers.keys()]);
  keys.sort();
  const posting_starts = shared(Uint32Array, keys.length + 1);
  /** Place of the next posting of a term, by the number of its first occurrence. */
  const next = new Uint32Array(keys.length);
  keys.forEach((key, term) => {
    const number = numbers.get(key)!;
    next[number] = posting_starts[term]!;
    posting_starts[term + 1] = posting_starts[term]! + counts[number]!;
  });
  const documents = shared(Uint32Array, posting_starts[keys.length]!);
  const impactsOfPostings = shared(Uint8Array, documents.length);
  sorted.forEach((one, document) => {
    one.keys.forEach((key, n) => {
      const place = next[numbers.get(key)!]!++;
      documents[place] = document;
      impactsOfPostings[place] = one.impacts[n]!;
    });
  });
  const words = new Set<string>();
  for (const one of sorted) for (const word of one.words.split(" ")) words.add(word);
  words.delete("");
  const starts = shared(Uint32Array, size + 1);
  sorted.forEach(({ stream }, document) => {
    starts[document + 1] = starts[document]! + stream.length;
  });
  const stream = shared(Uint16Array, starts[size]!);
  sorted.forEach((one, document) => stream.set(one.stream, starts[document]));
  return segmentOf({
    ids: filled(Float64Array, of((one) => one.observation_id)),
    companies: filled(Float64Array, of((one) => one.company_id)),
    kinds: filled(Uint8Array, of((one) => KINDS.indexOf(one.kind))),
    countries: filled(Uint8Array, of((one) => COUNTRIES.indexOf(one.country))),
    demand_classes: filled(Uint8Array, of((one) => DEMAND_CLASSES.indexOf(one.demand_class))),
    occurred: filled(Float64Array, of((one) => at(one.occurred_at, NaN))),
    observed: filled(Float64Array, of((one) => at(one.observed_at, NaN))),
    expires: filled(Float64Array, of((one) => at(one.expires_at, Infinity))),
    closes: filled(Float64Array, of((one) => at(one.closes_at, NaN))),
    amounts: filled(Float64Array, of((one) => one.amount ?? NaN)),
    sectors: filled(Uint32Array, of((one) => one.sectors)),
    states: filled(Uint8Array, of((one) => statesOf(one.facets))),
    live: shared(Uint8Array, size).fill(1),
    stream,
    stream_starts: starts,
    keys,
    posting_starts,
    documents,
    impacts: impactsOfPostings,
  }, words);
}

/** Adds the hash table of terms and the neighbourhoods of words. */
export function segmentOf(
  arrays: Omit<SegmentArrays, "slots" | "words" | "deletions">,
  words: ReadonlySet<string>,
): Segment {
  const { keys } = arrays;
  const slots = shared(Uint32Array, 2 ** Math.ceil(Math.log2(1.5 * keys.length + 2)));
  const mask = slots.length - 1;
  keys.forEach((key, term) => {
    let slot = slotOf(key) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = term + 1;
  });
  const sorted = [...words].sort();
  return new Segment({
    ...arrays,
    slots,
    words: filled(Uint8Array, new TextEncoder().encode(sorted.join("\n"))),
    deletions: filled(Float64Array, SpellingIndex.deletionsOf(sorted)),
  });
}

export function textsOf(words: Uint8Array): string[] {
  // A decoder does not read shared memory.
  const text = new TextDecoder().decode(words.slice());
  return text === "" ? [] : text.split("\n");
}

/** Returns the bits of the facets that a document states. */
function statesOf(facets: readonly string[]): number {
  return facets.reduce((bits, facet) => {
    const name = facet.slice(0, facet.indexOf(":"));
    return bits | (STATES[name as keyof typeof STATES] ?? 0);
  }, 0);
}

export interface ArrayType<Result> {
  new (buffer: SharedArrayBuffer): Result;
  readonly BYTES_PER_ELEMENT: number;
}

/** Returns an array that threads can share. */
export function shared<Result>(type: ArrayType<Result>, length: number): Result {
  return new type(new SharedArrayBuffer(length * type.BYTES_PER_ELEMENT));
}

export function filled<Result extends { set(values: ArrayLike<number>): void }>(
  type: ArrayType<Result>,
  values: ArrayLike<number>,
): Result {
  const array = shared(type, values.length);
  array.set(values);
  return array;
}
