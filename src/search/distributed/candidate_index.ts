/**
 * Index of the candidates of one search. The external search engine finds the candidates. They are
 * read from the database, and scored with the statistics of the whole dataset. The answers are
 * nearly those of an index of all documents: the search engine may miss a candidate or a spelling
 * correction.
 */
import type { Sql } from "../../db/sql.ts";
import { documentOf } from "../changes/changes.ts";
import type { CompanyHit, CompanyLimits, ObservationHit } from "../engine/collecting.ts";
import { ObservationIndex, type ObservationQuery } from "../index/observation_index.ts";
import { FACET_SPACE, keyOf, keyOfFacet, keysOf } from "../engine/dictionary.ts";
import { nearestName, nearestWord, oneErrorAway } from "../engine/spelling.ts";
import { type DatasetFacts, FactMissing } from "./dataset_facts.ts";
import { type CandidateRequest, candidateStatement } from "./candidate_sql.ts";
import type { WholeTables } from "./whole_tables.ts";

/**
 * Number of documents at which the tail would be sealed. It is never reached: a search adds a few
 * thousand documents at most.
 */
const TAIL_DOCUMENTS = 60_000;

/**
 * Max number of rounds in which facts are read (see dataset_facts.ts). A search usually takes about
 * five rounds.
 */
const ROUNDS_MAX = 200;

interface CandidateIndexOptions {
  engine: WholeTables;
  sql: Sql;
  /** Name of the distributed table. */
  table: string;
  facts: DatasetFacts;
}

/** An index that queries the search engine for candidates and facts while a search runs. */
export class CandidateIndex extends ObservationIndex {
  readonly #options: CandidateIndexOptions;
  readonly #facts: DatasetFacts;
  /** Statements for candidates that the search engine has answered. */
  readonly #answered = new Set<string>();
  /** Statements for candidates that are sent in the next round. */
  readonly #missing = new Set<string>();
  /**
   * Ids of the observations that have been read from the database, including those that may not be
   * shown.
   */
  readonly #read = new Set<number>();

  constructor(options: CandidateIndexOptions) {
    super({ tail_documents: TAIL_DOCUMENTS, merges: "elsewhere", whole: options.facts });
    this.#options = options;
    this.#facts = options.facts;
  }

  /**
   * Runs a computation that depends on the dataset, and repeats it until all facts are known.
   *
   * @throws Failure unavailable if the search engine or the database does not answer
   */
  async settle<Result>(compute: () => Result): Promise<Result> {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      let result: { value: Result } | undefined;
      try {
        result = { value: compute() };
      } catch (error) {
        if (!(error instanceof FactMissing)) throw error;
      }
      if (result !== undefined && !this.#facts.isMissing) return result.value;
      await Promise.all([this.#facts.read(), this.#readCandidates()]);
    }
    throw new Error("a search needs more rounds of facts than expected");
  }

  override get size(): number {
    return this.#facts.totals.documents;
  }

  override wordFrequency(word: string): number {
    // Until its frequency is read, a word counts as known, because an unknown word would be
    // corrected.
    return keysOf(word).reduce((sum, key) => sum + this.#facts.frequency(key, 1), 0);
  }

  override facetFrequency(facet: string): number {
    return this.#facts.frequency(keyOfFacet(facet));
  }

  override companiesWithFacet(facet: string): number[] {
    return [...this.#facts.companiesHolding(keyOfFacet(facet))];
  }

  /** Finds only words with one error, because the search engine cannot list words by a prefix. */
  override nearestWord(word: string): string | undefined {
    return nearestWord({
      frequency: (key) => this.#facts.frequency(key),
      mayHold: () => true,
      namesNear: () => [],
      stemsNear: () => [],
    }, word);
  }

  /** Finds only names with one error, because the search engine cannot list names by a prefix. */
  override nearestName(key: string): string | undefined {
    const frequency = (text: string) => this.#facts.frequency(keyOf(FACET_SPACE, `name:${text}`));
    return nearestName({
      frequency: (term) => this.#facts.frequency(term),
      mayHold: () => true,
      namesNear: (name) =>
        [...oneErrorAway(name)].filter((text) => frequency(text) > 0).map((text) => ({ text })),
      stemsNear: () => [],
    }, key);
  }

  override shortlist(request: ObservationQuery & CompanyLimits): CompanyHit[] {
    this.#require(request, request);
    return super.shortlist(request);
  }

  override listCompanies(
    request: Omit<ObservationQuery, "words"> & CompanyLimits,
  ): CompanyHit[] {
    this.#require({ ...request, words: [] }, request);
    return super.listCompanies(request);
  }

  override searchObservations(request: ObservationQuery & { limit: number }): ObservationHit[] {
    this.#require(request, { observations: request.limit });
    return super.searchObservations(request);
  }

  override listObservations(
    request: Omit<ObservationQuery, "words"> & { limit: number },
  ): ObservationHit[] {
    this.#require({ ...request, words: [] }, { observations: request.limit });
    return super.listObservations(request);
  }

  /** Checks that the candidates of a search have been read. @throws FactMissing if they have not */
  #require(question: ObservationQuery, limits: CandidateRequest["limits"]): void {
    const statement = candidateStatement({ question, limits }, this.#options);
    if (this.#facts.isMissing) throw new FactMissing();
    if (statement === null || this.#answered.has(statement)) return;
    this.#missing.add(statement);
    throw new FactMissing();
  }

  async #readCandidates(): Promise<void> {
    const statements = [...this.#missing];
    if (statements.length === 0) return;
    const answers = await this.#options.engine.search(statements);
    const ids = new Set(answers.flatMap(({ rows }) => rows.map(({ id }) => Number(id))));
    const fresh = [...ids].filter((id) => !this.#read.has(id));
    if (fresh.length > 0) await this.#put(fresh);
    for (const statement of statements) this.#answered.add(statement);
    this.#missing.clear();
  }

  /** Reads observations from the database and adds them to the index. */
  async #put(ids: readonly number[]): Promise<void> {
    // Each row is a separate text. A single text of all rows would be so large that it is allocated
    // in the old generation of the heap.
    const rows = await this.#options.sql<{ row: string }[]>`
      select row_to_json(r)::text as row from index_rows(${ids}) r
    `;
    for (const { row } of rows) {
      const document = documentOf(JSON.parse(row));
      if (document !== undefined) this.put(document);
    }
    for (const id of ids) this.#read.add(id);
  }
}
