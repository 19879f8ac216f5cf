/**
 * The observations of one replica in memory: documents go in and out by their id, words and filters
 * come in, scored observations and companies come out. It is an index of Orama with this engine
 * inside. Orama fills, saves and loads it; it is searched at the engine, since Orama's own search
 * knows no companies and reads every document that it finds.
 */
import { type AnyOrama, count, create, insert, load, remove, save } from "@orama/orama";
import type { ObservationDocument } from "../document.ts";
import type { SearchFilters } from "../../contract/filters.ts";
import type { HoldsRow, SmallVocabulary, Vocabulary } from "./term_rows.ts";
import type { TakeTerm } from "./segment.ts";
import type { ObservationHit } from "./collectors.ts";
import type { CompanyHit } from "./companies.ts";
import { keyOf } from "./dictionary.ts";
import { microsecondsOf } from "./instants.ts";
import type { MergeWork } from "./merge.ts";
import {
  conditionsOf,
  type KnownObservation,
  knownObservation,
  type Narrowing,
  narrows,
  OBSERVATION_FIELDS,
} from "./observation_document.ts";
import { OBSERVATION_SCHEMA, observationPlugin, observationRow } from "./observation_plugin.ts";
import { nearestName, nearestWord } from "./near_forms.ts";
import { hashPairs, type PairHashes } from "./pairs.ts";
import { segmentsOf } from "./plugin.ts";
import { type AskedWord, stemsOf } from "./question.ts";
import type { IndexOptions, IndexState, SegmentedIndex } from "./segmented_index.ts";

export type {
  AskedWord,
  CompanyHit,
  IndexOptions,
  IndexState,
  KnownObservation,
  MergeWork,
  ObservationHit,
};
export { OBSERVATION_FIELDS };

const FIELDS = Object.values(OBSERVATION_FIELDS);

/** Sealing takes longer than a request should wait, but four such segments make one of full size. */
const FILL_DOCUMENTS = 16_000;

/**
 * What both searches ask. Without words, a question that narrows lists what it admits: what occurred
 * last comes first, with a score of 0.
 */
export interface Question extends Narrowing {
  /** Folded words as `words` of tokens.ts makes them, any of which may match; at most 96 count. */
  words: readonly (string | AskedWord)[];
  /** Absent: everything is admitted. */
  filters?: SearchFilters;
  /** An instant (form: contract/instant.ts); what has expired by then is left out. */
  now?: string;
}

export class ObservationIndex {
  readonly #orama: AnyOrama;
  /** Hashes of pairs, and pairs of phrases, that are asked of one document after the other. */
  readonly #pairs = new WeakMap<readonly unknown[], PairHashes>();
  readonly #phrases = new WeakMap<readonly string[], (readonly [string, string])[]>();
  /** No observation expires before. */
  #nextExpiry = -Infinity;

  constructor(options?: IndexOptions) {
    this.#orama = create({ schema: OBSERVATION_SCHEMA, plugins: [observationPlugin(options)] });
  }

  /** One for a thread that fills it and answers nobody. */
  static toFill(): ObservationIndex {
    return new ObservationIndex({ tail_documents: FILL_DOCUMENTS });
  }

  /**
   * An index over the buffers of a state, without building anything.
   *
   * @throws Error where the state is of other fields
   */
  static of(state: IndexState, options?: IndexOptions): ObservationIndex {
    if (JSON.stringify(state.fields) !== JSON.stringify(FIELDS)) {
      throw new Error("the index holds other fields");
    }
    const index = new ObservationIndex(options);
    load(index.#orama, { ...save(index.#orama), index: state });
    return index;
  }

  get size(): number {
    return count(this.#orama);
  }

  /** An object that stands for all that the index holds: another one after every change. */
  get version(): object {
    return this.#index.held;
  }

  /** Bytes that the index holds, but for what the tail keeps in objects. */
  get memory(): number {
    return this.#index.memory;
  }

  /** Adds a document, in the place of an earlier one of the same observation. */
  put(document: ObservationDocument): void {
    if (this.#index.held.get(document.observation_id) !== undefined) {
      this.remove(document.observation_id);
    }
    insert(this.#orama, observationRow(document));
    const { expires_at } = document;
    if (expires_at !== null) {
      this.#nextExpiry = Math.min(this.#nextExpiry, microsecondsOf(expires_at));
    }
  }

  /** Takes an observation out; one that is not there is no error. */
  remove(observationId: number): void {
    remove(this.#orama, String(observationId));
  }

  get(observationId: number): KnownObservation | undefined {
    const facts = this.#index.held.get(observationId);
    return facts && knownObservation(facts);
  }

  /** What is known of an observation by its id, as long as filters admit it. */
  admitted(
    question: Omit<Question, "words">,
  ): (observationId: number) => KnownObservation | undefined {
    const conditions = conditionsOf(this.#index, question);
    return (observationId) => {
      const facts = this.#index.held.getAdmitted(observationId, conditions);
      return facts && knownObservation(facts);
    };
  }

  /** Lists admitted observations: what occurred last comes first, then the lower id. */
  listObservations(
    { limit, ...question }: Omit<Question, "words"> & { limit: number },
  ): ObservationHit[] {
    return this.#index.listNewest(conditionsOf(this.#index, question), limit);
  }

  /** Lists the companies of admitted observations, in the order of the first ones. */
  listCompanies(
    { companies, observations_per_company, ...question }: Omit<Question, "words"> & {
      companies: number;
      observations_per_company: number;
    },
  ): CompanyHit[] {
    const limits = { companies, observations_per_company };
    return this.#index.listCompanies(conditionsOf(this.#index, question), limits);
  }

  /** Returns the facet terms of an observation, sorted; none if it is not there. */
  facetsOf(observationId: number): readonly string[] {
    return this.#index.held.facetsOf(observationId);
  }

  /** Returns the bits of the names of an observation's facets (see facetNameBit in document.ts). */
  facetNamesOf(observationId: number): number {
    return this.#index.held.facetNamesOf(observationId);
  }

  /** Returns the sectors of an observation as a bit mask (see sectorMask); 0 if it is not there. */
  sectorsOf(observationId: number): number {
    return this.#index.held.sectorsOf(observationId);
  }

  /** Counts the observations that hold a facet term. */
  facetFrequency(facet: string): number {
    return this.#index.held.facetFrequency(facet);
  }

  /** Counts the observations that hold a folded word, in any form; one in two languages counts twice. */
  wordFrequency(word: string): number {
    return this.#index.held.wordFrequency(word);
  }

  /**
   * Tells which pairs of neighbouring words an observation holds in its name, fact and texts. About 3 %
   * of the pairs that it does not hold are reported as held: see pairs.ts.
   *
   * @param pairs folded words in their order, or single letters and digits: ["series", "a"]
   */
  pairsHeld(observationId: number, pairs: readonly (readonly [string, string])[]): boolean[] {
    let hashes = this.#pairs.get(pairs);
    if (hashes === undefined) this.#pairs.set(pairs, hashes = hashPairs(pairs));
    return this.#index.held.pairsHeld(observationId, hashes);
  }

  /** Tells whether an observation holds folded words side by side, in their order. */
  phraseHeld(observationId: number, phrase: readonly string[]): boolean {
    let pairs = this.#phrases.get(phrase);
    if (pairs === undefined) {
      pairs = phrase.slice(1).map((word, place) => [phrase[place]!, word] as const);
      this.#phrases.set(phrase, pairs);
    }
    if (phrase.length === 1) return this.#holdsWord(observationId, phrase[0]!);
    return this.pairsHeld(observationId, pairs).every((held) => held);
  }

  #holdsWord(observationId: number, word: string): boolean {
    const { held } = this.#index;
    return stemsOf(word).some((stem, space) => held.holds(observationId, keyOf(space, stem)));
  }

  /** Prepares near forms, about some milliseconds at a time. @returns whether nothing is left to do */
  prepareNearForms(milliseconds: number): boolean {
    return this.#index.prepareNearForms(milliseconds);
  }

  /** Returns the word of the index that a folded word may mean, misspelled: see near_forms.ts. */
  nearestWord(word: string): string | undefined {
    const index = this.#index;
    return index.held.nearWordOf(word, () => nearestWord(index.spelled, word));
  }

  /** Returns the key of a name (`name:` terms without their prefix) that a misspelled one may mean. */
  nearestName(key: string): string | undefined {
    return nearestName(this.#index.spelled, key);
  }

  /** Returns the companies that hold a facet term by an observation that has not expired by `now`. */
  companiesWithFacet(facet: string, now: string): number[] {
    return [...this.#index.held.companiesWithFacet(facet, microsecondsOf(now))];
  }

  /**
   * Takes out what has expired by `now`: scores depend on all documents, so that replicas agree only
   * while they hold the same ones.
   *
   * @param most about so many documents at once, of which a thousand take about a millisecond
   * @returns whether nothing is left that has expired
   */
  evictExpired(now: string, most = Infinity): boolean {
    const moment = microsecondsOf(now);
    if (moment >= this.#nextExpiry) this.#nextExpiry = this.#index.evict(moment, most);
    return moment < this.#nextExpiry;
  }

  /** The companies that hold a hostname by an observation that has not expired by `now`. */
  companiesWithHostname(hostname: string, now: string): number[] {
    return [...this.#index.held.companiesWithHostname(hostname, microsecondsOf(now))];
  }

  /** Takes the terms of an observation that a vocabulary has, with their weighted occurrences. */
  readTerms(observationId: number, vocabulary: Vocabulary, take: TakeTerm): void {
    this.#index.held.readTerms(observationId, vocabulary, take);
  }

  /** Tells which terms of a small vocabulary an observation holds. */
  termsHeld(observationId: number, vocabulary: SmallVocabulary): HoldsRow {
    return this.#index.held.termsHeld(observationId, vocabulary);
  }

  /** The best observations by score, then id. */
  searchObservations({ limit, ...question }: Question & { limit: number }): ObservationHit[] {
    const resolved = this.#resolve(question);
    if (lists(question)) return this.#index.listNewest(resolved.conditions, limit);
    return this.#index.search(resolved, limit);
  }

  /** The best companies by score, then id, each with its best observations: see companies.ts. */
  shortlist(
    { companies, observations_per_company, ...question }: Question & {
      companies: number;
      observations_per_company: number;
    },
  ): CompanyHit[] {
    const limits = { companies, observations_per_company };
    const resolved = this.#resolve(question);
    if (lists(question)) return this.#index.listCompanies(resolved.conditions, limits);
    return this.#index.shortlist(resolved, limits);
  }

  /** Turns the latest documents into a segment, so that segments hold everything. */
  seal(): void {
    this.#index.seal();
  }

  /** Seals, and merges what fits together. It takes seconds. */
  compact(): void {
    this.#index.compact();
  }

  /** Seals. What a snapshot saves and `of` takes; buffers are shared, not copied. */
  state(): IndexState {
    return save(this.#orama).index as IndexState;
  }

  /** What mergeSegments should do now, here or in another thread; nothing: none is due. */
  mergeable(): MergeWork | undefined {
    return this.#index.mergeable();
  }

  /**
   * Swaps the result of a merge in; what was taken out meanwhile stays out.
   *
   * @returns false where the index does not hold any more what was merged
   */
  adopt(work: MergeWork, merged: SharedArrayBuffer): boolean {
    return this.#index.adopt(work, merged);
  }

  /** Another one after `load`. */
  get #index(): SegmentedIndex {
    return segmentsOf(this.#orama);
  }

  #resolve({ words, ...conditions }: Question) {
    return { words, conditions: conditionsOf(this.#index, conditions) };
  }
}

function lists({ words, ...narrowing }: Question): boolean {
  return words.length === 0 && narrows(narrowing);
}
