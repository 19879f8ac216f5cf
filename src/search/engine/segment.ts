/** A segment of an index. Its documents never change, but can be marked as deleted. */
import { findCompany, findTerm, type Key } from "./dictionary.ts";
import { type InstantColumn, instantOfDocument } from "./instant_columns.ts";
import { blocksOf, ESCAPE, microsecondsOfMinutes, type Sections, unpack } from "./layout.ts";
import { countsByCode, type Field, Totals, unpackWeighted, weightedByCode } from "./scoring.ts";
import {
  FacetTexts,
  type RowOf,
  type RowPlaces,
  type SmallVocabulary,
  startOfDocument,
  TermDocuments,
  type Vocabulary,
  VocabularyRows,
} from "./segment_terms.ts";
import { hasBit } from "./typed_arrays.ts";

/** Facts of a document: everything but its words. */
export interface DocumentFacts {
  /** Ids are positive safe integers. They break ties of scores. */
  id: number;
  company_id: number;
  /** Number of the document's combination of values from closed vocabularies, from 0 to 255. */
  attribute: number;
  /** Microseconds since 1970 (see layout.ts); -Infinity: never. */
  occurred: number;
  observed: number;
  /** Microseconds since 1970; Infinity: never. */
  expires: number;
  /** Amount of money, rounded to 24 significant bits; NaN: unknown. */
  amount: number;
  /** Closing time in microseconds since 1970, rounded down to the minute; NaN: unknown. */
  closes: number;
  /** Bit mask of sectors. */
  sectors: number;
}

/** Counts of the documents that were deleted from a segment. */
interface DeletionCounts {
  documents: number;
  /** Number of deleted documents that contained each term. */
  terms: Uint16Array;
  /** Totals of the remaining documents: see Totals. */
  totals: Float64Array;
}

/**
 * State of a segment. Another thread, or a process that loads a snapshot, restores the segment from
 * it.
 */
export interface SegmentState {
  buffer: SharedArrayBuffer;
  /** Bit set of the deleted documents; null: none is deleted. */
  deleted: Uint32Array | null;
  /**
   * Counts of the deleted documents. Null: none is deleted, or the counts are not computed yet.
   * Computing them takes long for many documents.
   */
  losses: DeletionCounts | null;
}

/** Receives the number of a term, and its weighted occurrences. */
export type TakeTerm = (term: number, count: number) => void;

/** An immutable segment with the marks of its deleted documents. */
export class Segment {
  readonly buffer: SharedArrayBuffer;
  readonly parts: Sections;
  readonly fields: readonly Field[];
  /**
   * Postings and their levels (see layout.ts), two per number. The first of the two is in the lower
   * bits.
   */
  readonly postingPairs: Uint32Array;
  readonly levelPairs: Uint16Array;
  /** Weighted occurrences, at code * fields + field. */
  readonly weighted: Float64Array;
  readonly #counts: Float64Array;
  readonly #occurred: InstantColumn;
  readonly #observed: InstantColumn;
  /** Number of blocks of terms: see layout.ts. */
  readonly blocks: number;
  /** Totals of the documents that have not been deleted. */
  readonly totals: Totals;
  /** The latest occurrence and observation, and the first expiry, of all documents. */
  readonly lastOccurred: number;
  readonly lastObserved: number;
  readonly firstExpiry: number;
  /** Lower bound of the expiry of all present documents. */
  nextExpiry: number;
  /** Number of deleted documents. */
  deletions = 0;
  /** Bit set of the deleted documents; null: none is deleted. */
  deleted: Uint32Array | null = null;
  /** Number of deleted documents of each term. */
  #losses: Uint16Array | null = null;
  readonly #rows: VocabularyRows;
  readonly facets: FacetTexts;
  readonly termDocuments: TermDocuments;
  /**
   * Sink for the prefetch reads. The value is never read, but storing it keeps the JIT from
   * removing the reads.
   */
  #touched = 0;

  constructor({ buffer, deleted, losses }: SegmentState, fields: readonly Field[]) {
    this.buffer = buffer;
    this.fields = fields;
    this.parts = unpack(buffer);
    this.#rows = new VocabularyRows(this.parts);
    this.facets = new FacetTexts(this);
    this.termDocuments = new TermDocuments(this);
    this.weighted = weightedByCode(fields, this.parts.codes);
    this.#counts = countsByCode(this.weighted, fields.length);
    this.blocks = blocksOf(this.parts.termOffsets.length - 1);
    const { summary, postings, levels, instantBases } = this.parts;
    this.#occurred = {
      places: this.parts.occurredOf,
      values: this.parts.occurrences,
      uppers: this.parts.occurredUppers,
      lowers: this.parts.occurredLowers,
      base: instantBases[0]!,
    };
    this.#observed = {
      places: this.parts.observedOf,
      values: this.parts.observations,
      uppers: this.parts.observedUppers,
      lowers: this.parts.observedLowers,
      base: instantBases[1]!,
    };
    this.postingPairs = new Uint32Array(buffer, postings.byteOffset, postings.length >>> 1);
    this.levelPairs = new Uint16Array(buffer, levels.byteOffset, levels.length >>> 1);
    this.lastOccurred = summary[0]!;
    this.lastObserved = summary[1]!;
    this.firstExpiry = this.nextExpiry = summary[2]!;
    this.totals = new Totals(fields.length);
    this.totals.take(losses?.totals ?? summary.subarray(3));
    if (losses !== null) {
      this.deletions = losses.documents;
      this.deleted = deleted!.slice();
      this.#losses = losses.terms.slice();
      return;
    }
    for (let document = 0; deleted && document < this.size; document++) {
      if (hasBit(deleted, document)) this.delete(document);
    }
  }

  /** Number of documents, including deleted ones. */
  get size(): number {
    return this.parts.ids.length;
  }

  /** Number of present documents. */
  get live(): number {
    return this.size - this.deletions;
  }

  get memory(): number {
    return this.buffer.byteLength + (this.deleted?.byteLength ?? 0) +
      (this.#losses?.byteLength ?? 0) + this.#rows.memory + this.facets.memory +
      this.termDocuments.memory +
      this.weighted.byteLength;
  }

  /** Returns the place of a present document in the segment, by its id; -1 if there is none. */
  find(id: number): number {
    const { ids, byId } = this.parts;
    let low = 0;
    let high = byId.length;
    // This spares most segments the binary search: a segment has documents that arrived together,
    // and ids ascend, so most ids are in the range of only one segment.
    if (id < ids[byId[0]!]! || id > ids[byId[high - 1]!]!) return -1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ids[byId[middle]!]! < id) low = middle + 1;
      else high = middle;
    }
    const document = byId[low];
    return document !== undefined && ids[document] === id && !this.isDeleted(document)
      ? document
      : -1;
  }

  isDeleted(document: number): boolean {
    return this.deleted !== null && hasBit(this.deleted, document);
  }

  /** Deletes a present document. */
  delete(document: number): void {
    const { parts } = this;
    this.deleted ??= new Uint32Array((this.size + 31) >>> 5);
    this.#losses ??= new Uint16Array(parts.termOffsets.length - 1);
    this.deleted[document >>> 5]! |= 1 << (document & 31);
    this.deletions++;
    for (let block = 0; block < this.blocks; block++) {
      const end = this.forwardStart(document, block + 1);
      for (let at = this.forwardStart(document, block); at < end; at++) {
        this.#losses[block << 16 | parts.forwardTerms[at]!]!++;
      }
    }
    this.totals.count(parts.lengths, document * this.fields.length, -1);
  }

  /**
   * Deletes the documents that were deleted from a merged segment since the merge began.
   *
   * @param now present state of the merged segment; undefined: all of its documents are deleted
   */
  deleteSince({ buffer, deleted }: SegmentState, now: Segment | undefined): void {
    const { ids } = now?.parts ?? unpack(buffer);
    for (let document = 0; document < ids.length; document++) {
      if (now?.isDeleted(document) === false) continue;
      if (deleted !== null && hasBit(deleted, document)) continue;
      this.delete(this.find(ids[document]!));
    }
  }

  /**
   * Deletes at most `limit` documents that have expired by `now`.
   *
   * @returns the number of documents that it deleted
   */
  evict(now: number, limit: number): number {
    if (this.nextExpiry > now) return 0;
    let next = Infinity;
    let count = 0;
    for (let document = 0; document < this.size; document++) {
      const moment = this.expires(document);
      if (moment >= next || this.isDeleted(document)) continue;
      if (moment > now) next = moment;
      // More documents may have expired. `nextExpiry` stays, so that the next call finds them.
      else if (count === limit) return count;
      else {
        this.delete(document);
        count++;
      }
    }
    this.nextExpiry = next;
    return count;
  }

  /** Returns the number of a term, or -1. */
  term(key: Key): number {
    return findTerm(this.parts, key);
  }

  /** Returns the start of a term's postings, which is the end of the preceding term's postings. */
  start(term: number): number {
    return this.parts.termPostings[term]! & 0xff_ffff;
  }

  /** Returns the highest level of a term's postings (see levelOf in writing.ts). */
  peak(term: number): number {
    return this.parts.termPostings[term]! >>> 24;
  }

  /** Returns the number of present documents that contain a term. */
  frequency(term: number): number {
    return this.start(term + 1) - this.start(term) - (this.#losses?.[term] ?? 0);
  }

  /** Yields the present documents that contain a term; none for -1. */
  *holding(term: number): Iterable<number> {
    if (term < 0) return;
    const { postings } = this.parts;
    for (let place = this.start(term); place < this.start(term + 1); place++) {
      if (!this.isDeleted(postings[place]!)) yield postings[place]!;
    }
  }

  /** Returns the facts of a document. */
  facts(document: number): DocumentFacts {
    const { parts } = this;
    return {
      id: parts.ids[document]!,
      company_id: this.companyId(document),
      attribute: parts.attributes[document]!,
      occurred: this.occurred(document),
      observed: this.observed(document),
      expires: this.expires(document),
      amount: this.amount(document),
      closes: this.closes(document),
      sectors: this.sectors(document),
    };
  }

  /** Returns when a document occurred. */
  occurred(document: number): number {
    return instantOfDocument(this.#occurred, document);
  }

  /** Returns when a document was observed. */
  observed(document: number): number {
    return instantOfDocument(this.#observed, document);
  }

  /** Returns the amount of a document; NaN: unknown. */
  amount(document: number): number {
    return this.parts.amounts[this.parts.amountOf[document]!]!;
  }

  /** Returns when a document closes, in microseconds; NaN: unknown. */
  closes(document: number): number {
    return microsecondsOfMinutes(this.parts.closings[this.parts.closesOf[document]!]!);
  }

  /** Returns the sectors of a document, as a bit mask. */
  sectors(document: number): number {
    return this.parts.sectors[this.parts.sectorsOf[document]!]!;
  }

  /** Returns when a document expires. */
  expires(document: number): number {
    const { expiryOf, expiries } = this.parts;
    return expiries[expiryOf.length === 0 ? document : expiryOf[document]!]!;
  }

  /** Returns the place of a company among the companies of the segment, by its id; or -1. */
  company(id: number): number {
    return findCompany(this.parts, id);
  }

  companyId(document: number): number {
    return this.parts.companies[this.parts.companyOf[document]!]!;
  }

  /** Prefetches the data from which the score of a document is computed. */
  touch(document: number): void {
    const { forwardTerms, forwardCodes, lengths, ids } = this.parts;
    const start = this.forwardStart(document, 0);
    let touched = lengths[document * this.fields.length]! ^ ids[document]!;
    // A cache line contains 32 terms, or 64 codes.
    touched ^= forwardTerms[start + 16]! ^ forwardTerms[start + 48]! ^ forwardCodes[start + 32]!;
    this.#touched = touched;
  }

  /**
   * Calls `take` for each term of a document that is in a vocabulary, with its row and its weighted
   * occurrences.
   */
  readTerms(document: number, vocabulary: Vocabulary, take: TakeTerm): void {
    this.eachTerm(document, take, this.#rows.of(vocabulary));
  }

  /**
   * Returns the position of each term of a small vocabulary in a document, by row; -1 if the
   * document does not contain the term.
   */
  termsHeld(document: number, vocabulary: SmallVocabulary): RowPlaces {
    return this.#rows.finderOf(vocabulary, this).of(document);
  }

  /**
   * Calls `take` for each term of a document, with its number or row, and its weighted occurrences.
   */
  eachTerm(document: number, take: TakeTerm, rowOf: RowOf = (term) => term): void {
    const { forwardTerms } = this.parts;
    for (let block = 0; block < this.blocks; block++) {
      const end = this.forwardStart(document, block + 1);
      for (let place = this.forwardStart(document, block); place < end; place++) {
        const row = rowOf(block << 16 | forwardTerms[place]!);
        if (row >= 0) take(row, this.#countAt(place));
      }
    }
  }

  #countAt(place: number): number {
    const code = this.parts.forwardCodes[place]!;
    if (code !== ESCAPE) return this.#counts[code]!;
    return this.weightedAt(place).reduce((count, occurrences) => count + occurrences, 0);
  }

  /**
   * Returns the start of a document's terms in a block. It is the end of the preceding block, or of
   * the preceding document.
   */
  forwardStart(document: number, block: number): number {
    const { parts } = this;
    if (block === 0) return startOfDocument(parts, document);
    if (block === this.blocks) return startOfDocument(parts, document + 1);
    return startOfDocument(parts, document) +
      parts.forwardEnds[document * (this.blocks - 1) + block - 1]!;
  }

  /**
   * Returns weighted occurrences by field at a place of the forward index, where the code is
   * ESCAPE.
   */
  weightedAt(place: number): readonly number[] {
    return unpackWeighted(this.fields, this.escapedAt(place));
  }

  /** Returns packed occurrences at a place of the forward index, where the code is ESCAPE. */
  escapedAt(place: number): number {
    const { escapePlaces, escapeCounts } = this.parts;
    let low = 0;
    let high = escapePlaces.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (escapePlaces[middle]! < place) low = middle + 1;
      else high = middle;
    }
    return escapeCounts[low]!;
  }

  state(): SegmentState {
    const { buffer, deleted, deletions: documents } = this;
    if (deleted === null) return { buffer, deleted, losses: null };
    const losses = { documents, terms: this.#losses!.slice(), totals: this.totals.numbers() };
    return { buffer, deleted: deleted.slice(), losses };
  }
}
