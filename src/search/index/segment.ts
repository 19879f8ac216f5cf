/** Holds documents of an index in typed arrays that never change, except for the removed ones. */
import type { AnalyzedDocument } from "./analyze.ts";
import { COLUMNS, type DocumentNumbers } from "./document.ts";

/**
 * Arrays of a segment, which threads share and snapshots contain. Documents are numbered in the
 * order of their ids, terms in the order of their keys. Starts have one more element than what they
 * number.
 */
export const ARRAYS = {
  ...COLUMNS,
  /** 0: the document was replaced or removed. */
  live: Uint8Array,
  /** Words of the documents (AnalyzedDocument.stream). */
  stream: Uint16Array,
  stream_starts: Uint32Array,
  /** Keys of the terms, ascending. */
  keys: Float64Array,
  posting_starts: Uint32Array,
  /** Documents with a term, in any order, and the impact of the term in each. */
  documents: Uint32Array,
  impacts: Uint8Array,
  /** Distinct folded words that can correct a spelling, separated by line breaks. */
  words: Uint8Array,
} as const;

/** Arrays of a segment by their names. */
export type SegmentArrays = { [Name in keyof typeof ARRAYS]: InstanceType<(typeof ARRAYS)[Name]> };

const NAMES = Object.keys(COLUMNS) as (keyof DocumentNumbers)[];

/** Range of the postings of a term. */
export interface PostingRange {
  from: number;
  to: number;
}

/** Documents with the terms that they contain. */
export class Segment {
  removed: number;
  /** Words by their first letters. */
  #words: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(readonly arrays: SegmentArrays) {
    this.removed = arrays.live.reduce((sum, isLive) => sum + 1 - isLive, 0);
  }

  /** Number of documents, including removed ones. */
  get size(): number {
    return this.arrays.live.length;
  }

  get bytes(): number {
    return Object.values(this.arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Returns the number of the document with an id; -1 if there is none, or it was removed. */
  documentOf(id: number): number {
    const { observation_id, live } = this.arrays;
    const place = lowerBound(observation_id, id);
    return observation_id[place] === id && live[place] === 1 ? place : -1;
  }

  /** Removes the document with an id. @returns whether it was present */
  remove(id: number): boolean {
    const document = this.documentOf(id);
    if (document < 0) return false;
    this.arrays.live[document] = 0;
    this.removed++;
    return true;
  }

  /** Returns the postings of a term; an empty range if no document contains it. */
  find(key: number): PostingRange {
    const { keys, posting_starts } = this.arrays;
    const term = lowerBound(keys, key);
    const next = keys[term] === key ? term + 1 : term;
    return { from: posting_starts[term]!, to: posting_starts[next]! };
  }

  /** Counts the documents with a term that are not removed. */
  frequency(key: number): number {
    const { from, to } = this.find(key);
    if (this.removed === 0) return to - from;
    const { documents, live } = this.arrays;
    let count = 0;
    for (let at = from; at < to; at++) count += live[documents[at]!]!;
    return count;
  }

  /** Returns the words with the first letter of a word. People hardly misspell that letter. */
  wordsLike(word: string): readonly string[] {
    this.#words ??= Map.groupBy(textsOf(this.arrays.words), (text) => text[0]!);
    return this.#words.get(word[0]!) ?? [];
  }
}

/** Returns the place of the first number that is not below a value, by binary search. */
function lowerBound(sorted: ArrayLike<number>, value: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (sorted[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Builds a segment. The documents must have distinct ids. */
export function buildSegment(analyzed: readonly AnalyzedDocument[]): Segment {
  const documents = analyzed.toSorted((a, b) =>
    a.numbers.observation_id - b.numbers.observation_id
  );
  const words = new Set(documents.flatMap((one) => one.words === "" ? [] : one.words.split(" ")));
  const postings = (take: TakePosting) =>
    documents.forEach(({ keys, impacts }, document) =>
      keys.forEach((key, n) => take(key, document, impacts[n]!))
    );
  return new Segment(segmentArrays({ documents, postings, words }));
}

type TakePosting = (key: number, document: number, impact: number) => void;

/** Merges segments into one, without removed documents. At most one of an id is live. */
export function mergeSegments(sources: readonly SegmentArrays[]): SegmentArrays {
  const order = sources.flatMap((arrays, source) =>
    [...arrays.observation_id].flatMap((id, document) =>
      arrays.live[document] === 1 ? [{ id, source, document }] : []
    )
  ).sort((a, b) => a.id - b.id);
  /** New number of each document; -1 if it is dropped. */
  const numbers = sources.map(({ live }) => new Int32Array(live.length).fill(-1));
  order.forEach(({ source, document }, number) => numbers[source]![document] = number);
  return segmentArrays({
    documents: order.map(({ source, document }) => {
      const arrays = sources[source]!;
      const [from, to] = arrays.stream_starts.subarray(document, document + 2);
      return {
        numbers: Object.fromEntries(
          NAMES.map((name) => [name, arrays[name][document]!]),
        ) as DocumentNumbers,
        stream: arrays.stream.subarray(from, to),
      };
    }),
    postings(take) {
      for (const [at, { keys, posting_starts, documents, impacts }] of sources.entries()) {
        keys.forEach((key, term) => {
          for (let n = posting_starts[term]!; n < posting_starts[term + 1]!; n++) {
            const number = numbers[at]![documents[n]!]!;
            if (number >= 0) take(key, number, impacts[n]!);
          }
        });
      }
    },
    words: new Set(sources.flatMap(({ words }) => textsOf(words))),
  });
}

/** Parts from which segments are built and merged. */
interface SegmentParts {
  /** Live documents in the order of their ids. */
  documents: readonly Pick<AnalyzedDocument, "numbers" | "stream">[];
  /** Passes all postings to a function. It is called twice, and passes the same ones. */
  postings(take: TakePosting): void;
  words: ReadonlySet<string>;
}

function segmentArrays({ documents, postings, words }: SegmentParts): SegmentArrays {
  const { length } = documents;
  const columns = Object.fromEntries(
    NAMES.map((name) => [
      name,
      filled<Float64Array | Uint8Array>(
        COLUMNS[name],
        documents.map(({ numbers }) => numbers[name]),
      ),
    ]),
  ) as Pick<SegmentArrays, keyof DocumentNumbers>;
  const stream_starts = shared(Uint32Array, length + 1);
  documents.forEach((one, n) => stream_starts[n + 1] = stream_starts[n]! + one.stream.length);
  const stream = shared(Uint16Array, stream_starts[length]!);
  documents.forEach((one, n) => stream.set(one.stream, stream_starts[n]));
  return {
    ...columns,
    live: shared(Uint8Array, length).fill(1),
    stream,
    stream_starts,
    ...postingArrays(postings),
    words: filled(Uint8Array, new TextEncoder().encode([...words].join("\n"))),
  };
}

/** Sorts postings by their keys: counts them first, and gives each its place then. */
function postingArrays(postings: SegmentParts["postings"]) {
  /** Number of each term in the order of its first occurrence. */
  const numbers = new Map<number, number>();
  const counts: number[] = [];
  postings((key) => {
    const number = numbers.get(key);
    if (number === undefined) numbers.set(key, counts.push(1) - 1);
    else counts[number]!++;
  });
  const keys = filled(Float64Array, [...numbers.keys()]).sort();
  const posting_starts = shared(Uint32Array, keys.length + 1);
  /** Place of the next posting of a term, by its number. */
  const next = new Uint32Array(keys.length);
  keys.forEach((key, term) => {
    const number = numbers.get(key)!;
    next[number] = posting_starts[term]!;
    posting_starts[term + 1] = posting_starts[term]! + counts[number]!;
  });
  const documents = shared(Uint32Array, posting_starts[keys.length]!);
  const impacts = shared(Uint8Array, documents.length);
  postings((key, document, impact) => {
    const place = next[numbers.get(key)!]!++;
    documents[place] = document;
    impacts[place] = impact;
  });
  return { keys, posting_starts, documents, impacts };
}

function textsOf(words: Uint8Array): string[] {
  // A decoder does not read shared memory.
  const text = new TextDecoder().decode(words.slice());
  return text === "" ? [] : text.split("\n");
}

export interface ArrayType<Result> {
  new (buffer: SharedArrayBuffer): Result;
  readonly BYTES_PER_ELEMENT: number;
}

/** Returns an array that threads can share. */
export function shared<Result>(type: ArrayType<Result>, length: number): Result {
  return new type(new SharedArrayBuffer(length * type.BYTES_PER_ELEMENT));
}

function filled<Result extends { set(values: ArrayLike<number>): void }>(
  type: ArrayType<Result>,
  values: ArrayLike<number>,
): Result {
  const array = shared(type, values.length);
  array.set(values);
  return array;
}
