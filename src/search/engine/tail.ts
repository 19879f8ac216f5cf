/**
 * The mutable part of an index. It contains the latest documents until they are sealed into a
 * segment. A document can be found as soon as it is added. Posting lists are updated only when a
 * search needs them, so that adding documents stays cheap.
 */
import type { Collector } from "./collecting.ts";
import type { Key, TermTable } from "./dictionary.ts";
import { admitsFacts, type Conditions } from "./filters.ts";
import { holdsAny, type PairHashes } from "./pairs.ts";
import {
  type Field,
  K,
  shiftsOf,
  type Statistics,
  type Term,
  Totals,
  weightedIn,
  type WeightedTerm,
} from "./scoring.ts";
import type { DocumentFacts, TakeTerm } from "./segment.ts";
import {
  type RowPlaces,
  type SmallVocabulary,
  type Vocabulary,
  VocabularyRows,
} from "./segment_terms.ts";
import { grown } from "./typed_arrays.ts";
import { Drafts, type IndexedDocument } from "./writing.ts";

/**
 * Cached lookup of a SmallVocabulary (segment_terms.ts). `terms` has the tail's number of each of
 * its keys, and `size` is the size of the tail's term table at the lookup.
 */
interface SmallRows {
  vocabulary: SmallVocabulary;
  size: number;
  terms: readonly number[];
  /** Result of the last termsHeld(): 0 for each term that the document contains, otherwise -1. */
  flags: Int32Array;
}

/** The tail of an index. */
export class Tail {
  readonly totals: Totals;
  readonly #drafts: Drafts;
  readonly #shifts: readonly number[];
  readonly #places = new Map<number, number>();
  readonly #vocabularyRows: VocabularyRows;
  /** Postings of each term, in the documents that were added before the last lookup of postings. */
  readonly #postings: TailPostings;
  #small: SmallRows | undefined;

  constructor(fields: readonly Field[]) {
    this.#drafts = new Drafts(fields);
    this.#shifts = shiftsOf(fields);
    this.#vocabularyRows = new VocabularyRows(this.#drafts.table);
    this.#postings = new TailPostings(this.#drafts);
    this.totals = new Totals(fields.length);
  }

  /** Number of present documents. */
  get live(): number {
    return this.#places.size;
  }

  /** Number of documents, including removed ones. */
  get size(): number {
    return this.#drafts.facts.length;
  }

  get postings(): number {
    return this.#drafts.starts.at(-1)!;
  }

  /** Table of all terms, including terms that no document contains any longer. */
  get table(): TermTable {
    return this.#drafts.table;
  }

  get memory(): number {
    const { terms, packed, lengths, frequencies } = this.#drafts;
    const { pairStarts, pairBits } = this.#drafts.pairs;
    return terms.byteLength + packed.byteLength + lengths.byteLength +
      2 * frequencies.byteLength + pairStarts.byteLength + pairBits.byteLength +
      this.#vocabularyRows.memory + this.#postings.memory;
  }

  /** Adds a document whose id is not present. */
  put(document: IndexedDocument): void {
    const place = this.#drafts.put(document);
    this.#places.set(document.id, place);
    this.totals.count(this.#drafts.lengths, place * this.#drafts.fields.length, 1);
  }

  /** Removes a document. @returns whether it was present */
  remove(id: number): boolean {
    const place = this.#places.get(id);
    if (place === undefined) return false;
    this.#places.delete(id);
    this.#drafts.remove(place);
    this.totals.count(this.#drafts.lengths, place * this.#drafts.fields.length, -1);
    return true;
  }

  get(id: number): DocumentFacts | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#drafts.facts[place];
  }

  /** Returns the present documents. */
  facts(): Iterable<DocumentFacts> {
    return this.#drafts.facts.values().filter((facts) => facts !== undefined);
  }

  /** Yields the present documents that conditions admit. */
  *admitted(conditions: Conditions): Iterable<DocumentFacts> {
    for (const [place, facts] of this.#drafts.facts.entries()) {
      if (facts !== undefined && this.#admits(place, conditions)) yield facts;
    }
  }

  /** Returns a document by its id if it is present and admitted. */
  getAdmitted(id: number, conditions: Conditions): DocumentFacts | undefined {
    const place = this.#places.get(id);
    return place !== undefined && this.#admits(place, conditions)
      ? this.#drafts.facts[place]
      : undefined;
  }

  /** Returns the facet terms of a document; undefined if it is not present. */
  facets(id: number): readonly string[] | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#drafts.facets[place];
  }

  /** Tells whether a document is present and contains a term. */
  holds(id: number, key: Key): boolean {
    const place = this.#places.get(id);
    return place !== undefined && this.#holds(place, key);
  }

  #holds(place: number, key: Key): boolean {
    return this.#holdsTerm(place, this.#drafts.term(key));
  }

  /**
   * Tells whether a document contains a term. It creates no array, because searches call it for
   * every candidate.
   */
  #holdsTerm(place: number, term: number): boolean {
    if (term < 0) return false;
    const { starts, terms } = this.#drafts;
    const end = starts[place + 1]!;
    for (let at = starts[place]!; at < end; at++) if (terms[at] === term) return true;
    return false;
  }

  /**
   * Tells for each pair of words whether the document's Bloom filter contains it (pairs.ts). There
   * may be false positives. All are false if the document is not present.
   */
  pairsHeld(id: number, pairs: PairHashes): boolean[] {
    const place = this.#places.get(id);
    return pairs.map((hashes) =>
      place !== undefined && holdsAny(this.#drafts.pairs, place, hashes)
    );
  }

  #admits(place: number, conditions: Conditions): boolean {
    const facts = this.#drafts.facts[place];
    const holds = (key: Key) => this.#holds(place, key);
    return facts !== undefined && admitsFacts(conditions, facts, holds);
  }

  /** Reads terms like Segment.readTerms. A document that is not present has no terms. */
  readTerms(id: number, vocabulary: Vocabulary, take: TakeTerm): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    const { starts, terms, packed } = this.#drafts;
    const rowOf = this.#vocabularyRows.of(vocabulary);
    const end = starts[place + 1]!;
    for (let at = starts[place]!; at < end; at++) {
      const row = rowOf(terms[at]!);
      if (row >= 0) take(row, this.#weightOf(packed[at]!));
    }
  }

  /** Adds up the weighted occurrences of all fields. */
  #weightOf(packed: number): number {
    const { fields } = this.#drafts;
    let sum = 0;
    for (let field = 0; field < fields.length; field++) {
      sum += weightedIn(packed, fields[field]!, this.#shifts[field]!);
    }
    return sum;
  }

  /**
   * Returns a number for each term of a small vocabulary. The number is negative if the document
   * does not contain the term. The result is valid until the next call.
   */
  termsHeld(id: number, vocabulary: SmallVocabulary): RowPlaces {
    const { terms, flags } = this.#smallOf(vocabulary);
    const place = this.#places.get(id);
    for (let row = 0; row < flags.length; row++) {
      flags[row] = place !== undefined && this.#holdsTerm(place, terms[row]!) ? 0 : -1;
    }
    return flags;
  }

  /**
   * Returns the terms of a small vocabulary. They are cached until the vocabulary changes, or terms
   * are added.
   */
  #smallOf(vocabulary: SmallVocabulary): SmallRows {
    const { size } = this.table;
    if (this.#small?.vocabulary !== vocabulary || this.#small.size !== size) {
      const terms = vocabulary.keys.map((key) => this.#drafts.term(key));
      this.#small = { vocabulary, size, terms, flags: new Int32Array(terms.length) };
    }
    return this.#small;
  }

  /** Returns the number of present documents that contain a term. */
  frequency(key: Key): number {
    const term = this.#drafts.term(key);
    return term < 0 ? 0 : this.#drafts.frequencies[term]!;
  }

  /** Yields the present documents that contain a term. */
  *holding(key: Key): Iterable<DocumentFacts> {
    const { facts } = this.#drafts;
    const first = this.#postings.first(key);
    const { places, next } = this.#postings;
    for (let at = first; at >= 0; at = next[at]! - 1) {
      const document = facts[places[at]!];
      if (document !== undefined) yield document;
    }
  }

  /** Builds a segment of the present documents. */
  assemble(averages: Float64Array): SharedArrayBuffer {
    return this.#drafts.assemble(averages);
  }

  /** Returns the admitted documents that contain any of the terms, with their scores. */
  search(
    { terms, statistics, conditions }: {
      terms: readonly WeightedTerm[];
      statistics: Statistics;
      conditions: Conditions;
    },
  ): TailHits {
    const { facts } = this.#drafts;
    if (facts.length === 0) return new TailHits([]);
    const scores = new Float64Array(facts.length);
    const sums = new Float64Array(facts.length);
    for (const forms of Map.groupBy(terms, ({ word }) => word).values()) {
      for (const term of forms) this.#addUp(term, { sums, ...statistics });
      for (let place = 0; place < sums.length; place++) {
        const sum = sums[place]!;
        if (sum === 0) continue;
        scores[place]! += forms[0]!.weight * sum / (sum + K);
        sums[place] = 0;
      }
    }
    const hits: TailHit[] = [];
    for (let place = 0; place < scores.length; place++) {
      const score = scores[place]!;
      if (score !== 0 && this.#admits(place, conditions)) {
        hits.push({ facts: facts[place]!, score });
      }
    }
    return new TailHits(hits);
  }

  /** Adds the weighted occurrences of a term to the sums of its documents. */
  #addUp(
    { key }: Term,
    { sums, factors }: { sums: Float64Array; factors: Float64Array },
  ): void {
    const { fields, lengths, packed: counts } = this.#drafts;
    const first = this.#postings.first(key);
    const { places, next } = this.#postings;
    for (let at = first; at >= 0; at = next[at]! - 1) {
      const place = places[at]!;
      const packed = counts[at]!;
      for (let field = 0; field < fields.length; field++) {
        const weighted = weightedIn(packed, fields[field]!, this.#shifts[field]!);
        const code = lengths[place * fields.length + field]!;
        if (weighted !== 0) sums[place]! += weighted * factors[field * 256 + code]!;
      }
    }
  }
}

interface TailHit {
  facts: DocumentFacts;
  score: number;
}

/** Hits of the tail in one search. */
export class TailHits {
  readonly #hits: readonly TailHit[];
  #byCompany: Map<number, TailHit[]> | undefined;

  constructor(hits: readonly TailHit[]) {
    this.#hits = hits;
  }

  collect(collector: Collector): void {
    for (const { facts, score } of this.#hits) {
      if (score >= collector.threshold) collector.offer(facts.id, facts.company_id, score);
    }
  }

  collectCompany(companyId: number, collector: Collector): void {
    for (const { facts, score } of this.#hitsOf(companyId)) {
      collector.offer(facts.id, companyId, score);
    }
  }

  /** Tells whether a company has hits. */
  hasCompany(companyId: number): boolean {
    return this.#hitsOf(companyId).length > 0;
  }

  #hitsOf(companyId: number): readonly TailHit[] {
    if (this.#hits.length === 0) return this.#hits;
    this.#byCompany ??= Map.groupBy(this.#hits, ({ facts }) => facts.company_id);
    return this.#byCompany.get(companyId) ?? [];
  }
}

/**
 * Postings of drafts (see writing.ts) by term, as chains in arrays of numbers. A search that uses
 * search nodes (docs/search_nodes.md) builds an index of its candidates. An array per term would be
 * thousands of objects per such search, and most of them would outlive the young generation of the
 * garbage collector.
 */
class TailPostings {
  /** Place of the document of each posting, in the order of the drafts' terms. */
  places = new Uint16Array(0);
  /** Next posting of the same term, plus 1; 0: none. */
  next = new Uint32Array(0);
  readonly #drafts: Drafts;
  /** First and last posting of each term, plus 1; 0: none. */
  #firsts = new Uint32Array(0);
  #lasts = new Uint32Array(0);
  /** Number of documents whose postings are in the chains. */
  #documents = 0;

  constructor(drafts: Drafts) {
    this.#drafts = drafts;
  }

  get memory(): number {
    return this.places.byteLength + this.next.byteLength + 2 * this.#firsts.byteLength;
  }

  /**
   * Returns the first posting of a term, or -1. It brings the chains up to date, which may replace
   * the arrays.
   */
  first(key: Key): number {
    this.#chain();
    const term = this.#drafts.term(key);
    return term < 0 ? -1 : this.#firsts[term]! - 1;
  }

  #chain(): void {
    const { facts, starts, terms, table } = this.#drafts;
    if (this.#documents === facts.length) return;
    this.#makeRoom({ postings: starts[facts.length]!, terms: table.size });
    const { places, next } = this;
    const firsts = this.#firsts;
    const lasts = this.#lasts;
    for (; this.#documents < facts.length; this.#documents++) {
      const end = starts[this.#documents + 1]!;
      for (let at = starts[this.#documents]!; at < end; at++) {
        const term = terms[at]!;
        places[at] = this.#documents;
        if (firsts[term] === 0) firsts[term] = at + 1;
        else next[lasts[term]! - 1] = at + 1;
        lasts[term] = at + 1;
      }
    }
  }

  #makeRoom({ postings, terms }: { postings: number; terms: number }): void {
    if (postings > this.next.length) {
      this.places = grown(this.places, postings);
      this.next = grown(this.next, postings);
    }
    if (terms > this.#firsts.length) {
      this.#firsts = grown(this.#firsts, terms);
      this.#lasts = grown(this.#lasts, terms);
    }
  }
}
