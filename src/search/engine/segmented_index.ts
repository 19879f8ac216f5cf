/**
 * An index of documents in immutable segments and a small mutable tail. BM25F ranks all of them
 * together. Scores and their order depend only on the present documents. They do not depend on the
 * order of arrival, on removed documents, or on the division into segments.
 */
import {
  BestCompanies,
  BestObservations,
  type CompanyHit,
  type CompanyLimits,
  type ObservationHit,
} from "./collecting.ts";
import type { Conditions } from "./filters.ts";
import { DOCUMENTS_MAX, unpack } from "./layout.ts";
import { DocumentLookup, Listing } from "./lookup.ts";
import { chooseCompaction, chooseMerge, mergeSegments, type MergeWork } from "./merging.ts";
import type { Field, Statistics, WholeDataset } from "./scoring.ts";
import {
  CandidatePool,
  CompanySegments,
  type EngineQuery,
  type LocatedTerms,
  locateTerms,
  type OpenParts,
  openParts,
  statisticsOf,
} from "./searching.ts";
import { Segment, type SegmentState } from "./segment.ts";
import { type NearFormSource, SpellingTable } from "./spelling.ts";
import { Tail } from "./tail.ts";
import type { IndexedDocument } from "./writing.ts";

/** Options of an index. */
export interface IndexOptions {
  /** Number of documents, including removed ones, at which the tail is sealed. */
  tail_documents?: number;
  /**
   * "inline" if `put` merges when a merge is due. "elsewhere" if the caller merges, by `mergeable`
   * and `adopt`.
   */
  merges?: "inline" | "elsewhere";
  /** Statistics of the whole dataset; absent: the index contains the whole dataset. */
  whole?: WholeDataset;
}

/** State of a whole index. It can be saved, or posted to other threads, which share its buffers. */
export interface IndexState {
  fields: readonly Field[];
  segments: SegmentState[];
}

/**
 * Max number of documents in a tail. The max number of postings in a tail is
 * TAIL_POSTINGS_PER_DOCUMENT times as high. Sealing then takes at most about 15 ms.
 */
const TAIL_DOCUMENTS = 500;
const TAIL_POSTINGS_PER_DOCUMENT = 128;

const NO_DELETIONS = { deleted: null, losses: null };

/** A full-text index of documents that belong to companies. */
export class SegmentedIndex {
  readonly fields: readonly Field[];
  readonly #options: Required<Omit<IndexOptions, "whole">>;
  readonly #whole: WholeDataset | undefined;
  #segments: readonly Segment[] = [];
  /** Segments that may contain each company; null until a search needs them after a change. */
  #companySegments: CompanySegments | null = null;
  #tail: Tail;
  #statistics: Statistics | null = null;
  /** Lookup of the present documents; null after a change. */
  #lookup: DocumentLookup | null = null;
  /**
   * Words of the last query, and the numbers of their terms in each segment. They are cached,
   * because a search uses the same words under several conditions.
   */
  #located: { words: EngineQuery["words"]; terms: LocatedTerms } | null = null;
  /**
   * Table in which near forms are found. It is empty until prepareNearForms() or nearFormSource
   * fills it.
   */
  readonly #spellings = new SpellingTable();

  constructor(fields: readonly Field[], options: IndexOptions = {}) {
    this.fields = fields;
    const { tail_documents = TAIL_DOCUMENTS, merges = "inline" } = options;
    this.#options = { tail_documents: Math.min(tail_documents, DOCUMENTS_MAX), merges };
    this.#whole = options.whole;
    this.#tail = new Tail(fields);
  }

  /**
   * Returns an index over the buffers of a state, which are not copied. Later deletions do not
   * change the state.
   */
  static of({ fields, segments }: IndexState, options?: IndexOptions): SegmentedIndex {
    const index = new SegmentedIndex(fields, options);
    index.#segments = segments.map((state) => new Segment(state, fields));
    return index;
  }

  get size(): number {
    return this.#segments.reduce((sum, { live }) => sum + live, this.#tail.live);
  }

  /** Bytes of the segments, the tail, and the tables of companies and spellings. */
  get memory(): number {
    const beside = this.#tail.memory + (this.#companySegments?.memory ?? 0) +
      this.#spellings.memory;
    return this.#segments.reduce((sum, { memory }) => sum + memory, beside);
  }

  /** Adds a document. It replaces an earlier document with the same id. */
  put(document: IndexedDocument): void {
    this.remove(document.id);
    this.#tail.put(document);
    this.#noteChange();
    const { tail_documents } = this.#options;
    const maxPostings = tail_documents * TAIL_POSTINGS_PER_DOCUMENT;
    if (this.#tail.size < tail_documents && this.#tail.postings < maxPostings) return;
    this.seal();
    if (this.#options.merges === "inline") this.merge();
  }

  /** Removes a document. @returns whether it was present */
  remove(id: number): boolean {
    this.#noteChange();
    if (this.#tail.remove(id)) return true;
    for (const segment of this.#segments) {
      const document = segment.find(id);
      if (document < 0) continue;
      segment.delete(document);
      if (segment.live === 0) this.#dropEmpty();
      return true;
    }
    return false;
  }

  /** Lookup of documents and terms, until the next change. */
  get lookup(): DocumentLookup {
    return this.#lookup ??= new DocumentLookup(this.#segments, this.#tail, this.#whole);
  }

  /**
   * Adds the terms of segments to the spelling table (see spelling.ts), for about this many
   * milliseconds. A million documents take about a second.
   *
   * @returns whether the terms of all segments have been added
   */
  prepareNearForms(milliseconds: number): boolean {
    const until = performance.now() + milliseconds;
    return this.#segments.every(({ buffer, parts }) =>
      this.#spellings.add(buffer, parts, parts.termOffsets.length - 1, until)
    );
  }

  /** Words and names among which near forms are found: see spelling.ts. */
  get nearFormSource(): NearFormSource {
    this.prepareNearForms(Infinity);
    const { table } = this.#tail;
    this.#spellings.add(table, table, table.size, Infinity);
    const { lookup } = this;
    return {
      frequency: (key) => lookup.frequency(key),
      mayHold: (key) => this.#spellings.mayHold(key),
      namesNear: (key, errors) => lookup.textsOf(this.#spellings.namesNear(key, errors)),
      stemsNear: (word, errors) => lookup.textsOf(this.#spellings.stemsNear(word, errors)),
    };
  }

  /**
   * Removes documents that have expired by `now`: at most `limit` of those in segments, and all of
   * those in the tail.
   *
   * @returns the time of the next expiry. If it is not after `now`, more documents have expired
   */
  evict(now: number, limit: number): number {
    let left = limit;
    let next = Infinity;
    for (const segment of this.#segments) {
      if (left > 0) left -= segment.evict(now, left);
      next = Math.min(next, segment.nextExpiry);
    }
    for (const { id, expires } of [...this.#tail.facts()]) {
      if (expires <= now) this.#tail.remove(id);
      else if (expires < next) next = expires;
    }
    this.#noteChange();
    if (this.#segments.some(({ live }) => live === 0)) this.#dropEmpty();
    return next;
  }

  /** Returns the admitted documents that occurred last: see lookup.ts. */
  listNewest(conditions: Conditions, limit: number): ObservationHit[] {
    return this.#listing(conditions).documents(limit);
  }

  /** Returns the companies whose admitted documents occurred last: see lookup.ts. */
  listCompanies(
    conditions: Conditions,
    limits: CompanyLimits,
  ): CompanyHit[] {
    return this.#listing(conditions).companies(limits);
  }

  #listing(conditions: Conditions): Listing {
    const parts = { segments: this.#segments, tail: this.#tail };
    return new Listing({ ...parts, companies: this.#companiesBySegment(conditions) }, conditions);
  }

  /**
   * Returns the requested companies by the segments that may contain them. Undefined if all are
   * requested, or if the companies of the segments are not known.
   */
  #companiesBySegment({ companies }: Conditions): number[][] | undefined {
    return companies === null ? undefined : this.#companySegments?.bySegment(companies);
  }

  /** Returns the best documents by score, then id. */
  search(query: EngineQuery, limit: number): ObservationHit[] {
    const best = new BestObservations(limit);
    const { segments, tail, scale } = this.#open(query);
    const pool = new CandidatePool(scale);
    for (const segment of segments) {
      segment.collect(best, pool);
      segment.close();
    }
    pool.flush(best);
    tail.collect(best);
    return best.hits();
  }

  /**
   * Returns the best companies by score (see collecting.ts), then id, with their best documents.
   */
  shortlist(
    query: EngineQuery,
    limits: CompanyLimits,
  ): CompanyHit[] {
    const sources = this.#open(query);
    const companySegments = this.#companySegments ??= new CompanySegments(this.#segments);
    const best = new BestCompanies(
      limits,
      (company) => companySegments.isInOne(company) && !sources.tail.hasCompany(company),
    );
    const pool = new CandidatePool(sources.scale);
    for (const segment of sources.segments) segment.collect(best, pool);
    pool.flush(best);
    sources.tail.collect(best);
    const { segments, tail } = sources;
    const hits = best.hits({
      openDocuments: (companies) => companySegments.openDocuments(companies, segments),
      offerTail: (company, collector) => tail.collectCompany(company, collector),
    });
    for (const segment of sources.segments) segment.close();
    return hits;
  }

  /** Turns the tail into a segment. */
  seal(): void {
    if (this.#tail.live > 0) {
      const { averages } = this.#statisticsNow();
      const buffer = this.#tail.assemble(averages);
      const segment = new Segment({ buffer, ...NO_DELETIONS }, this.fields);
      const companySegments = this.#companySegments;
      companySegments?.add(segment);
      const { table } = this.#tail;
      if (this.#spellings.hasAll(table, table.size)) this.#noteSpelled(segment);
      this.#setSegments([...this.#segments, segment]);
      this.#companySegments = companySegments;
    }
    this.#tail = new Tail(this.fields);
    this.#noteChange();
  }

  /** Runs all merges that are due, in this thread. */
  merge(): void {
    for (let work = this.mergeable(); work; work = this.mergeable()) {
      this.adopt(work, mergeSegments(work));
    }
  }

  /**
   * Merges segments until no two fit into one, because each segment adds to the cost of a search.
   */
  compact(): void {
    this.seal();
    const next = () => this.#workOn(chooseCompaction(this.#segments));
    for (let work = next(); work; work = next()) this.adopt(work, mergeSegments(work));
  }

  /** Returns work for mergeSegments, in this or another thread; undefined if none is due. */
  mergeable(): MergeWork | undefined {
    return this.#workOn(chooseMerge(this.#segments));
  }

  #workOn(segments: readonly Segment[]): MergeWork | undefined {
    if (segments.length === 0) return undefined;
    const { averages } = this.#statisticsNow();
    return { fields: this.fields, averages, segments: segments.map((segment) => segment.state()) };
  }

  /**
   * Replaces merged segments by the result of their merge. Documents that were removed meanwhile
   * are removed from the result.
   *
   * @returns false, and changes nothing, if the index no longer contains the merged segments
   */
  adopt({ segments: merged }: MergeWork, buffer: SharedArrayBuffer): boolean {
    const buffers = new Set(merged.map((state) => state.buffer));
    const former = this.#segments.filter((segment) => buffers.has(segment.buffer));
    if (former.length === 0) return false;
    const segment = new Segment({ buffer, ...NO_DELETIONS }, this.fields);
    for (const state of merged) {
      segment.deleteSince(state, former.find((one) => one.buffer === state.buffer));
    }
    // The new segment has no other terms than the merged segments. If the table of spellings has
    // all of these, it need not read the new segment.
    const isSpelled = merged.every((state) =>
      this.#spellings.hasAll(state.buffer, unpack(state.buffer).termOffsets.length - 1)
    );
    if (isSpelled) this.#noteSpelled(segment);
    const remaining = this.#segments.filter((one) => !former.includes(one));
    this.#setSegments(segment.live > 0 ? [...remaining, segment] : remaining);
    return true;
  }

  /** Returns the state. It seals the tail first, so that the state contains all documents. */
  state(): IndexState {
    this.seal();
    return { fields: this.fields, segments: this.#segments.map((segment) => segment.state()) };
  }

  #open({ words, conditions }: EngineQuery): OpenParts {
    const parts = { segments: this.#segments, tail: this.#tail, statistics: this.#statisticsNow() };
    if (this.#located?.words !== words) {
      this.#located = { words, terms: locateTerms(words, { ...parts, whole: this.#whole }) };
    }
    const companies = this.#companiesBySegment(conditions);
    const { places } = this.lookup;
    return openParts(this.#located.terms, { ...parts, conditions, companies, places });
  }

  #noteSpelled({ buffer, parts }: Segment): void {
    this.#spellings.noteAdded(buffer, parts.termOffsets.length - 1);
  }

  #noteChange(): void {
    this.#statistics = null;
    this.#lookup = null;
    this.#located = null;
  }

  #dropEmpty(): void {
    this.#setSegments(this.#segments.filter(({ live }) => live > 0));
  }

  #setSegments(segments: readonly Segment[]): void {
    this.#segments = segments;
    this.#companySegments = null;
    this.#noteChange();
  }

  #statisticsNow(): Statistics {
    return this.#statistics ??= statisticsOf(
      this.fields,
      { segments: this.#segments, tail: this.#tail, whole: this.#whole },
    );
  }
}
