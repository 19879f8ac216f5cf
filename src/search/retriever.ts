/** The seam behind which a search finds its candidates: today an index in this process. */
import type { Sql } from "../db/connect.ts";
import { Failure } from "../failures.ts";
import type { Log } from "../log.ts";
import type { Entry } from "../operations/action.ts";
import { blendObservations, type Nearness } from "./embeddings/blend.ts";
import type { Embeddings } from "./embeddings/embeddings.ts";
import type { SearchFilters } from "./filters.ts";
import { Follower } from "./follow.ts";
import { instantOf } from "../contract/instant.ts";
import { termsOf } from "./engine/question.ts";
import type { Plan } from "./planning/plan.ts";
import { fuseObservations } from "./semantics/fuse.ts";
import type { SemanticModel } from "./semantics/model.ts";
import { shortlistCompanies } from "./shortlist.ts";

/** What a search freezes as its shortlist. */
export interface Retrieval {
  /** Best company first, each with its best matching observations, best first. */
  entries: Entry[];
  retrieval: "lexical" | "hybrid";
  /** What the caller should know of this retrieval: `hybrid_unavailable`, or nothing. */
  limitations: string[];
  /** Whether a source has just been asked; absent where none was. */
  asked_sources?: boolean;
  /** So many companies, or observations, words have found; what only lies near is not counted. */
  found_by_words: number;
}

interface Question {
  plan: Plan;
  /** As the caller wrote it, to be embedded; absent: nothing is. */
  query?: string;
  filters: SearchFilters;
  /** What has expired by then is left out. Absent: the database's time, since replicas' differ. */
  now?: Date;
}

export interface RetrievalRequest extends Question {
  /** At most so many companies, and so many observations of each. */
  companies: number;
  observations_per_company: number;
}

export interface ObservationRetrievalRequest extends Question {
  /** At most so many. */
  observations: number;
}

export interface Retriever {
  /** Whether the dataset has been loaded. */
  readonly ready: boolean;
  /**
   * The database's time as of the last change that was asked for, which replicas agree on.
   *
   * @throws Failure retrieval_unavailable before the dataset is loaded
   */
  readonly now: Date;
  /**
   * Finds the companies that match a plan within filters. A plan without terms finds nothing, nor
   * does one whose terms occur nowhere, unless it names a kind or a hostname, or the query lies near
   * an observation by its vector: nearer than chance brings one (vectors/estimates.ts). Replicas that
   * have followed equally far answer equally.
   *
   * @throws Failure retrieval_unavailable before the dataset is loaded
   */
  search(request: RetrievalRequest): Promise<Retrieval>;
  /** Finds single observations: every entry holds one, best first. Otherwise as `search`. */
  searchObservations(request: ObservationRetrievalRequest): Promise<Retrieval>;
  /**
   * Loads the dataset and goes on following its changes. Resolves when the load is complete; a
   * database that fails is asked again, for as long as it takes.
   */
  start(): Promise<void>;
  /**
   * Catches up now: everything committed before the call can be found when it resolves.
   *
   * @throws whatever the database throws
   */
  refresh(): Promise<void>;
  /** Stops following. What is loaded can still be searched. */
  close(): Promise<void>;
}

export interface RetrieverOptions {
  sql: Sql;
  log: Log;
  /** How often changes are asked for. */
  poll_milliseconds?: number;
  /** Where the index is saved, so that a restart need not build it; absent: nowhere. */
  snapshot_path?: string;
  /** Whose vectors rank with words; its opener starts and closes it. Absent: the learned model. */
  embeddings?: Embeddings;
}

/** Words alone answer where an endpoint fails; the learned model ranks where there are no vectors. */
interface Ranking {
  nearness?: Nearness;
  model?: SemanticModel;
  facts: Pick<Retrieval, "retrieval" | "limitations">;
}

/** A retriever over an index in memory that follows the dataset's changes. */
export function createRetriever(options: RetrieverOptions): Retriever {
  const follower = new Follower(options);
  const loadedIndex = () => {
    if (follower.index === undefined) throw new Failure("retrieval_unavailable");
    return follower.index;
  };
  const ask = ({ plan, filters, now }: Question) => ({
    words: plan.terms,
    filters,
    now: now ? instantOf(now) : follower.now,
  });
  const rankingOf = async (question: Question): Promise<Ranking> => {
    const { query, plan } = question;
    const nearness = query === undefined || plan.terms.length === 0
      ? undefined
      : await options.embeddings?.nearTo(loadedIndex(), { query, ...ask(question) });
    if (nearness === "unavailable") {
      return { facts: { retrieval: "lexical", limitations: ["hybrid_unavailable"] } };
    }
    const { model } = follower.semantics;
    const isHybrid = nearness !== undefined || model !== undefined;
    const retrieval = isHybrid ? "hybrid" : "lexical";
    return { nearness, model, facts: { retrieval, limitations: [] } };
  };
  return {
    get ready() {
      return follower.index !== undefined;
    },
    get now() {
      loadedIndex();
      return new Date(follower.now);
    },
    async search({ companies, observations_per_company, ...question }) {
      const { nearness, model, facts } = await rankingOf(question);
      const { filters, now } = ask(question);
      const limits = { companies, observations_per_company };
      const request = { plan: question.plan, filters, now, nearness, model, ...limits };
      const shortlist = shortlistCompanies(loadedIndex(), request);
      const entries = shortlist.companies.map(({ company_id, observations }) => ({
        company_id,
        observation_ids: observations.map(({ observation_id }) => observation_id),
      }));
      return { entries, found_by_words: shortlist.found_by_words, ...facts };
    },
    async searchObservations({ observations, ...question }) {
      const { nearness, model, facts } = await rankingOf(question);
      const index = loadedIndex();
      const found = index.searchObservations({ ...ask(question), limit: observations });
      const keys = termsOf(question.plan.terms).map(({ key }) => key);
      const ranked = nearness !== undefined
        ? blendObservations(found, nearness, observations)
        : model === undefined
        ? found
        : fuseObservations(found, { index, model, keys });
      const entries = ranked.map(({ company_id, observation_id }) => ({
        company_id,
        observation_ids: [observation_id],
      }));
      return { entries, found_by_words: found.length, ...facts };
    },
    start: () => follower.start(),
    refresh: () => follower.refresh(),
    close: () => follower.close(),
  };
}
