/**
 * Looks up the terms of a segment. It finds the positions of a document's terms, and the documents
 * that contain requested terms. It also finds the terms of a vocabulary in a document, and reads
 * the facets of a document as texts.
 */
import {
  FACET_SPACE,
  findTerm,
  type Key,
  keyOfTerm,
  startOfTerm,
  type TermSections,
  textOfBytes,
} from "./dictionary.ts";
import { ESCAPE, type Sections } from "./layout.ts";
import { AscendingList, bitsOf, grown, lowerBound, type Range } from "./typed_arrays.ts";

/**
 * Binary logarithm of the number of documents per block. The start of a document's terms is
 * relative to its block of 64 documents, so that it usually fits into 16 bits.
 */
const DOCUMENT_BLOCK_BITS = 6;

/** Members of a segment that lookups need: its terms and their positions. */
interface SegmentTerms {
  readonly parts: Sections;
  /** Number of documents, including deleted ones. */
  readonly size: number;
  /** Number of blocks of terms: see layout.ts. */
  readonly blocks: number;
  /** Returns the number of a term, or -1. */
  term(key: Key): number;
  /** Returns the start of a term's postings, which is the end of the preceding term's postings. */
  start(term: number): number;
  /** Returns the start of a document's terms in a block. */
  forwardStart(document: number, block: number): number;
}

type ForwardStarts = Pick<Sections, "forwardBlocks" | "forwardStarts">;

/** Returns the start of a document's terms, which is the end of the preceding document's terms. */
export function startOfDocument(
  { forwardBlocks, forwardStarts }: ForwardStarts,
  document: number,
): number {
  return forwardBlocks[document >>> DOCUMENT_BLOCK_BITS]! + forwardStarts[document]!;
}

/**
 * Splits the starts of documents into the starts of blocks, and the starts of documents relative to
 * their blocks.
 */
export function startsInBlocks(starts: Uint32Array): ForwardStarts {
  const forwardBlocks = starts.filter((_, document) => document % (1 << DOCUMENT_BLOCK_BITS) === 0);
  const forwardStarts = starts.map((start, document) =>
    start - forwardBlocks[document >>> DOCUMENT_BLOCK_BITS]!
  );
  return { forwardBlocks, forwardStarts };
}

/** Returns the position of a document's term in the forward index, or -1. */
function placeOfTerm(
  segment: Pick<SegmentTerms, "parts" | "forwardStart">,
  { document, term }: { document: number; term: number },
): number {
  const { forwardTerms } = segment.parts;
  const block = term >>> 16;
  const start = segment.forwardStart(document, block);
  const end = segment.forwardStart(document, block + 1);
  const place = lowerBound(forwardTerms, { start, end, min: term & 0xffff });
  return place < end && forwardTerms[place] === (term & 0xffff) ? place : -1;
}

/** Tells whether a document of a segment contains a term. */
export function holdsTerm(segment: SegmentTerms, document: number, key: Key): boolean {
  const term = segment.term(key);
  return term >= 0 && placeOfTerm(segment, { document, term }) >= 0;
}

/**
 * Max number of groups of terms whose documents a segment caches, and max number of terms of such a
 * group.
 */
const GROUPS_MAX = 32;

const GROUP_TERMS_MAX = 8;

/**
 * Shift that computes the max number of listed documents. Documents are listed if one group of
 * terms has at most a 64th as many postings as the segment has documents.
 */
const FEW_SHIFT = 6;

/** Documents of a segment, as an ascending list or as a bit for each document. */
type HoldingDocuments =
  | { list: Uint16Array; bits: null }
  | { list: null; bits: Uint32Array };

/**
 * Finds the documents that contain at least one term of each group. It caches the documents of a
 * group, because searches use a few groups again and again.
 */
export class TermDocuments {
  readonly #segment: SegmentTerms;
  /** Documents by the numbers of the requested terms, least recently used first. */
  readonly #groups = new Map<string, Uint32Array>();

  constructor(segment: SegmentTerms) {
    this.#segment = segment;
  }

  get memory(): number {
    return this.#groups.values().reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /**
   * Returns the documents that contain at least one term of each group; null if there cannot be
   * any. A list contains only documents of the ranges, which must ascend. Bits ignore the ranges.
   */
  holdingAll(
    groups: readonly (readonly Key[])[],
    ranges: readonly Range[],
  ): HoldingDocuments | null {
    const terms: number[][] = [];
    for (const group of groups) {
      const known = group.map((key) => this.#segment.term(key)).filter((term) => term >= 0);
      if (known.length === 0) return null;
      terms.push(known);
    }
    const sizes = terms.map((group) => group.reduce((sum, term) => sum + this.#sizeOf(term), 0));
    const rarest = sizes.indexOf(Math.min(...sizes));
    if (sizes[rarest]! <= this.#segment.size >>> FEW_SHIFT) {
      const others = terms.toSpliced(rarest, 1);
      return { list: this.#listAll(terms[rarest]!, { groups: others, ranges }), bits: null };
    }
    return { list: null, bits: this.#bitsOfAll(terms) };
  }

  #sizeOf(term: number): number {
    return this.#segment.start(term + 1) - this.#segment.start(term);
  }

  /**
   * Lists the documents of ranges that contain one of the first terms, and one term of each group.
   */
  #listAll(
    first: readonly number[],
    { groups, ranges }: { groups: readonly (readonly number[])[]; ranges: readonly Range[] },
  ): Uint16Array {
    const lists = first.map((term) => this.#postingsOf(term));
    const all = lists.length === 1 ? lists[0]! : mergedLists(lists);
    const others = groups.map((group) =>
      group.map((term) => new AscendingList(this.#postingsOf(term)))
    );
    const listed = new Uint16Array(all.length);
    let size = 0;
    for (const { from, to } of ranges) {
      let at = lowerBound(all, { start: 0, end: all.length, min: from });
      for (; at < all.length && all[at]! < to; at++) {
        const document = all[at]!;
        if (others.every((group) => isInAny(group, document))) listed[size++] = document;
      }
    }
    return listed.subarray(0, size);
  }

  #postingsOf(term: number): Uint16Array {
    return this.#segment.parts.postings.subarray(
      this.#segment.start(term),
      this.#segment.start(term + 1),
    );
  }

  #bitsOfAll(terms: readonly (readonly number[])[]): Uint32Array {
    const all = terms.map((group) => this.#holdingAny(group));
    if (all.length === 1) return all[0]!;
    const bits = all[0]!.slice();
    for (const bitsOfGroup of all.slice(1)) {
      for (let place = 0; place < bits.length; place++) bits[place]! &= bitsOfGroup[place]!;
    }
    return bits;
  }

  #holdingAny(terms: readonly number[]): Uint32Array {
    if (terms.length > GROUP_TERMS_MAX) return this.#read(terms);
    const name = terms.join();
    const bits = this.#groups.get(name) ?? this.#read(terms);
    this.#groups.delete(name);
    this.#groups.set(name, bits);
    if (this.#groups.size > GROUPS_MAX) {
      this.#groups.delete(this.#groups.keys().next().value!);
    }
    return bits;
  }

  #read(terms: readonly number[]): Uint32Array {
    return bitsOf(this.#segment, terms.map((term) => this.#postingsOf(term)));
  }
}

/** Merges lists of documents. The result ascends, without duplicates. */
function mergedLists(lists: readonly Uint16Array[]): Uint16Array {
  const all = new Uint16Array(lists.reduce((sum, { length }) => sum + length, 0));
  let size = 0;
  for (const list of lists) {
    all.set(list, size);
    size += list.length;
  }
  all.sort();
  return all.filter((document, place) => place === 0 || document !== all[place - 1]);
}

function isInAny(lists: readonly AscendingList[], document: number): boolean {
  for (let at = 0; at < lists.length; at++) if (lists[at]!.placeOf(document) >= 0) return true;
  return false;
}

/** Numbering of terms that does not depend on segments, such as that of a model. */
export interface Vocabulary {
  /** Returns the number of a term, below 65,534, or -1. */
  row(key: Key): number;
}

/** A vocabulary of a few terms, which are looked up one by one. */
export interface SmallVocabulary {
  /** Terms in the order of their numbers. */
  readonly keys: readonly Key[];
}

/** Position of each row's term in a document, or -1. The array is valid until the next lookup. */
export type RowPlaces = Int32Array;

/** Returns the row of a segment's term (its number in a vocabulary), or -1. */
export type RowOf = (term: number) => number;

/** Number of a document's terms that a lookup can skip at once. */
const STRIDE = 8;

/**
 * Finds the same terms in many documents. Both these terms and those of a document ascend, so that
 * one pass finds all of them.
 */
export class TermPlaces {
  readonly #segment: SegmentTerms;
  /** The terms that the segment has, ascending, and the row of each. */
  readonly #terms: Uint32Array;
  readonly #rows: Uint16Array;
  readonly #places: Int32Array;
  /** Number of terms that the segment has. */
  #size = 0;

  /** @param terms number of each row's term; -1 if the segment does not have it */
  constructor(segment: SegmentTerms, terms: readonly number[]) {
    this.#segment = segment;
    this.#rows = new Uint16Array(terms.length);
    this.#terms = new Uint32Array(terms.length);
    this.#places = new Int32Array(terms.length).fill(-1);
    for (let row = 0; row < terms.length; row++) {
      if (terms[row]! >= 0) this.#insert(terms[row]!, row);
    }
  }

  #insert(term: number, row: number): void {
    let at = this.#size++;
    for (; at > 0 && this.#terms[at - 1]! > term; at--) {
      this.#terms[at] = this.#terms[at - 1]!;
      this.#rows[at] = this.#rows[at - 1]!;
    }
    this.#terms[at] = term;
    this.#rows[at] = row;
  }

  /** Returns the positions of the terms in the forward index, by row. */
  of(document: number): RowPlaces {
    const terms = this.#terms;
    const { forwardTerms } = this.#segment.parts;
    let block = -1;
    let at = 0;
    let end = 0;
    for (let n = 0; n < this.#size; n++) {
      const term = terms[n]!;
      if (term >>> 16 !== block) {
        block = term >>> 16;
        at = this.#segment.forwardStart(document, block);
        end = this.#segment.forwardStart(document, block + 1);
      }
      const number = term & 0xffff;
      while (at + STRIDE <= end && forwardTerms[at + STRIDE - 1]! < number) at += STRIDE;
      while (at < end && forwardTerms[at]! < number) at++;
      this.#places[this.#rows[n]!] = at < end && forwardTerms[at] === number ? at : -1;
    }
    return this.#places;
  }
}

/** Caches the rows of the last large vocabulary, and the terms of the last small one. */
export class VocabularyRows {
  readonly #parts: TermSections;
  #large: { vocabulary: Vocabulary; rows: Uint16Array } | null = null;
  #small: { vocabulary: SmallVocabulary; terms: TermPlaces } | null = null;

  constructor(parts: TermSections) {
    this.#parts = parts;
  }

  get memory(): number {
    return this.#large?.rows.byteLength ?? 0;
  }

  /**
   * Returns a function that returns the row of a term in a vocabulary. Each term is looked up once,
   * because documents share most of their terms. The function is valid until terms are added.
   */
  of(vocabulary: Vocabulary): RowOf {
    const parts = this.#parts;
    const size = parts.termOffsets.length - 1;
    if (this.#large?.vocabulary !== vocabulary) {
      this.#large = { vocabulary, rows: new Uint16Array(size) };
    } else if (this.#large.rows.length < size) {
      this.#large.rows = grown(this.#large.rows, size);
    }
    const { rows } = this.#large;
    return (term) => {
      // An entry is 0 before the lookup of its term, and then the row + 2.
      if (rows[term] === 0) {
        const key = keyOfTerm(parts, term);
        rows[term] = vocabulary.row(key) + 2;
      }
      return rows[term]! - 2;
    };
  }

  /** Returns the finder of a small vocabulary's terms. */
  finderOf(vocabulary: SmallVocabulary, segment: SegmentTerms): TermPlaces {
    if (this.#small?.vocabulary !== vocabulary) {
      const { keys } = vocabulary;
      const terms = new TermPlaces(segment, keys.map((key) => findTerm(this.#parts, key)));
      this.#small = { vocabulary, terms };
    }
    return this.#small.terms;
  }
}

/** Bit that is set once the marks of a document have been read. */
const READ = 0x80;

/** Returns the mark of a facet term: bits, of which only the lower seven may be set. */
export type MarkOf = (facet: string) => number;

/**
 * Max number of cached texts, and of documents with cached texts. A search reads the texts of a
 * document several times.
 */
const TEXTS_MAX = 4_096;

const TEXTS_DOCUMENTS_MAX = 1_024;

/** Reads the facet terms of a segment's documents as texts. */
export class FacetTexts {
  readonly #segment: SegmentTerms;
  /**
   * Code of terms that are not words, such as facets. The packed occurrences of such terms are 0.
   */
  readonly #code: number;
  readonly #texts = new Map<number, string>();
  readonly #documents = new Map<number, readonly string[]>();

  /** Marks of each document by the last MarkOf function, with READ set; 0: not read yet. */
  #marks: { markOf: MarkOf; bytes: Uint8Array } | null = null;

  constructor(segment: SegmentTerms) {
    this.#segment = segment;
    const code = segment.parts.codes.indexOf(0);
    this.#code = code < 0 ? ESCAPE : code;
  }

  get memory(): number {
    return this.#marks?.bytes.byteLength ?? 0;
  }

  /** Returns the combined marks of a document's facets. */
  marks(document: number, markOf: MarkOf): number {
    if (this.#marks?.markOf !== markOf) {
      this.#marks = { markOf, bytes: new Uint8Array(this.#segment.size) };
    }
    const { bytes } = this.#marks;
    if (bytes[document] === 0) {
      bytes[document] = this.#read(document).reduce((marks, text) => marks | markOf(text), READ);
    }
    return bytes[document]! & ~READ;
  }

  /** Returns the facet terms of a document in the order of their code units. */
  of(document: number): readonly string[] {
    const known = this.#documents.get(document);
    if (known !== undefined) return known;
    if (this.#documents.size === TEXTS_DOCUMENTS_MAX) this.#documents.clear();
    const texts = this.#read(document).sort();
    this.#documents.set(document, texts);
    return texts;
  }

  #read(document: number): string[] {
    const { parts } = this.#segment;
    const { forwardTerms, forwardCodes, termBytes } = parts;
    const texts: string[] = [];
    for (let block = 0; block < this.#segment.blocks; block++) {
      const end = this.#segment.forwardStart(document, block + 1);
      for (let place = this.#segment.forwardStart(document, block); place < end; place++) {
        if (forwardCodes[place] !== this.#code) continue;
        const term = block << 16 | forwardTerms[place]!;
        if (termBytes[startOfTerm(parts, term)] === FACET_SPACE) texts.push(this.#textOf(term));
      }
    }
    return texts;
  }

  #textOf(term: number): string {
    const known = this.#texts.get(term);
    if (known !== undefined) return known;
    const { parts } = this.#segment;
    if (this.#texts.size === TEXTS_MAX) this.#texts.clear();
    const text = textOfBytes(
      parts.termBytes,
      startOfTerm(parts, term) + 1,
      startOfTerm(parts, term + 1),
    );
    this.#texts.set(term, text);
    return text;
  }
}
