/**
 * Stores which words are neighbours. Each document has a Bloom filter of up to PAIRS_MAX pairs of
 * adjacent words in its fields with `neighbours`. The pairs consist of stems in the language of the
 * text. Stop words between two words are ignored. A filter has no false negatives for these pairs.
 * About 3 % of absent pairs are false positives, which only matter in documents that contain both
 * words.
 *
 * Bloom: Space/time trade-offs in hash coding with allowable errors (CACM 1970); Kirsch,
 * Mitzenmacher: Less hashing, same performance (ESA 2006), for two hashes instead of several.
 */
import { keyOf, stemsOf, type TermTable } from "./dictionary.ts";
import { type Analysis, ANALYZER } from "./text.ts";
import { grown } from "./typed_arrays.ts";
import { LANGUAGES } from "./words.ts";

/** Max number of distinct pairs that are kept per document, in the order of its texts. */
export const PAIRS_MAX = 255;

/**
 * Number of bits per pair. Each filter has extra bytes, because short filters have more false
 * positives than long ones.
 */
const BITS_PER_PAIR = 7;

const FILTER_BYTES_MIN = 4;

/** Number of bits that are set per pair. */
const HASHES = 5;

/**
 * Binary logarithm of the number of documents per block. The total bytes of 256 filters fit into 16
 * bits.
 */
const BLOCK_BITS = 8;

/** Number of hash slots that detect repeated pairs of one document. */
const SLOTS = 1024;

/** Filters of documents, stored consecutively. */
export interface PairFilters {
  /** Start of the first filter of each block. */
  pairBlocks: Uint32Array;
  /** Start of each document's filter, relative to its block. A last entry marks the end. */
  pairStarts: Uint16Array;
  pairBits: Uint8Array;
}

function startOf({ pairBlocks, pairStarts }: PairFilters, document: number): number {
  return pairBlocks[document >>> BLOCK_BITS]! + pairStarts[document]!;
}

function setStart({ pairBlocks, pairStarts }: PairFilters, document: number, start: number): void {
  const block = document >>> BLOCK_BITS;
  if (document === block << BLOCK_BITS) pairBlocks[block] = start;
  pairStarts[document] = start - pairBlocks[block]!;
}

/** Collects the pairs of one document after the other, and stores their filters. */
export class PairCollector implements PairFilters {
  pairBlocks = new Uint32Array(1 << 4);
  pairStarts = new Uint16Array(1 << 10);
  pairBits = new Uint8Array(1 << 14);
  #filters = 0;
  readonly #pairs = new Uint32Array(PAIRS_MAX);
  #count = 0;
  /** Positions in `#pairs` + 1, by hash; 0: free. */
  readonly #slots = new Uint16Array(SLOTS);

  /** Adds the pairs of a text to the pairs of the current document. */
  add(
    { from, to, singlesFrom, singlesTo }: Analysis,
    { space, table }: { space: number; table: TermTable },
  ): void {
    const { words, wordTable: lexicon, singles } = ANALYZER;
    const hashAt = (at: number) =>
      table.hashOf(lexicon.term(words[at]! * LANGUAGES.length + space, table));
    let last = 0;
    for (let at = from; at < to && this.#count < PAIRS_MAX; at++) {
      const hash = hashAt(at);
      if (at > from) this.#put(pairHash(last, hash));
      last = hash;
    }
    for (let n = singlesFrom; n < singlesTo; n++) {
      const place = singles[2 * n]!;
      const single = singleHash(singles[2 * n + 1]!, space);
      if (place > from) this.#put(pairHash(hashAt(place - 1), single));
      if (place < to) this.#put(pairHash(single, hashAt(place)));
    }
  }

  /** Writes the filter of the current document, and begins the next document. */
  end(): void {
    const start = startOf(this, this.#filters);
    const bytes = FILTER_BYTES_MIN + Math.ceil(BITS_PER_PAIR * this.#count / 8);
    const end = start + (this.#count === 0 ? 0 : bytes);
    if (end > this.pairBits.length) this.pairBits = grown(this.pairBits, end);
    if (this.#filters + 2 > this.pairStarts.length) {
      this.pairStarts = grown(this.pairStarts, this.#filters + 2);
      this.pairBlocks = grown(this.pairBlocks, (this.pairStarts.length >>> BLOCK_BITS) + 1);
    }
    setStart(this, ++this.#filters, end);
    for (let n = 0; n < this.#count; n++) {
      eachBit(this.#pairs[n]!, 8 * (end - start), (bit) => {
        this.pairBits[start + (bit >>> 3)]! |= 1 << (bit & 7);
        return true;
      });
    }
    this.#count = 0;
    this.#slots.fill(0);
  }

  #put(hash: number): void {
    if (this.#count === PAIRS_MAX) return;
    let slot = hash % SLOTS;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) % SLOTS) {
      if (this.#pairs[this.#slots[slot]! - 1] === hash) return;
    }
    this.#pairs[this.#count++] = hash;
    this.#slots[slot] = this.#count;
  }
}

/** Hashes of pairs to look for: for each pair, one hash per language. */
export type PairHashes = readonly (readonly number[])[];

/** Hashes pairs of folded words, including single letters and digits. */
export function hashPairs(pairs: readonly (readonly [string, string])[]): PairHashes {
  return pairs.map(([first, second]) =>
    LANGUAGES.map((_, space) => pairHash(wordHash(first, space), wordHash(second, space)))
  );
}

/** Tells whether a document's filter contains a pair. */
function holdsPair(filters: PairFilters, document: number, hash: number): boolean {
  const { pairBits } = filters;
  const start = startOf(filters, document);
  const bits = 8 * (startOf(filters, document + 1) - start);
  return bits > 0 &&
    eachBit(hash, bits, (bit) => (pairBits[start + (bit >>> 3)]! >>> (bit & 7) & 1) === 1);
}

/** Tells whether a document's filter contains any of the hashes. */
export function holdsAny(
  filters: PairFilters,
  document: number,
  hashes: readonly number[],
): boolean {
  return hashes.some((hash) => holdsPair(filters, document, hash));
}

/** Copies the filters of documents, in the order of `documents`. */
export function copyFilters(
  documents: ArrayLike<number>,
  filtersOf: (at: number) => PairFilters,
): PairFilters {
  const copies = {
    pairBlocks: new Uint32Array((documents.length >>> BLOCK_BITS) + 1),
    pairStarts: new Uint16Array(documents.length + 1),
  };
  let bytes = 0;
  const spans = Array.from(documents, (document, at) => {
    const filters = filtersOf(at);
    const from = startOf(filters, document);
    const to = startOf(filters, document + 1);
    bytes += to - from;
    return { from, to };
  });
  const pairBits = new Uint8Array(bytes);
  const filters = { ...copies, pairBits };
  let start = 0;
  spans.forEach(({ from, to }, at) => {
    pairBits.set(filtersOf(at).pairBits.subarray(from, to), start);
    start += to - from;
    setStart(filters, at + 1, start);
  });
  return filters;
}

function wordHash(word: string, space: number): number {
  const text = word.length === 1 ? word : stemsOf(word)[space]!;
  return keyOf(space, text).hash;
}

/** Cached hashes of single letters and digits, by space and code unit. */
const singleHashes = LANGUAGES.map(() => new Map<number, number>());

function singleHash(unit: number, space: number): number {
  const known = singleHashes[space]!.get(unit);
  if (known !== undefined) return known;
  const { hash } = keyOf(space, String.fromCharCode(unit));
  singleHashes[space]!.set(unit, hash);
  return hash;
}

/** Combines the hashes of two terms. Their order matters. */
function pairHash(first: number, second: number): number {
  let hash = Math.imul(first ^ 0x9e3779b1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15) ^ second, 0xc2b2ae35);
  hash ^= hash >>> 13;
  return Math.imul(hash, 0x27d4eb2f) >>> 0;
}

/**
 * Calls a function for every bit that a pair sets in a filter, until a call returns false.
 *
 * @param bits number of bits of the filter
 * @returns whether all calls returned true
 */
function eachBit(hash: number, bits: number, call: (bit: number) => boolean): boolean {
  const step = Math.imul(hash, 0x9e3779b1) | 1;
  let value = hash;
  for (let n = 0; n < HASHES; n++) {
    // The upper bits select the bit: a multiplication replaces a slow remainder.
    if (!call(Math.floor((value >>> 0) * bits / 2 ** 32))) return false;
    value = (value + step) | 0;
  }
  return true;
}
