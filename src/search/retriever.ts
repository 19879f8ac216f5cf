/** Finds and ranks the records of a search: question, match, judge, and what is charged. */
import { instantOf } from "../contract/instant.ts";
import type { SearchFilters } from "../contract/filters.ts";
import { OBSERVATIONS_PER_COMPANY } from "../contract/search.ts";
import type { DeliveryEntry } from "../operations/action.ts";
import { Slices } from "../slices.ts";
import type { Embeddings } from "./embeddings/embeddings.ts";
import { withNearness } from "./embeddings/blend.ts";
import type { FollowerOptions } from "./index_follower.ts";
import { decide } from "./judge/decide.ts";
import { FEATURES } from "./judge/features.ts";
import { judge, type JudgedRecord, WEIGHTS } from "./judge/judge.ts";
import { admissionOf } from "./match/admission.ts";
import { match, type WeighedUnit } from "./match/match.ts";
import { type Planned, withPlan } from "./question/planned.ts";
import type { Question } from "./question/question.ts";
import { readQuestion } from "./question/read_question.ts";
import { localSource, NO_WORDS, type RecordSource, type ServingState } from "./record_source.ts";
import { refuseUnsupported } from "./unsupported.ts";

/** Shortlist that a search freezes. */
export interface Retrieval {
  /** Companies with their best matching observations, both best first. */
  entries: DeliveryEntry[];
  retrieval: "lexical" | "hybrid";
  /** Codes of limitations, such as `hybrid_unavailable`; empty if there are none. */
  limitations: string[];
  /**
   * Found observations that do not state a place, time or other condition of the question; absent if
   * there are none.
   */
  silent_observation_ids?: number[];
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
  /** Query as the caller wrote it. */
  query: string;
  /** Parts that a language model has read in the query. */
  planned?: Planned;
  filters: SearchFilters;
  /**
   * Time of the search: observations that have expired by then are left out, and times in the query
   * are relative to it. Absent: the database's time, because the clocks of replicas differ.
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

/** A question with the judged candidates of a search. */
export interface Explained {
  question: Question;
  units: WeighedUnit[];
  /** The best first, also those that are not charged. */
  judged: JudgedRecord[];
  /** The best records that contradict a condition, judged as if there were none. */
  contradicting: JudgedRecord[];
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
  /** Reads a query. Before the dataset is loaded, no names and corrections are known. */
  read(query: string, now: Date): Question;
  /**
   * Finds the companies that answer a question within filters: those whose best record reaches the
   * threshold of the judge. Replicas that have read the same changes give the same answers.
   *
   * @throws Failure retrieval_unavailable before the dataset is loaded
   */
  search(request: RetrievalRequest): Promise<Retrieval>;
  /** Finds single observations as `search` finds companies. Each entry contains one observation. */
  searchObservations(request: ObservationRetrievalRequest): Promise<Retrieval>;
  /** Judges the candidates of a question as `search` does, and those that contradict it. */
  explain(request: CommonRequest): Promise<Explained>;
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
  /** Vectors that add candidates and raise those that are near. The caller starts and closes them. */
  embeddings?: Embeddings;
  /** Receives the duration of each search in seconds. */
  searched?: (seconds: number) => void;
  /** Records to search; absent: an index in memory that follows the dataset's changes. */
  source?: RecordSource;
}

/** Creates a retriever. */
export function createRetriever(options: RetrieverOptions): Retriever {
  const { source = localSource(options) } = options;
  const judged = async (request: CommonRequest, per_company?: number) => {
    const { query, planned } = request;
    const now = request.now ? instantOf(request.now) : source.now;
    // A long query has been read for some milliseconds, so reading and judging are slices, too.
    const slices = new Slices();
    const withPlanned = (read: Question) => planned === undefined ? read : withPlan(read, planned);
    const { question, records, filters } = await source.ask({
      query,
      now: new Date(now),
      filters: { ...request.filters, now },
      change: withPlanned,
    });
    // A query of conditions alone, such as "Series A, Texas", has no vector of a subject.
    const hasSubject = question.units.some(({ is_filler, condition }) =>
      !is_filler && condition === undefined
    );
    const near = hasSubject
      ? await options.embeddings?.nearTo(records, { query, filters: request.filters, now })
      : undefined;
    if (slices.isOver) await slices.turn();
    const present = records();
    const matched = await match({ records: present, question, filters, per_company }, slices);
    if (slices.isOver) await slices.turn();
    const hits = judge(present, question, matched);
    return { question, records: present, filters, units: matched.units, judged: hits, near };
  };
  const explain = async (request: CommonRequest): Promise<Explained> => {
    const per_company = OBSERVATIONS_PER_COMPANY;
    const { question, records, filters, units, judged: hits } = await judged(request, per_company);
    const free = { ...question, conditions: [] };
    const all = await match({ records, question: free, filters, per_company });
    const { silent } = admissionOf({ records, question, filters });
    const candidates = all.candidates.filter(({ slot }) => silent(slot) === undefined);
    const contradicting = judge(records, free, { units: all.units, candidates });
    return { question, units, judged: hits, contradicting };
  };
  const find = async (
    request: CommonRequest,
    limits: { companies: number; observations: number } | { single: number },
  ): Promise<Retrieval> => {
    const started = performance.now();
    const { question, judged: byWords, near } = await judged(
      request,
      "single" in limits ? undefined : limits.observations,
    );
    const hits = near === undefined || near === "unavailable"
      ? byWords
      : withNearness(byWords, near);
    const entriesOf = (all: readonly JudgedRecord[]) =>
      "single" in limits
        ? all.filter(({ probability }) => probability >= WEIGHTS.threshold)
          .slice(0, limits.single)
          .map(({ company_id, observation_id }) => ({
            company_id,
            observation_ids: [observation_id],
          }))
        : decide(all, { threshold: WEIGHTS.threshold, ...limits });
    const entries = entriesOf(hits);
    const silent_observation_ids = silentIds(question, hits, entries);
    const found_by_words = hits === byWords ? entries.length : entriesOf(byWords).length;
    options.searched?.((performance.now() - started) / 1000);
    return {
      entries,
      retrieval: hits === byWords ? "lexical" : "hybrid",
      limitations: [
        ...near === "unavailable" ? ["hybrid_unavailable"] : [],
        ...question.corrected ? ["spelling_changed"] : [],
      ],
      ...silent_observation_ids.length > 0 && { silent_observation_ids },
      found_by_words,
    };
  };
  return {
    get state() {
      return source.state;
    },
    get ready() {
      return source.ready;
    },
    get obstacle() {
      return source.obstacle;
    },
    get now() {
      return new Date(source.now);
    },
    read: (query, now) => source.read(query, now),
    search: ({ companies, observations_per_company, ...request }) =>
      find(request, { companies, observations: observations_per_company }),
    searchObservations: ({ observations, ...request }) => find(request, { single: observations }),
    explain,
    start: () => source.start(),
    refresh: () => source.refresh(),
    close: () => source.close(),
  };
}

/**
 * Queries with what the patterns look for. Half of them have letters of 16 bits, for which the engine
 * compiles each pattern anew. It compiles a pattern fully at its second use.
 */
const FIRST_QUERIES = ["one", "two", "Ω one", "Ω two"].map((start) =>
  `${start} "fleet parts" at acme.com, restaurants but not construction in Toronto or near Boston ` +
  "since March 2025, hired a new VP of sales, Series A except seed, an RFP over $5 million that " +
  "closes by Friday, firms that use SAP, remote jobs, qui réparent des ascenseurs sauf à Montréal"
);

/**
 * Reads a few queries, which blocks the event loop for half a second: the tables of words are read,
 * and the patterns are compiled. A process calls it before it has callers, who would otherwise wait.
 */
export function prepareReading(): void {
  for (const query of FIRST_QUERIES) {
    refuseUnsupported(query);
    readQuestion(query, new Date(), NO_WORDS);
  }
}

const SILENT = FEATURES.indexOf("silent");

/**
 * Returns the observations of the entries that do not state every condition of the question. The
 * conditions of records that only vectors found are unknown, so these records count as well.
 */
function silentIds(
  { conditions }: Question,
  hits: readonly JudgedRecord[],
  entries: readonly DeliveryEntry[],
): number[] {
  if (conditions.length === 0) return [];
  const delivered = new Set(entries.flatMap(({ observation_ids }) => observation_ids));
  return hits
    .filter(({ observation_id, features }) =>
      delivered.has(observation_id) && (features[SILENT] ?? 1) > 0
    )
    .map(({ observation_id }) => observation_id);
}
