/**
 * Scores documents by BM25F. An occurrence of a term is multiplied by the weight of its field, and
 * counts less in a longer field. The occurrences in all fields and languages are added before they
 * are saturated. A query is a list of terms with weights. The weights depend on all documents of an
 * index.
 *
 * Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields (CIKM 2004);
 * Zaragoza and others: Microsoft Cambridge at TREC-13 (2004), for normalizing lengths by field.
 */
import { type Key, keysOf, stemsOf } from "./dictionary.ts";
import { ESCAPE } from "./layout.ts";
import { LANGUAGES } from "./words.ts";

/**
 * Parameters of BM25. K limits how much repetitions of a term count. B sets how much a long text
 * lowers the score. The more usual B of 0.75 ranks long bilingual notices too low. The public
 * collections confirm 0.6: the mean nDCG@10 of SciFact, Cranfield and NPL is 0.513, and 0.510 with
 * 0.75.
 */
export const K = 1.2;

export const B = 0.6;

/** Settings of a field of documents. */
export interface Field {
  /** Factor of an occurrence in the field. */
  weight: number;
  /**
   * Number of bits for the occurrences of one term. At most 2^bits - 1 occurrences are counted. All
   * fields together may have up to 31 bits.
   */
  bits: number;
  /** True if the texts of this field determine the language of the document's shorter texts. */
  leads?: boolean;
  /** True if neighbouring words of the field are kept: see pairs.ts. */
  neighbours?: boolean;
}

/**
 * Returns the shift of each field's occurrences in a packed number. Later fields are in higher
 * bits.
 */
export function shiftsOf(fields: readonly Field[]): number[] {
  let shift = 0;
  const shifts = fields.map(({ bits }) => (shift += bits) - bits);
  if (shift > 31) throw new Error("the fields of a document may have up to 31 bits together");
  return shifts;
}

/** Returns the weighted occurrences in each field, from a packed number. */
export function unpackWeighted(
  fields: readonly Field[],
  packed: number,
  shifts = shiftsOf(fields),
): number[] {
  return fields.map((field, place) => weightedIn(packed, field, shifts[place]!));
}

/** Returns the weighted occurrences in one field, from a packed number. */
export function weightedIn(packed: number, { bits, weight }: Field, shift: number): number {
  return weight * ((packed >>> shift) & ~(-1 << bits));
}

const EXACT_LENGTHS = 128;

const STEPS_PER_OCTAVE = 16;

/**
 * Length by its code: exact below 128, then in steps of 4 % up to 31,000. Totals and averages add
 * up these lengths, so that removing a document subtracts exactly what it added.
 */
export const LENGTHS: Float64Array = Float64Array.from(
  { length: 256 },
  (_, code) =>
    code < EXACT_LENGTHS
      ? code
      : Math.round(EXACT_LENGTHS * 2 ** ((code - EXACT_LENGTHS) / STEPS_PER_OCTAVE)),
);

/** Returns the code of a length: the highest code whose length is not above it. */
export function lengthCode(length: number): number {
  if (length < EXACT_LENGTHS) return length;
  let low = EXACT_LENGTHS;
  let high = 255;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (LENGTHS[middle]! <= length) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Sums over all present documents. Scores depend on these sums. */
export class Totals {
  /** Number of documents with a word in any field. */
  documents = 0;
  /** Per field: the number of documents with a word in it, and the sum of its lengths. */
  readonly counts: Float64Array;
  readonly lengths: Float64Array;

  constructor(fields: number) {
    this.counts = new Float64Array(fields);
    this.lengths = new Float64Array(fields);
  }

  /** Adds a document, or subtracts it again, by its coded field lengths. */
  count(codes: Uint8Array, start: number, sign: 1 | -1): void {
    let any = 0;
    for (let field = 0; field < this.counts.length; field++) {
      const code = codes[start + field]!;
      if (code === 0) continue;
      any = sign;
      this.counts[field]! += sign;
      this.lengths[field]! += sign * LENGTHS[code]!;
    }
    this.documents += any;
  }

  /** Returns the totals as numbers for `take`. */
  numbers(): Float64Array {
    return Float64Array.of(this.documents, ...this.counts, ...this.lengths);
  }

  /** Sets the totals from the result of `numbers`. */
  take(numbers: Float64Array): void {
    const fields = this.counts.length;
    this.documents = numbers[0]!;
    this.counts.set(numbers.subarray(1, 1 + fields));
    this.lengths.set(numbers.subarray(1 + fields, 1 + 2 * fields));
  }

  add(totals: Totals): void {
    this.documents += totals.documents;
    for (let field = 0; field < this.counts.length; field++) {
      this.counts[field]! += totals.counts[field]!;
      this.lengths[field]! += totals.lengths[field]!;
    }
  }

  /** Returns the average length of each field; 1 if no document has a word in it. */
  averages(): Float64Array {
    return this.counts.map((count, field) => count === 0 ? 1 : this.lengths[field]! / count);
  }
}

/** Returns the factor of an occurrence for each field and coded length, at field * 256 + code. */
export function lengthFactors(averages: Float64Array): Float64Array {
  const factors = new Float64Array(averages.length * 256);
  averages.forEach((average, field) => {
    for (let code = 0; code < 256; code++) {
      factors[field * 256 + code] = 1 / (1 - B + B * LENGTHS[code]! / average);
    }
  });
  return factors;
}

/**
 * Returns, for each level (see levelOf in writing.ts), the max share of a word's weight that a
 * posting adds. Levels were computed with earlier averages. If a field has become longer on
 * average, its occurrences count for more. The growth is at most the ratio of the averages.
 */
export function sharesOfLevels(
  averages: Float64Array,
  measured: readonly Float64Array[],
): Float64Array {
  let growth = 1;
  for (const former of measured) {
    averages.forEach((average, field) => growth = Math.max(growth, average / former[field]!));
  }
  return Float64Array.from({ length: 256 }, (_, level) => {
    const share = level / 255;
    return growth * share / (1 - share + growth * share);
  });
}

/** Max number of packed occurrences that are sampled to find the most common ones. */
const SAMPLE = 1 << 13;

const SLOTS = 1024;

/** Value that stands for more than one field. */
const SEVERAL = 255;

/** Lengths of a document's fields, and the factors by which they scale an occurrence. */
export interface Measure {
  /** Factors at field * 256 + coded length: see lengthFactors. */
  factors: Float64Array;
  lengths: Uint8Array;
  /** Position of the document's first field in `lengths`. */
  first: number;
}

/** Returns the weighted occurrences by code and field, at code * fields + field. */
export function weightedByCode(fields: readonly Field[], codes: Uint32Array): Float64Array {
  const weighted = new Float64Array(256 * fields.length);
  const shifts = shiftsOf(fields);
  codes.forEach((packed, code) => {
    weighted.set(unpackWeighted(fields, packed, shifts), code * fields.length);
  });
  return weighted;
}

/**
 * Returns the sum of each code's occurrences over all fields.
 * @param weighted weighted occurrences, by code and field
 */
export function countsByCode(weighted: Float64Array, fields: number): Float64Array {
  const counts = new Float64Array(weighted.length / fields);
  weighted.forEach((occurrences, place) => counts[Math.floor(place / fields)]! += occurrences);
  return counts;
}

/**
 * Codes of packed occurrences, for a segment that is being built. The most common packed
 * occurrences have a code of one byte.
 */
export class CodeTable {
  /** Packed occurrences of each code. */
  readonly packed: Uint32Array;
  readonly #fields: readonly Field[];
  readonly #weighted: Float64Array;
  /** Field that has all occurrences of a code; SEVERAL if more than one field has any. */
  readonly #single: Uint8Array;
  readonly #slotPacked = new Uint32Array(SLOTS);
  readonly #slotCodes = new Uint8Array(SLOTS).fill(ESCAPE);

  constructor(fields: readonly Field[], occurrences: Uint32Array) {
    const counts = new Map<number, number>();
    const step = Math.ceil(occurrences.length / SAMPLE);
    for (let place = 0; place < occurrences.length; place += step) {
      counts.set(occurrences[place]!, (counts.get(occurrences[place]!) ?? 0) + 1);
    }
    const common = [...counts].sort(([a, m], [b, n]) => n - m || a - b).slice(0, ESCAPE);
    this.packed = Uint32Array.from(common, ([packed]) => packed);
    this.#fields = fields;
    this.#weighted = weightedByCode(fields, this.packed);
    this.#single = singleFields(this.#weighted, fields.length);
    this.packed.forEach((packed, code) => {
      let slot = slotOf(packed);
      while (this.#slotCodes[slot] !== ESCAPE) slot = (slot + 1) % SLOTS;
      this.#slotPacked[slot] = packed;
      this.#slotCodes[slot] = code;
    });
  }

  /** Returns the code of packed occurrences; ESCAPE if they have none. */
  codeOf(packed: number): number {
    for (let slot = slotOf(packed);; slot = (slot + 1) % SLOTS) {
      const code = this.#slotCodes[slot]!;
      if (code === ESCAPE || this.#slotPacked[slot] === packed) return code;
    }
  }

  /** Returns the occurrences of a term in a document, weighted by the fields and their lengths. */
  weigh(code: number, packed: number, { factors, lengths, first }: Measure): number {
    const fields = this.#fields.length;
    const single = this.#single[code]!;
    if (single !== SEVERAL) {
      const length = lengths[first + single]!;
      return this.#weighted[code * fields + single]! * factors[single * 256 + length]!;
    }
    const weighted = code === ESCAPE ? unpackWeighted(this.#fields, packed) : this.#weighted;
    const start = code === ESCAPE ? 0 : code * fields;
    let sum = 0;
    for (let field = 0; field < fields; field++) {
      const occurrences = weighted[start + field]!;
      if (occurrences !== 0) sum += occurrences * factors[field * 256 + lengths[first + field]!]!;
    }
    return sum;
  }
}

function singleFields(weighted: Float64Array, fields: number): Uint8Array {
  const single = new Uint8Array(256).fill(SEVERAL);
  for (let code = 0; code < ESCAPE; code++) {
    const byField = weighted.subarray(code * fields, (code + 1) * fields);
    const field = byField.findIndex((occurrences) => occurrences !== 0);
    const last = byField.findLastIndex((occurrences) => occurrences !== 0);
    if (field >= 0 && field === last) single[code] = field;
  }
  return single;
}

function slotOf(packed: number): number {
  return Math.imul(packed, 0x9e3779b1) >>> 22;
}

/**
 * Max number of words of a query that are searched for. More words add cost, but hardly any
 * meaning.
 */
export const WORDS_MAX = 96;

/**
 * Limits how much repetitions of a word in a query count: see repeatedWeight. Two occurrences count
 * 1.9 times as much as one. Any number counts less than REPEATS + 1 times as much.
 */
const REPEATS = 16;

/** A folded word, with its count in a query. */
export interface QueryWord {
  text: string;
  count: number;
}

/** A stem of a word in one language. */
export interface Term {
  /** Position of the stem's word in the query. */
  word: number;
  key: Key;
}

/** Terms of a query, with the count of each of its words. */
interface QueryTerms {
  terms: Term[];
  /** Count per word: see REPEATS. */
  counts: number[];
}

/**
 * Returns the stems of words in every language, because a text is indexed only in its own language.
 * The stems are ordered by word, then by language. If all stems of a word occurred before, its
 * count is added to the earlier word with the same first stem. A word without a count counts once.
 *
 * @param words folded words, as `words` returns them; words beyond WORDS_MAX are left out
 */
export function queryTermsOf(words: readonly (string | QueryWord)[]): QueryTerms {
  const seen = LANGUAGES.map(() => new Map<string, number>());
  const counts: number[] = [];
  const terms = words.slice(0, WORDS_MAX).flatMap((word, place) => {
    const { text, count } = typeof word === "string" ? { text: word, count: 1 } : word;
    const stems = stemsOf(text);
    const fresh = stems.flatMap((stem, space) => {
      if (seen[space]!.has(stem)) return [];
      seen[space]!.set(stem, place);
      return [{ word: place, key: keysOf(text)[space]! }];
    });
    counts[place] = count;
    if (fresh.length === 0) counts[seen[0]!.get(stems[0]!)!]! += count;
    return fresh;
  });
  return { terms, counts };
}

/** Returns the terms of words that count once each: see queryTermsOf. */
export function singleTermsOf(words: readonly string[]): Term[] {
  return queryTermsOf(words).terms;
}

/** Returns the upper bound of a word's score in a document; 0 if no document contains the word. */
function weightOf(frequency: number, { documents }: Totals): number {
  const holding = Math.min(frequency, documents);
  return holding === 0 ? 0 : (K + 1) * Math.log(1 + (documents - holding + 0.5) / (holding + 0.5));
}

/** Statistics of all documents of an index, on which scores depend. */
export interface Statistics {
  totals: Totals;
  /** Average length of each field: see Totals. */
  averages: Float64Array;
  /** Factors that are computed from the averages: see lengthFactors. */
  factors: Float64Array;
  /** Max share of a word's weight that a posting of each level adds, in any segment. */
  shares: Float64Array;
}

/**
 * Statistics of a whole dataset. With them, an index of a part of the dataset scores its documents
 * as an index of the whole would.
 */
export interface WholeDataset {
  readonly totals: Totals;
  /** Counts the documents that contain a term. */
  frequency(key: Key): number;
  /** Returns the companies of the unexpired documents that contain a term. */
  companiesHolding(key: Key): Iterable<number>;
}

/** A term with the weight of its word. */
export interface WeightedTerm extends Term {
  /** Upper bound of the score of the term's word. */
  weight: number;
  /**
   * Upper bound of a posting's contribution to a score, per level, in the units of sums (see
   * scanning.ts).
   */
  adds: Uint16Array;
}

/** Terms with their weights. `scale` is the factor from scores to sums. */
export interface WeightedQuery {
  terms: readonly WeightedTerm[];
  scale: number;
}

/** Max sum, so that rounded sums still fit into 16 bits. */
const SUM_MAX = 65_000;

/** Returns the weight of a word by its count in a query; 1 for one occurrence. */
export function repeatedWeight(count: number): number {
  return (REPEATS + 1) * count / (REPEATS + count);
}

/** Weighs terms. @param frequencies number of documents that contain a word's stems, by word */
export function weigh(
  { terms, counts }: QueryTerms,
  { frequencies, statistics }: { frequencies: readonly number[]; statistics: Statistics },
): WeightedQuery {
  const weights = frequencies.map((frequency, word) =>
    weightOf(frequency, statistics.totals) * repeatedWeight(counts[word]!)
  );
  const present = terms.filter(({ word }) => weights[word]! > 0);
  const scale = SUM_MAX / present.reduce((sum, { word }) => sum + weights[word]!, 0);
  let last: WeightedTerm | undefined;
  return {
    scale,
    terms: present.map(({ word, key }) => {
      const weight = weights[word]!;
      const adds = last?.word === word
        ? last.adds.slice()
        : addsOf(weight, statistics.shares, scale);
      return last = { word, key, weight, adds };
    }),
  };
}

/** Returns the upper bound of a posting's contribution to a sum, per level. */
function addsOf(weight: number, shares: Float64Array, scale: number): Uint16Array {
  const adds = new Uint16Array(256);
  for (let level = 0; level < 256; level++) {
    adds[level] = Math.floor(weight * shares[level]! * scale) + 1;
  }
  return adds;
}
