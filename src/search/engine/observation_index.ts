/**
 * The observations of one replica in memory: documents go in and out by their id, words and filters
 * come in, scored observations and companies come out. It is an index of Orama with this engine
 * inside. Orama fills, saves and loads it; it is searched at the engine, since Orama's own search
 * knows no companies and reads every document that it finds.
 */
import { type AnyOrama, count, create, insert, load, remove, save } from "@orama/orama";
import type { ObservationDocument } from "../document.ts";
import type { SearchFilters } from "../filters.ts";
import type { Vocabulary } from "./term_rows.ts";
import { admitsFacts } from "./admission.ts";
import type { TakeTerm } from "./segment.ts";
import type { ObservationHit } from "./collectors.ts";
import type { CompanyHit } from "./companies.ts";
import { microsecondsOf } from "./instants.ts";
import type { MergeWork } from "./merge.ts";
import {
  conditionsOf,
  type KnownObservation,
  knownObservation,
  OBSERVATION_FIELDS,
} from "./observation_document.ts";
import { OBSERVATION_SCHEMA, observationPlugin, observationRow } from "./observation_plugin.ts";
import { segmentsOf } from "./plugin.ts";
import type { IndexOptions, IndexState, SegmentedIndex } from "./segmented_index.ts";

export type { CompanyHit, IndexOptions, IndexState, KnownObservation, MergeWork, ObservationHit };
export { OBSERVATION_FIELDS };

const FIELDS = Object.values(OBSERVATION_FIELDS);

/** Sealing takes longer than a request should wait, and documents are merged once less. */
const FILL_DOCUMENTS = 4_000;

/** What both searches ask. */
export interface Question {
  /** Folded words as `words` of tokens.ts makes them, any of which may match; at most 32 count. */
  words: readonly string[];
  /** Absent: everything is admitted. */
  filters?: SearchFilters;
  /** An instant (form: contract/instant.ts); what has expired by then is left out. */
  now?: string;
}

export class ObservationIndex {
  readonly #orama: AnyOrama;
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

  /** Bytes that the index holds, but for what the tail keeps in objects. */
  get memory(): number {
    return this.#index.memory;
  }

  /** Adds a document, in the place of an earlier one of the same observation. */
  put(document: ObservationDocument): void {
    if (this.#index.get(document.observation_id) !== undefined) {
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
    const facts = this.#index.get(observationId);
    return facts && knownObservation(facts);
  }

  /** What is known of an observation by its id, as long as filters admit it. */
  admitted(
    question: Pick<Question, "filters" | "now">,
  ): (observationId: number) => KnownObservation | undefined {
    const conditions = conditionsOf(this.#index, question);
    return (observationId) => {
      const facts = this.#index.get(observationId);
      return facts && admitsFacts(conditions, facts) ? knownObservation(facts) : undefined;
    };
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
    return [...this.#index.companiesWithHostname(hostname, microsecondsOf(now))];
  }

  /** Takes the terms of an observation that a vocabulary has, with their weighted occurrences. */
  readTerms(observationId: number, vocabulary: Vocabulary, take: TakeTerm): void {
    this.#index.readTerms(observationId, vocabulary, take);
  }

  /** The best observations by score, then id. */
  searchObservations({ limit, ...question }: Question & { limit: number }): ObservationHit[] {
    return this.#index.search(this.#resolve(question), limit);
  }

  /** The best companies by score, then id, each with its best observations: see companies.ts. */
  shortlist(
    { companies, observations_per_company, ...question }: Question & {
      companies: number;
      observations_per_company: number;
    },
  ): CompanyHit[] {
    const limits = { companies, observations_per_company };
    return this.#index.shortlist(this.#resolve(question), limits);
  }

  /** Turns the latest documents into a segment, so that segments hold everything. */
  seal(): void {
    this.#index.seal();
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

  #resolve({ words, filters, now }: Question) {
    return { words, conditions: conditionsOf(this.#index, { filters, now }) };
  }
}
