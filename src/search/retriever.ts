/** The seam behind which a search finds its candidates: today an index in this process. */
import type { Sql } from "../db/connect.ts";
import { Failure } from "../failures.ts";
import type { Log } from "../log.ts";
import type { Entry } from "../operations/action.ts";
import type { SearchFilters } from "./filters.ts";
import { Follower } from "./follow.ts";
import { instantOf } from "../contract/instant.ts";
import type { Plan } from "./planning.ts";

/** What a search freezes as its shortlist. */
export interface Retrieval {
  /** Best company first, each with its best matching observations, best first. */
  entries: Entry[];
  retrieval: "lexical" | "hybrid";
  /** What the caller should know of this retrieval; nothing so far. */
  limitations: string[];
}

interface Question {
  plan: Plan;
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
   * Finds the companies that match a plan within filters. A plan without terms and one whose terms
   * occur nowhere find nothing. Replicas that have followed equally far answer equally.
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
  return {
    get ready() {
      return follower.index !== undefined;
    },
    // deno-lint-ignore require-await -- a failure is a rejection, whoever stands behind the seam
    async search({ companies, observations_per_company, ...question }) {
      const limits = { companies, observations_per_company };
      const found = loadedIndex().shortlist({ ...ask(question), ...limits });
      const entries = found.map(({ company_id, observations }) => ({
        company_id,
        observation_ids: observations.map(({ observation_id }) => observation_id),
      }));
      return { entries, retrieval: "lexical", limitations: [] };
    },
    // deno-lint-ignore require-await -- as above
    async searchObservations({ observations, ...question }) {
      const found = loadedIndex().searchObservations({ ...ask(question), limit: observations });
      const entries = found.map(({ company_id, observation_id }) => ({
        company_id,
        observation_ids: [observation_id],
      }));
      return { entries, retrieval: "lexical", limitations: [] };
    },
    start: () => follower.start(),
    refresh: () => follower.refresh(),
    close: () => follower.close(),
  };
}
