/** Looks up documents by their ids, and terms by their texts, in the segments and the tail. */
import { facetNameBit } from "../document.ts";
import { memoized } from "../memoized.ts";
import { Admission, admitsFacts, type Conditions } from "./admission.ts";
import {
  FACET_SPACE,
  findHash,
  HOSTNAME_SPACE,
  type Key,
  keyOf,
  startOfTerm,
  textOfBytes,
} from "./dictionary.ts";
import type { DocumentFacts } from "./drafts.ts";
import { holdsTerm } from "./forward.ts";
import { holdsAny, type PairHashes } from "./pairs.ts";
import { stemsOf } from "./question.ts";
import type { Segment, TakeTerm } from "./segment.ts";
import { lettersOfTerm, type NearTerm, startOfLetters } from "./spellings.ts";
import type { Tail } from "./tail.ts";
import type { HoldsRow, SmallVocabulary, Vocabulary } from "./term_rows.ts";

/** Documents, and frequencies, that are remembered: a search asks for each of them several times. */
const REMEMBERED_MAX = 4_096;

interface Place {
  segment: Segment;
  document: number;
}

/** The documents of an index until its next change. */
export class HeldDocuments {
  readonly #segments: readonly Segment[];
  readonly #tail: Tail;
  readonly #places = new Map<number, Place>();
  readonly #nearWords = new Map<string, string | undefined>();

  constructor(segments: readonly Segment[], tail: Tail) {
    this.#segments = segments;
    this.#tail = tail;
  }

  /** Returns what is known of a document beside its words. */
  get(id: number): DocumentFacts | undefined {
    const place = this.#find(id);
    return place === undefined ? this.#tail.get(id) : place.segment.facts(place.document);
  }

  /** Returns a document by its id if conditions admit it. */
  getAdmitted(id: number, conditions: Conditions): DocumentFacts | undefined {
    const place = this.#find(id);
    if (place === undefined) return this.#tail.getAdmitted(id, conditions);
    const { segment, document } = place;
    const facts = segment.facts(document);
    const holds = (term: Key) => holdsTerm(segment, document, term);
    return admitsFacts(conditions, facts, holds) ? facts : undefined;
  }

  /** Returns the facet terms of a document in the order of their code units; none if it is absent. */
  facetsOf(id: number): readonly string[] {
    const place = this.#find(id);
    if (place !== undefined) return place.segment.facets.of(place.document);
    return [...new Set(this.#tail.facets(id))].sort();
  }

  /** Returns the bits of the names of a document's facets (see facetNameBit); 0 if it is absent. */
  facetNamesOf(id: number): number {
    const place = this.#find(id);
    if (place !== undefined) return place.segment.facets.names(place.document);
    return (this.#tail.facets(id) ?? []).reduce((bits, facet) => bits | facetNameBit(facet), 0);
  }

  /** Returns the sectors of a document as a bit mask; 0 if it is absent. */
  sectorsOf(id: number): number {
    const place = this.#find(id);
    if (place === undefined) return this.#tail.get(id)?.sectors ?? 0;
    return place.segment.sectors(place.document);
  }

  /** Tells whether a document holds a term. */
  holds(id: number, key: Key): boolean {
    const place = this.#find(id);
    if (place === undefined) return this.#tail.holds(id, key);
    return holdsTerm(place.segment, place.document, key);
  }

  /** Tells which of some pairs of neighbouring words a document holds: see pairs.ts. */
  pairsHeld(id: number, pairs: PairHashes): boolean[] {
    const place = this.#find(id);
    if (place === undefined) return this.#tail.pairsHeld(id, pairs);
    return pairs.map((own) => holdsAny(place.segment.parts, place.document, own));
  }

  /** Returns where a document of a segment stands; nothing for one of the tail. */
  #find(id: number): Place | undefined {
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    for (const segment of this.#segments) {
      const document = segment.find(id);
      if (document < 0) continue;
      const place = { segment, document };
      if (this.#places.size === REMEMBERED_MAX) this.#places.clear();
      this.#places.set(id, place);
      return place;
    }
  }

  /** Counts the documents that hold a folded word in any form, in each language. */
  readonly wordFrequency = memoized((word) =>
    stemsOf(word).reduce((sum, stem, space) => sum + this.frequency(keyOf(space, stem)), 0)
  );

  /** Counts the documents that hold a facet term. */
  readonly facetFrequency = memoized((facet) => this.frequency(keyOf(FACET_SPACE, facet)));

  /** Returns the nearest form of a word, which a request asks for whenever it reads its query. */
  nearWordOf(word: string, find: () => string | undefined): string | undefined {
    if (this.#nearWords.has(word)) return this.#nearWords.get(word);
    if (this.#nearWords.size === REMEMBERED_MAX) this.#nearWords.clear();
    const near = find();
    this.#nearWords.set(word, near);
    return near;
  }

  /** Counts the documents that hold a term. */
  frequency(key: Key): number {
    let count = this.#tail.frequency(key);
    for (const segment of this.#segments) {
      const term = segment.term(key);
      if (term >= 0) count += segment.frequency(term);
    }
    return count;
  }

  /** Lists the words and names of entries: see spellings.ts. */
  textsOf(near: readonly NearTerm[]): { space: number; text: string }[] {
    const dictionaries = [...this.#segments.map(({ parts }) => parts), this.#tail.table];
    return near.flatMap(({ hash, letters }) => {
      for (const dictionary of dictionaries) {
        const { termBytes } = dictionary;
        const term = findHash(
          dictionary,
          hash,
          (start, end) => lettersOfTerm(termBytes, start, end) === letters,
        );
        if (term < 0) continue;
        const start = startOfTerm(dictionary, term);
        const text = textOfBytes(
          termBytes,
          startOfLetters(termBytes, start),
          startOfTerm(dictionary, term + 1),
        );
        return [{ space: termBytes[start]!, text }];
      }
      return [];
    });
  }

  /** Takes the terms of a document that a vocabulary has, with their weighted occurrences. */
  readTerms(id: number, vocabulary: Vocabulary, take: TakeTerm): void {
    const place = this.#find(id);
    if (place === undefined) this.#tail.readTerms(id, vocabulary, take);
    else place.segment.readTerms(place.document, vocabulary, take);
  }

  /** Tells which terms of a small vocabulary a document holds: none if it is absent. */
  termsHeld(id: number, vocabulary: SmallVocabulary): HoldsRow {
    const place = this.#find(id);
    if (place !== undefined) return place.segment.termsHeld(place.document, vocabulary);
    const rows = new Set<number>();
    this.#tail.readTerms(id, vocabulary, (row) => rows.add(row));
    return (row) => rows.has(row);
  }

  /** The companies of the documents that support a hostname and have not expired. */
  companiesWithHostname(hostname: string, now: number): Set<number> {
    return this.#companiesHolding(keyOf(HOSTNAME_SPACE, hostname), now);
  }

  /** The companies of the documents that hold a facet term and have not expired. */
  companiesWithFacet(facet: string, now: number): Set<number> {
    return this.#companiesHolding(keyOf(FACET_SPACE, facet), now);
  }

  #companiesHolding(key: Key, now: number): Set<number> {
    const companies = new Set<number>();
    for (const segment of this.#segments) {
      for (const document of segment.holding(segment.term(key))) {
        if (segment.expires(document) > now) companies.add(segment.companyId(document));
      }
    }
    for (const { company_id, expires } of this.#tail.holding(key)) {
      if (expires > now) companies.add(company_id);
    }
    return companies;
  }

  /** The first documents by id that are admitted. */
  list(conditions: Conditions, limit: number): number[] {
    const found: number[] = [];
    for (const segment of this.#segments) {
      const admission = new Admission(segment, conditions);
      const { ids, byId } = segment.parts;
      const most = Math.min(admission.count, limit);
      for (let place = 0, count = 0; place < segment.size && count < most; place++) {
        if (!admission.admits(byId[place]!)) continue;
        found.push(ids[byId[place]!]!);
        count++;
      }
    }
    for (const { id } of this.#tail.admitted(conditions)) found.push(id);
    return found.sort((a, b) => a - b).slice(0, limit);
  }
}
