/**
 * The mutable end of an index: the latest documents, found from the moment they are put, until they
 * are sealed into a segment. Lists of postings are brought up to date when a search asks for them,
 * so that filling costs no more than it must.
 */
import type { Collector } from "./collecting.ts";
import type { Key, TermTable } from "./dictionary.ts";
import { admitsFacts, type Conditions } from "./filters.ts";
import { holdsAny, type PairHashes } from "./pairs.ts";
import {
  type Field,
  K,
  type Statistics,
  type Term,
  Totals,
  unpackWeighted,
  type WeightedTerm,
} from "./scoring.ts";
import type { DocumentFacts, TakeTerm } from "./segment.ts";
import type { Vocabulary } from "./segment_terms.ts";
import { Drafts, type IndexedDocument } from "./writing.ts";

export class Tail {
  readonly totals: Totals;
  readonly #drafts: Drafts;
  readonly #places = new Map<number, number>();
  /**
   * Flat list for each term: place, packed occurrences, place, …, of the first `#listed` documents.
   */
  readonly #lists: number[][] = [];
  #listed = 0;

  constructor(fields: readonly Field[]) {
    this.#drafts = new Drafts(fields);
    this.totals = new Totals(fields.length);
  }

  /** Documents that are there. */
  get live(): number {
    return this.#places.size;
  }

  /** Documents that take up room, and their postings: also those that were taken out. */
  get size(): number {
    return this.#drafts.facts.length;
  }

  get postings(): number {
    return this.#drafts.starts.at(-1)!;
  }

  /** All terms, those that no document holds any more included. */
  get table(): TermTable {
    return this.#drafts.table;
  }

  get memory(): number {
    const { terms, packed, lengths, frequencies } = this.#drafts;
    const { pairStarts, pairBits } = this.#drafts.pairs;
    return terms.byteLength + packed.byteLength + lengths.byteLength +
      2 * frequencies.byteLength + pairStarts.byteLength + pairBits.byteLength;
  }

  /** Puts a document whose id is not there. */
  put(document: IndexedDocument): void {
    const place = this.#drafts.put(document);
    this.#places.set(document.id, place);
    this.totals.count(this.#drafts.lengths, place * this.#drafts.fields.length, 1);
  }

  /** @returns whether it was there */
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

  /** The documents that are there. */
  facts(): Iterable<DocumentFacts> {
    return this.#drafts.facts.values().filter((facts) => facts !== undefined);
  }

  /** The documents that are there and admitted. */
  *admitted(conditions: Conditions): Iterable<DocumentFacts> {
    for (const [place, facts] of this.#drafts.facts.entries()) {
      if (facts !== undefined && this.#admits(place, conditions)) yield facts;
    }
  }

  /** Returns a document by its id if it is there and admitted. */
  getAdmitted(id: number, conditions: Conditions): DocumentFacts | undefined {
    const place = this.#places.get(id);
    return place !== undefined && this.#admits(place, conditions)
      ? this.#drafts.facts[place]
      : undefined;
  }

  /** The facet terms of a document; nothing where it is not there. */
  facets(id: number): readonly string[] | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#drafts.facets[place];
  }

  /** Tells whether a document is there and holds a term. */
  holds(id: number, key: Key): boolean {
    const place = this.#places.get(id);
    return place !== undefined && this.#holds(place, key);
  }

  #holds(place: number, key: Key): boolean {
    const term = this.#drafts.term(key);
    const { starts, terms } = this.#drafts;
    return term >= 0 && terms.subarray(starts[place], starts[place + 1]).includes(term);
  }

  /** Tells which of some pairs of neighbouring words a document holds; none where it is not there. */
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

  /** @returns whether it is there; see Segment.readTerms */
  readTerms(id: number, vocabulary: Vocabulary, take: TakeTerm): boolean {
    const place = this.#places.get(id);
    if (place === undefined) return false;
    const { fields, starts, terms, packed } = this.#drafts;
    for (let at = starts[place]!; at < starts[place + 1]!; at++) {
      const row = vocabulary.row(this.#drafts.key(terms[at]!));
      if (row < 0) continue;
      take(row, unpackWeighted(fields, packed[at]!).reduce((sum, count) => sum + count, 0));
    }
    return true;
  }

  /** Returns the number of present documents that hold a term. */
  frequency(key: Key): number {
    const term = this.#drafts.term(key);
    return term < 0 ? 0 : this.#drafts.frequencies[term]!;
  }

  /** The documents that hold a term. */
  *holding(key: Key): Iterable<DocumentFacts> {
    const { facts } = this.#drafts;
    const list = this.#listOf(key);
    for (let at = 0; at < list.length; at += 2) {
      const document = facts[list[at]!];
      if (document !== undefined) yield document;
    }
  }

  /** A segment of the documents that are there. */
  assemble(averages: Float64Array): SharedArrayBuffer {
    return this.#drafts.assemble(averages);
  }

  /** The documents that hold any of the terms and are admitted, with their scores. */
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
    const holding: number[] = [];
    for (const forms of Map.groupBy(terms, ({ word }) => word).values()) {
      const places: number[] = [];
      for (const term of forms) this.#addUp(term, { sums, places, ...statistics });
      for (const place of places) {
        if (scores[place] === 0) holding.push(place);
        scores[place]! += forms[0]!.weight * sums[place]! / (sums[place]! + K);
        sums[place] = 0;
      }
    }
    const hits = holding.flatMap((place) => {
      return this.#admits(place, conditions)
        ? [{ facts: facts[place]!, score: scores[place]! }]
        : [];
    });
    return new TailHits(hits);
  }

  /** Adds a term's weighted occurrences by place, and the places where there were none so far. */
  #addUp(
    { key }: Term,
    { sums, places, factors }: { sums: Float64Array; places: number[]; factors: Float64Array },
  ): void {
    const { fields, lengths } = this.#drafts;
    const list = this.#listOf(key);
    for (let at = 0; at < list.length; at += 2) {
      const place = list[at]!;
      if (sums[place] === 0) places.push(place);
      const weighted = unpackWeighted(fields, list[at + 1]!);
      for (let field = 0; field < fields.length; field++) {
        const code = lengths[place * fields.length + field]!;
        if (weighted[field] !== 0) sums[place]! += weighted[field]! * factors[field * 256 + code]!;
      }
    }
  }

  #listOf(key: Key): readonly number[] {
    const { starts, terms, packed, facts } = this.#drafts;
    for (; this.#listed < facts.length; this.#listed++) {
      for (let at = starts[this.#listed]!; at < starts[this.#listed + 1]!; at++) {
        (this.#lists[terms[at]!] ??= []).push(this.#listed, packed[at]!);
      }
    }
    const term = this.#drafts.term(key);
    return term < 0 ? [] : this.#lists[term] ?? [];
  }
}

interface TailHit {
  facts: DocumentFacts;
  score: number;
}

/** Everything that the tail has to offer to one search. */
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

  /** Tells whether it has anything to offer of a company. */
  hasCompany(companyId: number): boolean {
    return this.#hitsOf(companyId).length > 0;
  }

  #hitsOf(companyId: number): readonly TailHit[] {
    if (this.#hits.length === 0) return this.#hits;
    this.#byCompany ??= Map.groupBy(this.#hits, ({ facts }) => facts.company_id);
    return this.#byCompany.get(companyId) ?? [];
  }
}
