/**
 * Interface by which a search finds its candidates. Two retrievers implement it: an index in this
 * process, and search nodes (distributed/distributed_retriever.ts).
 */
import { Failure } from "../failures.ts";
import type { DeliveryEntry } from "../operations/action.ts";
import type { Nearness } from "./embeddings/blend.ts";
import type { Embeddings } from "./embeddings/embeddings.ts";
import type { SearchFilters } from "../contract/filters.ts";
import type { CompanyHit, ObservationHit } from "./engine/collecting.ts";
import { type FollowerOptions, IndexFollower } from "./index_follower.ts";
import { nameOf } from "./reading/reading_cache.ts";
import { instantOf } from "../contract/instant.ts";
import { rankCompanies, rankObservations } from "./ranking/rank.ts";
import type { QueryReading } from "./reading/read_query.ts";
import { resolve } from "./reading/resolve.ts";
import type { SemanticModel } from "./semantics/model.ts";

/** Shortlist that a search freezes. */
export interface Retrieval {
  /** Companies with their best matching observations, both best first. */
  entries: DeliveryEntry[];
  retrieval: "lexical" | "hybrid";
  /** Codes of limitations, such as `hybrid_unavailable`; empty if there are none. */
  limitations: string[];
  /** True if the search has asked a source; absent if it has not. */
  asked_sources?: boolean;
  /**
   * Number of companies or observations that were found by words. Hits that only the vectors found
   * do not count.
   */
  found_by_words: number;
}

/** Parts that requests for companies and for observations have in common. */
interface CommonRequest {
  reading: QueryReading;
  /** Query as the caller wrote it, for its embedding vector. Absent: vectors are not used. */
  query?: string;
  filters: SearchFilters;
  /**
   * Time of the search: observations that have expired by then are left out. Absent: the database's
   * time, because the clocks of replicas differ.
   */
  now?: Date;
}

export interface RetrievalRequest extends CommonRequest {
  /** Max number of companies. */
  companies: number;
  observations_per_company: number;
}

export interface ObservationRetrievalRequest extends CommonRequest {
  /** Max number of observations. */
  observations: number;
}

/** Fields of a retrieval that state how it was ranked. */
type RankingFacts = Pick<Retrieval, "retrieval" | "limitations">;

/** Returns ranked companies as a shortlist. */
export function ofCompanies(
  { companies, found_by_words }: { companies: readonly CompanyHit[]; found_by_words: number },
  facts: RankingFacts,
): Retrieval {
  const entries = companies.map(({ company_id, observations }) => ({
    company_id,
    observation_ids: observations.map(({ observation_id }) => observation_id),
  }));
  return { entries, found_by_words, ...facts };
}

/** Returns ranked observations as a shortlist with one observation per entry. */
export function ofObservations(
  { observations, found_by_words }: {
    observations: readonly ObservationHit[];
    found_by_words: number;
  },
  facts: RankingFacts,
): Retrieval {
  const entries = observations.map(({ company_id, observation_id }) => ({
    company_id,
    observation_ids: [observation_id],
  }));
  return { entries, found_by_words, ...facts };
}

/** State of the index for monitoring. */
interface ServingState {
  /** Number of observations that can be found. */
  documents: number;
  /** Number of bytes in memory. */
  bytes: number;
  /** Seconds since the index last contained all changes of the dataset, or since its start. */
  lag_seconds: number;
  /** Completed share of a build, from 0 to 1; absent if none is under way. */
  progress?: number;
}

/** Finds and ranks the candidates of searches. */
export interface Retriever {
  readonly state: ServingState;
  /** True once the dataset has been loaded. */
  readonly ready: boolean;
  /** Reason why searches fail at present, for monitoring; absent if they do not fail. */
  readonly obstacle?: string;
  /**
   * Database's time of the last request for changes. All replicas share this clock.
   *
   * @throws Failure retrieval_unavailable before the dataset is loaded
   */
  readonly now: Date;
  /**
   * Finds the companies that answer a question within filters, by the rule of ranking/rank.ts.
   * Observations whose vectors are significantly near the query are found as well
   * (vectors/estimates.ts). Replicas that have read the same changes give the same answers.
   *
   * @throws Failure retrieval_unavailable before the dataset is loaded
   */
  search(request: RetrievalRequest): Promise<Retrieval>;
  /** Finds single observations as `search` finds companies. Each entry contains one observation. */
  searchObservations(request: ObservationRetrievalRequest): Promise<Retrieval>;
  /**
   * Loads the dataset and follows its changes. Resolves when the load is complete. If the database
   * fails, requests are retried without limit.
   */
  start(): Promise<void>;
  /**
   * Reads all changes. When it resolves, searches find everything that was committed before the
   * call.
   *
   * @throws any error of the database
   */
  refresh(): Promise<void>;
  /** Stops following. The loaded dataset can still be searched. */
  close(): Promise<void>;
}

/**
 * Returns the moment to which times in a query are relative: the database's time, if it is known.
 */
export function momentOf(
  retriever: Pick<Retriever, "ready" | "now">,
  now: (() => Date) | undefined,
): Date {
  return now?.() ?? (retriever.ready ? retriever.now : new Date());
}

interface RetrieverOptions extends FollowerOptions {
  /**
   * Vectors by which results are ranked in addition to words. The caller starts and closes them.
   * Absent: the learned model ranks.
   */
  embeddings?: Embeddings;
  /** Receives the duration of each search in seconds. */
  searched?: (seconds: number) => void;
}

/** Vectors, or else the learned model. If the endpoint of vectors fails, both are absent. */
interface Meaning {
  nearness?: Nearness;
  model?: SemanticModel;
  facts: RankingFacts;
}

/** Creates a retriever over an index in memory that follows the dataset's changes. */
export function createRetriever(options: RetrieverOptions): Retriever {
  const follower = new IndexFollower(options);
  const loadedIndex = () => {
    if (follower.index === undefined) throw new Failure("retrieval_unavailable");
    return follower.index;
  };
  const meaningOf = async (request: CommonRequest, now: string): Promise<Meaning> => {
    const { reading, query, filters } = request;
    // A query without content words, such as "Series A, Texas", is answered by facets alone. Its
    // vector would add nothing.
    const { words } = reading.planned ?? reading.question;
    const nearness = query === undefined || words.length === 0
      ? undefined
      : await options.embeddings?.nearTo(loadedIndex(), { query, filters, now });
    if (nearness === "unavailable") {
      return { facts: { retrieval: "lexical", limitations: ["hybrid_unavailable"] } };
    }
    const { model } = follower.semantics;
    const isHybrid = nearness !== undefined || model !== undefined;
    const retrieval = isHybrid ? "hybrid" : "lexical";
    return { nearness, model, facts: { retrieval, limitations: [] } };
  };
  /** Resolves the question by the index, and returns everything that ranking needs. */
  const prepare = async (request: CommonRequest) => {
    const now = request.now ? instantOf(request.now) : follower.now;
    const { nearness, model, facts } = await meaningOf(request, now);
    const index = loadedIndex();
    const question = resolve(request.reading, index);
    const limitations = question.corrections.length === 0
      ? facts.limitations
      : [...facts.limitations, "spelling_changed"];
    const ranked = { question, filters: request.filters, now, nearness, model };
    return { index, ranked, facts: { ...facts, limitations } };
  };
  const remembered = new ResultCache<Retrieval>(
    () => [loadedIndex().version, follower.semantics.model],
  );
  /**
   * Runs a search and measures its time. A repeated request is answered from memory while the index
   * and the model are unchanged. This does not apply if embeddings are used, or if the request sets
   * its own time (`now`). The removal of expired documents also counts as a change of the index.
   */
  const timed = async (
    request: RetrievalRequest | ObservationRetrievalRequest,
    find: () => Promise<Retrieval>,
  ): Promise<Retrieval> => {
    const started = performance.now();
    const isRepeatable = options.embeddings === undefined && request.now === undefined;
    const { reading, ...limits } = request;
    const retrieval = isRepeatable
      ? await remembered.get(`${nameOf(reading)}\n${JSON.stringify(limits)}`, find)
      : await find();
    options.searched?.((performance.now() - started) / 1000);
    return retrieval;
  };
  return {
    get state() {
      return {
        documents: follower.index?.size ?? 0,
        bytes: follower.index?.memory ?? 0,
        lag_seconds: follower.lagSeconds,
        progress: follower.progress,
      };
    },
    get ready() {
      return follower.index !== undefined;
    },
    get now() {
      loadedIndex();
      return new Date(follower.now);
    },
    search: (request) =>
      timed(request, async () => {
        const { index, ranked, facts } = await prepare(request);
        return ofCompanies(rankCompanies(index, { ...request, ...ranked }), facts);
      }),
    searchObservations: (request) =>
      timed(request, async () => {
        const { index, ranked, facts } = await prepare(request);
        return ofObservations(rankObservations(index, { ...request, ...ranked }), facts);
      }),
    start: () => follower.start(),
    refresh: () => follower.refresh(),
    close: () => follower.close(),
  };
}

/** Max number of remembered results. The oldest result is forgotten first. */
const RESULTS_MAX = 256;

/**
 * Remembers results by key until their state changes. A state lists the values on which results
 * depend. The values are compared by identity.
 */
export class ResultCache<Result> {
  readonly #read: () => readonly unknown[];
  #state: readonly unknown[] = [];
  readonly #results = new Map<string, Result>();

  /** @param read reads the present state */
  constructor(read: () => readonly unknown[]) {
    this.#read = read;
  }

  /** Returns the remembered result of a key in the present state, or else finds it. */
  async get(key: string, find: () => Promise<Result>): Promise<Result> {
    this.#forgetEarlier();
    const known = this.#results.get(key);
    if (known !== undefined) return known;
    const result = await find();
    // If the state has changed meanwhile, the result may mix both states.
    if (this.#forgetEarlier()) return result;
    const oldest = this.#results.keys().next();
    if (this.#results.size >= RESULTS_MAX) this.#results.delete(oldest.value!);
    this.#results.set(key, result);
    return result;
  }

  /** Forgets the results of an earlier state. @returns whether the state has changed */
  #forgetEarlier(): boolean {
    const state = this.#read();
    const before = this.#state;
    if (state.length === before.length && state.every((one, n) => one === before[n])) return false;
    this.#state = state;
    this.#results.clear();
    return true;
  }
}
