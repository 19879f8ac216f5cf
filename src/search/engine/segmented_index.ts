/**
 * Documents in immutable segments and a small mutable tail, ranked by BM25F over all of them. Scores
 * and their order depend on the documents that are there and nothing else: not on the order in which
 * they came, nor on those that went, nor on how they lie in segments.
 */
import type { Conditions } from "./admission.ts";
import { BestCompanies, type CompanyHit } from "./companies.ts";
import { BestObservations, type ObservationHit } from "./collectors.ts";
import type { IndexedDocument } from "./drafts.ts";
import type { Field } from "./fields.ts";
import { HeldDocuments } from "./held_documents.ts";
import { DOCUMENTS_MAX, unpack } from "./layout.ts";
import { mergeSegments, type MergeWork } from "./merge.ts";
import { chooseCompaction, chooseMerge } from "./merge_policy.ts";
import type { Spelled } from "./near_forms.ts";
import { Listing } from "./newest.ts";
import { Pool } from "./pool.ts";
import { Presence } from "./presence.ts";
import type { Statistics } from "./question.ts";
import { Segment, type SegmentState } from "./segment.ts";
import { findTerms, type FoundTerms, openSources, type Question, type Sources } from "./sources.ts";
import { Spellings } from "./spellings.ts";
import { statisticsOf } from "./statistics.ts";
import { Tail } from "./tail.ts";

export interface IndexOptions {
  /** The tail is sealed when it holds so many documents, those that were taken out included. */
  tail_documents?: number;
  /** `put` merges where it is due; or others do, by `mergeable` and `adopt`. */
  merges?: "inline" | "elsewhere";
}

/** All of an index: can be posted to other threads, which share the buffers, and be saved. */
export interface IndexState {
  fields: readonly Field[];
  segments: SegmentState[];
}

/** Keeps a sealing within some 15 ms. */
const TAIL_DOCUMENTS = 500;
const TAIL_POSTINGS_PER_DOCUMENT = 128;

const UNTOUCHED = { deleted: null, losses: null };

export class SegmentedIndex {
  readonly fields: readonly Field[];
  readonly #options: Required<IndexOptions>;
  #segments: readonly Segment[] = [];
  /** Of the segments; null: they have changed. */
  #presence: Presence | null = null;
  #tail: Tail;
  #statistics: Statistics | null = null;
  /** Documents looked up since the last change. */
  #held: HeldDocuments | null = null;
  /** The last words that were asked for: a search asks for them under several conditions. */
  #asked: { words: Question["words"]; terms: FoundTerms } | null = null;
  /** Letters of words and names; empty until somebody asks for near forms. */
  readonly #spellings = new Spellings();

  constructor(fields: readonly Field[], options: IndexOptions = {}) {
    this.fields = fields;
    const { tail_documents = TAIL_DOCUMENTS, merges = "inline" } = options;
    this.#options = { tail_documents: Math.min(tail_documents, DOCUMENTS_MAX), merges };
    this.#tail = new Tail(fields);
  }

  /** An index over the buffers of a state: nothing is built, and the state's arrays are not changed. */
  static of({ fields, segments }: IndexState, options?: IndexOptions): SegmentedIndex {
    const index = new SegmentedIndex(fields, options);
    index.#segments = segments.map((state) => new Segment(state, fields));
    return index;
  }

  get size(): number {
    return this.#segments.reduce((sum, { live }) => sum + live, this.#tail.live);
  }

  /** Bytes of segments, tail and the table of companies. */
  get memory(): number {
    const beside = this.#tail.memory + (this.#presence?.memory ?? 0) + this.#spellings.memory;
    return this.#segments.reduce((sum, { memory }) => sum + memory, beside);
  }

  /** Adds a document, in the place of an earlier one of the same id. */
  put(document: IndexedDocument): void {
    this.remove(document.id);
    this.#tail.put(document);
    this.#noteChange();
    const { tail_documents } = this.#options;
    const most = tail_documents * TAIL_POSTINGS_PER_DOCUMENT;
    if (this.#tail.size < tail_documents && this.#tail.postings < most) return;
    this.seal();
    if (this.#options.merges === "inline") this.merge();
  }

  /** @returns whether it was there */
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

  /** Documents and terms, looked up one by one. */
  get held(): HeldDocuments {
    return this.#held ??= new HeldDocuments(this.#segments, this.#tail);
  }

  /**
   * Prepares near forms for about some milliseconds. A million documents take about a second.
   * @returns whether nothing is left to do
   */
  prepareNearForms(milliseconds: number): boolean {
    const until = performance.now() + milliseconds;
    return this.#segments.every(({ buffer, parts }) =>
      this.#spellings.add(buffer, parts, parts.termOffsets.length - 1, until)
    );
  }

  /** What near forms are found in: see near_forms.ts. */
  get spelled(): Spelled {
    this.prepareNearForms(Infinity);
    const { table } = this.#tail;
    this.#spellings.add(table, table, table.size, Infinity);
    const { held } = this;
    return {
      frequency: (key) => held.frequency(key),
      mayHold: ({ hash }) => this.#spellings.mayHold(hash),
      namesNear: (key, errors) => held.textsOf(this.#spellings.namesNear(key, errors)),
      stemsNear: (word, errors) => held.textsOf(this.#spellings.stemsNear(word, errors)),
    };
  }

  /**
   * Takes out what expires up to a moment, in the order of segments, about `most` documents at a time.
   *
   * @returns when the next document expires; the moment or before: there is more to take out
   */
  evict(now: number, most: number): number {
    let left = most;
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

  /** Returns the admitted documents that occurred last: see newest.ts. */
  listNewest(conditions: Conditions, limit: number): ObservationHit[] {
    return this.#listing(conditions).documents(limit);
  }

  /** Returns the companies whose admitted documents occurred last: see newest.ts. */
  listCompanies(
    conditions: Conditions,
    limits: { companies: number; observations_per_company: number },
  ): CompanyHit[] {
    return this.#listing(conditions).companies(limits);
  }

  #listing(conditions: Conditions): Listing {
    return new Listing({ segments: this.#segments, tail: this.#tail }, conditions);
  }

  /** The best documents by score, then id. */
  search(question: Question, limit: number): ObservationHit[] {
    const best = new BestObservations(limit);
    const { segments, tail, scale } = this.#ask(question);
    const pool = new Pool(scale);
    for (const segment of segments) {
      segment.collect(best, pool);
      segment.close();
    }
    pool.flush(best);
    tail.collect(best);
    return best.hits();
  }

  /** The best companies by their score (see companies.ts), then id, with their best documents. */
  shortlist(
    question: Question,
    limits: { companies: number; observations_per_company: number },
  ): CompanyHit[] {
    const sources = this.#ask(question);
    const presence = this.#presence ??= new Presence(this.#segments);
    const best = new BestCompanies(
      limits,
      (company) => presence.isInOne(company) && !sources.tail.hasCompany(company),
    );
    const pool = new Pool(sources.scale);
    for (const segment of sources.segments) segment.collect(best, pool);
    pool.flush(best);
    sources.tail.collect(best);
    const hits = best.hits(sources, presence);
    for (const segment of sources.segments) segment.close();
    return hits;
  }

  /** Turns the tail into a segment. */
  seal(): void {
    if (this.#tail.live > 0) {
      const { averages } = this.#known();
      const buffer = this.#tail.assemble(averages);
      const segment = new Segment({ buffer, ...UNTOUCHED }, this.fields);
      const presence = this.#presence;
      presence?.add(segment);
      const { table } = this.#tail;
      if (this.#spellings.hasAll(table, table.size)) this.#noteSpelled(segment);
      this.#setSegments([...this.#segments, segment]);
      this.#presence = presence;
    }
    this.#tail = new Tail(this.fields);
    this.#noteChange();
  }

  /** Merges whatever is due, here and now. */
  merge(): void {
    for (let work = this.mergeable(); work; work = this.mergeable()) {
      this.adopt(work, mergeSegments(work));
    }
  }

  /** Merges segments as long as two fit into one: searches look into each segment by itself. */
  compact(): void {
    this.seal();
    const next = () => this.#workOn(chooseCompaction(this.#segments));
    for (let work = next(); work; work = next()) this.adopt(work, mergeSegments(work));
  }

  /** Work for mergeSegments, in this or another thread; nothing: none is due. */
  mergeable(): MergeWork | undefined {
    return this.#workOn(chooseMerge(this.#segments));
  }

  #workOn(segments: readonly Segment[]): MergeWork | undefined {
    if (segments.length === 0) return undefined;
    const { averages } = this.#known();
    return { fields: this.fields, averages, segments: segments.map((own) => own.state()) };
  }

  /**
   * Takes the result of a merge in place of what was merged. What was taken out meanwhile is taken
   * out of it as well.
   *
   * @returns false where the index no longer holds what was merged, and nothing changes
   */
  adopt({ segments: merged }: MergeWork, buffer: SharedArrayBuffer): boolean {
    const buffers = new Set(merged.map((state) => state.buffer));
    const former = this.#segments.filter((own) => buffers.has(own.buffer));
    if (former.length === 0) return false;
    const segment = new Segment({ buffer, ...UNTOUCHED }, this.fields);
    for (const state of merged) {
      segment.takeOutSince(state, former.find((own) => own.buffer === state.buffer));
    }
    // What it holds comes from segments that have gone, of which none may be left to add.
    const isSpelled = merged.every((state) =>
      this.#spellings.hasAll(state.buffer, unpack(state.buffer).termOffsets.length - 1)
    );
    if (isSpelled) this.#noteSpelled(segment);
    const others = this.#segments.filter((own) => !former.includes(own));
    this.#setSegments(segment.live > 0 ? [...others, segment] : others);
    return true;
  }

  /** Seals, so that the state holds everything. */
  state(): IndexState {
    this.seal();
    return { fields: this.fields, segments: this.#segments.map((segment) => segment.state()) };
  }

  #ask({ words, conditions }: Question): Sources {
    const parts = { segments: this.#segments, tail: this.#tail, statistics: this.#known() };
    if (this.#asked?.words !== words) this.#asked = { words, terms: findTerms(words, parts) };
    return openSources(this.#asked.terms, { ...parts, conditions });
  }

  #noteSpelled({ buffer, parts }: Segment): void {
    this.#spellings.noteAdded(buffer, parts.termOffsets.length - 1);
  }

  #noteChange(): void {
    this.#statistics = null;
    this.#held = null;
    this.#asked = null;
  }

  #dropEmpty(): void {
    this.#setSegments(this.#segments.filter(({ live }) => live > 0));
  }

  #setSegments(segments: readonly Segment[]): void {
    this.#segments = segments;
    this.#presence = null;
    this.#noteChange();
  }

  #known(): Statistics {
    return this.#statistics ??= statisticsOf(this.fields, this.#segments, this.#tail);
  }
}
