/**
 * Answers requests that need no scores: looks up documents by id and terms by text, and lists the
 * latest documents.
 */
import type { CompanyHit, CompanyLimits, ObservationHit } from "./collecting.ts";
import {
  FACET_SPACE,
  findHash,
  hashCompany,
  HOSTNAME_SPACE,
  type Key,
  keyOf,
  keysOf,
  startOfTerm,
  textOfBytes,
} from "./dictionary.ts";
import { Admission, admitsFacts, type Conditions } from "./filters.ts";
import { FirstItems } from "./first_items.ts";
import { memoized } from "./memoized.ts";
import { holdsAny, type PairHashes } from "./pairs.ts";
import type { WholeDataset } from "./scoring.ts";
import type { DocumentFacts, Segment, TakeTerm } from "./segment.ts";
import {
  holdsTerm,
  type MarkOf,
  type RowPlaces,
  type SmallVocabulary,
  type Vocabulary,
} from "./segment_terms.ts";
import { lettersOfTerm, type NearTerm, startOfLetters } from "./spelling.ts";
import type { Tail } from "./tail.ts";

/** Max number of cached near forms. A search looks up each of its near forms several times. */
const NEAR_FORMS_MAX = 4_096;

/** Location of a document: its segment, and its number in the segment. */
interface DocumentLocation {
  segment: Segment;
  document: number;
}

/**
 * Looks up the documents and terms of an index. An instance is valid until the next change of the
 * index.
 */
export class DocumentLookup {
  readonly #segments: readonly Segment[];
  readonly #tail: Tail;
  readonly #whole: WholeDataset | undefined;
  /** Places of the documents that searches have scored. The places save a binary search by id. */
  readonly places = new DocumentPlaces();
  /**
   * Id of the last document that was looked up, because a search reads each document several times.
   */
  #lastId = NaN;
  #lastPlace = -1;
  /** Number of searches for documents by their ids. */
  #searches = 0;
  readonly #nearWords = new Map<string, string | undefined>();

  constructor(segments: readonly Segment[], tail: Tail, whole?: WholeDataset) {
    this.#segments = segments;
    this.#tail = tail;
    this.#whole = whole;
  }

  /** Returns the facts of a document; undefined if it is absent. */
  get(id: number): DocumentFacts | undefined {
    const place = this.#placeOf(id);
    return place < 0 ? this.#tail.get(id) : this.#segmentOf(place).facts(documentOf(place));
  }

  /** Returns a document by its id if conditions admit it. */
  getAdmitted(id: number, conditions: Conditions): DocumentFacts | undefined {
    const location = this.find(id);
    if (location === undefined) return this.#tail.getAdmitted(id, conditions);
    const { segment, document } = location;
    const facts = segment.facts(document);
    const holds = (term: Key) => holdsTerm(segment, document, term);
    return admitsFacts(conditions, facts, holds) ? facts : undefined;
  }

  /** Returns the facet terms of a document in the order of their code units; none if it is absent. */
  facetsOf(id: number): readonly string[] {
    const place = this.#placeOf(id);
    if (place >= 0) return this.#segmentOf(place).facets.of(documentOf(place));
    return [...new Set(this.#tail.facets(id))].sort();
  }

  /** Returns the combined marks of a document's facets; 0 if it is absent. */
  facetMarksOf(id: number, markOf: MarkOf): number {
    const place = this.#placeOf(id);
    if (place >= 0) return this.#segmentOf(place).facets.marks(documentOf(place), markOf);
    return (this.#tail.facets(id) ?? []).reduce((marks, facet) => marks | markOf(facet), 0);
  }

  /** Returns the sectors of a document as a bit mask; 0 if it is absent. */
  sectorsOf(id: number): number {
    const place = this.#placeOf(id);
    if (place < 0) return this.#tail.get(id)?.sectors ?? 0;
    return this.#segmentOf(place).sectors(documentOf(place));
  }

  /** Tells whether a document contains a term. */
  holds(id: number, key: Key): boolean {
    const place = this.#placeOf(id);
    if (place < 0) return this.#tail.holds(id, key);
    return holdsTerm(this.#segmentOf(place), documentOf(place), key);
  }

  /**
   * Tells for each pair of words whether the document's Bloom filter contains it (pairs.ts). There
   * may be false positives.
   */
  pairsHeld(id: number, pairs: PairHashes): boolean[] {
    const place = this.#placeOf(id);
    if (place < 0) return this.#tail.pairsHeld(id, pairs);
    const { parts } = this.#segmentOf(place);
    return pairs.map((hashes) => holdsAny(parts, documentOf(place), hashes));
  }

  /** Returns the location of a document in a segment; undefined if it is in the tail or absent. */
  find(id: number): DocumentLocation | undefined {
    const place = this.#placeOf(id);
    return place < 0 ? undefined : { segment: this.#segmentOf(place), document: documentOf(place) };
  }

  /** Returns the place of a document in a segment; -1 if it is in the tail or absent. */
  #placeOf(id: number): number {
    if (id === this.#lastId) return this.#lastPlace;
    const known = this.places.get(id);
    this.#lastId = id;
    return this.#lastPlace = known >= 0 ? known : this.#search(id);
  }

  #search(id: number): number {
    for (let at = 0; at < this.#segments.length; at++) {
      const document = this.#segments[at]!.find(id);
      if (document < 0) continue;
      const place = placeOf(at, document);
      // The first place is not cached, because a writer looks up only one document before the next
      // change makes this object invalid.
      if (this.#searches++ > 0) this.places.note(id, place);
      return place;
    }
    return -1;
  }

  #segmentOf(place: number): Segment {
    return this.#segments[segmentOf(place)]!;
  }

  /**
   * Counts the documents that contain any form of a folded word. Adds up the counts of all
   * languages.
   */
  readonly wordFrequency = memoized((word) =>
    keysOf(word).reduce((sum, key) => sum + this.frequency(key), 0)
  );

  /** Counts the documents that contain a facet term. */
  readonly facetFrequency = memoized((facet) => this.frequency(keyOf(FACET_SPACE, facet)));

  /**
   * Returns the nearest form of a word. The form is cached, because reading a query needs it
   * several times.
   */
  nearWordOf(word: string, find: () => string | undefined): string | undefined {
    if (this.#nearWords.has(word)) return this.#nearWords.get(word);
    if (this.#nearWords.size === NEAR_FORMS_MAX) this.#nearWords.clear();
    const near = find();
    this.#nearWords.set(word, near);
    return near;
  }

  /** Counts the documents that contain a term. */
  frequency(key: Key): number {
    if (this.#whole !== undefined) return this.#whole.frequency(key);
    let count = this.#tail.frequency(key);
    for (const segment of this.#segments) {
      const term = segment.term(key);
      if (term >= 0) count += segment.frequency(term);
    }
    return count;
  }

  /** Lists the texts of near terms, with their spaces: see spelling.ts. */
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

  /**
   * Calls `take` for each term of a document that is in a vocabulary, with its row and its weighted
   * occurrences.
   */
  readTerms(id: number, vocabulary: Vocabulary, take: TakeTerm): void {
    const place = this.#placeOf(id);
    if (place < 0) this.#tail.readTerms(id, vocabulary, take);
    else this.#segmentOf(place).readTerms(documentOf(place), vocabulary, take);
  }

  /**
   * Returns a number for each term of a small vocabulary. The number is negative if the document
   * does not contain the term. The result is valid until the next call.
   */
  termsHeld(id: number, vocabulary: SmallVocabulary): RowPlaces {
    const place = this.#placeOf(id);
    if (place < 0) return this.#tail.termsHeld(id, vocabulary);
    return this.#segmentOf(place).termsHeld(documentOf(place), vocabulary);
  }

  /** Returns the companies of the unexpired documents that have a hostname. */
  companiesWithHostname(hostname: string, now: number): Set<number> {
    return this.#companiesHolding(keyOf(HOSTNAME_SPACE, hostname), now);
  }

  /** Returns the companies of the unexpired documents that contain a facet term. */
  companiesWithFacet(facet: string, now: number): Set<number> {
    return this.#companiesHolding(keyOf(FACET_SPACE, facet), now);
  }

  #companiesHolding(key: Key, now: number): Set<number> {
    if (this.#whole !== undefined) return new Set(this.#whole.companiesHolding(key));
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

  /** Returns the lowest ids of admitted documents, in ascending order. */
  list(conditions: Conditions, limit: number): number[] {
    const listed: number[] = [];
    for (const segment of this.#segments) {
      const admission = new Admission(segment, conditions);
      const { ids, byId } = segment.parts;
      const max = Math.min(admission.count, limit);
      for (let place = 0, count = 0; place < segment.size && count < max; place++) {
        if (!admission.admits(byId[place]!)) continue;
        listed.push(ids[byId[place]!]!);
        count++;
      }
    }
    for (const { id } of this.#tail.admitted(conditions)) listed.push(id);
    return listed.sort((a, b) => a - b).slice(0, limit);
  }
}

type Occurrence = Pick<DocumentFacts, "id" | "company_id" | "occurred">;

/** Lists the admitted documents of an index, the latest first. */
export class Listing {
  readonly #segments: readonly { segment: Segment; admission: Admission }[];
  readonly #tail: readonly DocumentFacts[];

  constructor(
    { segments, tail, companies }: {
      segments: readonly Segment[];
      tail: Tail;
      /**
       * Companies of the conditions, by the segments that may contain them; absent: any segment
       * may.
       */
      companies?: readonly (readonly number[])[];
    },
    conditions: Conditions,
  ) {
    this.#segments = segments
      .map((segment, place) => ({
        segment,
        admission: new Admission(segment, conditions, companies?.[place]),
      }))
      .filter(({ admission }) => admission.count > 0);
    this.#tail = [...tail.admitted(conditions)];
  }

  /** Returns the latest documents. Their score is 0. */
  documents(limit: number): ObservationHit[] {
    return this.#first(limit).map(hitOf);
  }

  /**
   * Returns the companies with the latest documents, each with its latest documents. Their score is
   * 0.
   */
  companies(limits: CompanyLimits): CompanyHit[] {
    const limit = limits.observations_per_company;
    const { groups, isAll } = this.#firstByCompany(limits.companies);
    return groups.map(({ company_id, documents }) => ({
      company_id,
      score: 0,
      observations: isAll || documents.length >= limit
        ? documents.slice(0, limit).map(hitOf)
        : this.#ofCompany(company_id, limit),
    }));
  }

  /**
   * Lists more and more documents until they belong to enough companies. Returns the listed
   * documents of the first companies, and whether all admitted documents are listed.
   */
  #firstByCompany(
    limit: number,
  ): { groups: { company_id: number; documents: Occurrence[] }[]; isAll: boolean } {
    for (let count = 8 * limit; limit > 0; count *= 8) {
      const first = this.#first(count);
      const isAll = first.length < count;
      const groups = new Map<number, { company_id: number; documents: Occurrence[] }>();
      for (const document of first) {
        const { company_id } = document;
        const group = groups.get(company_id);
        if (group === undefined) groups.set(company_id, { company_id, documents: [document] });
        else group.documents.push(document);
      }
      if (isAll || groups.size >= limit) {
        return { groups: [...groups.values()].slice(0, limit), isAll };
      }
    }
    return { groups: [], isAll: true };
  }

  #first(limit: number): Occurrence[] {
    const newest = new FirstItems<Occurrence>(limit, compareOccurrences);
    for (const { segment, admission } of this.#segments) {
      const { ids } = segment.parts;
      admission.each((document) => {
        const occurred = segment.occurred(document);
        if (newest.last !== undefined && occurred < newest.last.occurred) return;
        newest.add({ id: ids[document]!, company_id: segment.companyId(document), occurred });
      });
    }
    for (const facts of this.#tail) newest.add(facts);
    return newest.list();
  }

  #ofCompany(companyId: number, limit: number): ObservationHit[] {
    const newest = new FirstItems<Occurrence>(limit, compareOccurrences);
    for (const { segment, admission } of this.#segments) {
      const { ids, companyStarts, companyDocuments } = segment.parts;
      const company = segment.company(companyId);
      if (company < 0) continue;
      for (let at = companyStarts[company]!; at < companyStarts[company + 1]!; at++) {
        const document = companyDocuments[at]!;
        if (!admission.admits(document)) continue;
        newest.add({
          id: ids[document]!,
          company_id: companyId,
          occurred: segment.occurred(document),
        });
      }
    }
    for (const facts of this.#tail) if (facts.company_id === companyId) newest.add(facts);
    return newest.list().map(hitOf);
  }
}

/**
 * Orders documents by descending occurrence, then by id. It does not subtract occurrences, because
 * -Infinity minus -Infinity is NaN.
 */
function compareOccurrences(a: Occurrence, b: Occurrence): number {
  if (a.occurred !== b.occurred) return a.occurred > b.occurred ? -1 : 1;
  return a.id - b.id;
}

function hitOf({ id, company_id }: Occurrence): ObservationHit {
  return { observation_id: id, company_id, score: 0 };
}

/** Max number of cached places. */
const PLACES_MAX = 4_096;

/**
 * Number of slots of a table after its first document was added. A table has at least twice as many
 * slots as documents.
 */
const FIRST_SLOTS = 64;

/** Arrays of an empty table. */
const NO_IDS = new Float64Array(1);

const NO_PLACES = new Uint32Array(1);

/**
 * Number of the lower bits of a place, which contain the document. The upper bits contain the
 * position of its segment.
 */
const DOCUMENT_BITS = 16;

/** Returns a place as one number. */
export function placeOf(segment: number, document: number): number {
  return segment * 2 ** DOCUMENT_BITS + document;
}

/** Returns the position of the segment of a place. */
export function segmentOf(place: number): number {
  return place >>> DOCUMENT_BITS;
}

/** Returns the document of a place in its segment. */
export function documentOf(place: number): number {
  return place & (2 ** DOCUMENT_BITS - 1);
}

/**
 * A hash table of places by id. A search scores hundreds of documents, and then reads each of them
 * several times. The table saves looking up a scored document by its id again.
 */
export class DocumentPlaces {
  /** Ids by slot; 0: free. */
  #ids = NO_IDS;
  #places = NO_PLACES;
  #size = 0;

  /** Returns the place of a document, or -1 if it is not known. */
  get(id: number): number {
    const slot = this.#slot(id);
    return this.#ids[slot] === id ? this.#places[slot]! : -1;
  }

  /** Caches the place of a document. If there are too many, all other places are dropped first. */
  note(id: number, place: number): void {
    let slot = this.#slot(id);
    if (this.#ids[slot] !== id) {
      if (2 * (this.#size + 1) > this.#ids.length) {
        this.#makeRoom();
        slot = this.#slot(id);
      }
      this.#size++;
    }
    this.#ids[slot] = id;
    this.#places[slot] = place;
  }

  #makeRoom(): void {
    const [ids, places] = [this.#ids, this.#places];
    this.#size = 0;
    if (ids.length >= 2 * PLACES_MAX) {
      ids.fill(0);
      return;
    }
    const slots = Math.max(FIRST_SLOTS, 2 * ids.length);
    this.#ids = new Float64Array(slots);
    this.#places = new Uint32Array(slots);
    ids.forEach((id, slot) => {
      if (id !== 0) this.note(id, places[slot]!);
    });
  }

  /** Returns the slot of a document, or the free slot for it. */
  #slot(id: number): number {
    const mask = this.#ids.length - 1;
    let slot = hashCompany(id) & mask;
    while (this.#ids[slot] !== 0 && this.#ids[slot] !== id) slot = (slot + 1) & mask;
    return slot;
  }
}
