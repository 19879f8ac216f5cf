/** Finds and ranks the records of a search: question, match, judge, and what is charged. */
import { instantOf } from "../contract/instant.ts";
import type { SearchFilters } from "../contract/filters.ts";
import { CANDIDATE_LIMIT, OBSERVATIONS_PER_COMPANY } from "../contract/search.ts";
import type { DeliveryEntry } from "../operations/action.ts";
import { runNow, Slices } from "../slices.ts";
import type { Embeddings } from "./embeddings/embeddings.ts";
import { withNearness } from "./embeddings/blend.ts";
import { type FollowerOptions, IndexFollower } from "./index_follower.ts";
import { decide, isSilent, silentLast } from "./judge/decide.ts";
import { judge, type JudgedRecord, WEIGHTS } from "./judge/judge.ts";
import { admit } from "./match/admission.ts";
import { match } from "./match/match.ts";
import { type Planned, withPlan } from "./planning/model_planner.ts";
import { readQuestion } from "./question/read_question.ts";
import type { RecordSource } from "./record_source.ts";
import { refuseNegationAlone, refuseUnsupported } from "./unsupported.ts";

/** Shortlist that a search freezes. */
export interface Retrieval {
  /** Companies with their best matching observations, both best first. */
  entries: DeliveryEntry[];
  retrieval: "lexical" | "hybrid";
  /** Codes of limitations, such as `hybrid_unavailable`; empty if there are none. */
  limitations: string[];
  /** Found observations that do not state every condition; absent if there are none. */
  silent_observation_ids?: number[];
  /** True if the search has asked a source; absent if it has not. */
  asked_sources?: boolean;
  /** Observations that the search has acquired from sources; absent if it needed none. */
  fresh_observation_ids?: number[];
  /** Number of entries that words found. Hits of the vectors alone do not count. */
  found_by_words: number;
  /** Words of the query that are no filler, by which sources may be asked. */
  terms: string[];
}

/** Request of a search. */
export interface RetrievalRequest {
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

/** A question with the judged candidates of a search. */
export type Explained = Awaited<ReturnType<Retriever["explain"]>>;

interface RetrieverOptions extends FollowerOptions {
  /** Vectors that add candidates and raise those that are near. The caller starts and closes them. */
  embeddings?: Embeddings;
  /** Receives the duration of each search in seconds. */
  searched?: (seconds: number) => void;
  /** Records to search; absent: an index in memory that follows the dataset's changes. */
  source?: RecordSource;
}

/** Finds and ranks the candidates of searches. */
export class Retriever {
  /** Records that are searched. The caller starts it, and closes it or the retriever. */
  readonly source: RecordSource;

  constructor(private readonly options: RetrieverOptions) {
    this.source = options.source ?? new IndexFollower(options);
  }

  /**
   * Finds the companies that answer a question within filters: those whose best record reaches the
   * threshold of the judge. Replicas that have read the same changes give the same answers.
   *
   * @throws Failure retrieval_unavailable before the dataset is loaded; unsupported_request for a
   * question of exclusions alone
   */
  search(request: RetrievalRequest): Promise<Retrieval> {
    return this.#find(request, OBSERVATIONS_PER_COMPANY, (all) =>
      decide(all, {
        threshold: WEIGHTS.threshold,
        companies: CANDIDATE_LIMIT,
        observations: OBSERVATIONS_PER_COMPANY,
      }));
  }

  /** Finds single observations as `search` finds companies. Each entry contains one observation. */
  searchObservations(request: RetrievalRequest): Promise<Retrieval> {
    return this.#find(
      request,
      undefined,
      (all) =>
        all.filter(({ probability }) => probability >= WEIGHTS.threshold)
          .slice(0, CANDIDATE_LIMIT)
          .map(({ company_id, observation_id }) => ({
            company_id,
            observation_ids: [observation_id],
          })),
    );
  }

  /**
   * Judges the candidates as `search` does, the best first, charged or not. Records that contradict
   * conditions are judged as if the question had none, and have the places of these conditions.
   */
  async explain(request: RetrievalRequest) {
    const per_company = OBSERVATIONS_PER_COMPANY;
    const { question, records, filters, units, judged } = await this.#judge(request, per_company);
    const free = { ...question, conditions: [] };
    const all = runNow(match({ records, question: free, filters, per_company }));
    const admissions = question.conditions.map((condition) =>
      runNow(admit({ records, question: { ...free, conditions: [condition] }, filters }))
    );
    const contradicted = new Map<number, number[]>();
    const candidates = all.candidates.filter(({ slot }) => {
      const places = admissions.flatMap((admission, n) => admission[slot] === 0 ? [n] : []);
      contradicted.set(records.numberAt(slot, "observation_id"), places);
      return places.length > 0;
    });
    const contradicting = judge(records, free, { ...all, candidates })
      .map((one) => ({ ...one, contradicts: contradicted.get(one.observation_id)! }));
    return { question, units, judged, contradicting };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.source.close();
  }

  async #find(
    request: RetrievalRequest,
    per_company: number | undefined,
    entriesOf: (judged: readonly JudgedRecord[]) => DeliveryEntry[],
  ): Promise<Retrieval> {
    const started = performance.now();
    const { question, judged, near } = await this.#judge(request, per_company);
    const hits = near === undefined || near === "unavailable" ? judged : withNearness(judged, near);
    const hasConditions = question.conditions.length > 0;
    const entries = entriesOf(hasConditions ? silentLast(hits) : hits);
    const delivered = new Set(entries.flatMap(({ observation_ids }) => observation_ids));
    const silent = hasConditions
      ? hits.filter((hit) => delivered.has(hit.observation_id) && isSilent(hit))
      : [];
    const found_by_words = hits === judged ? entries.length : entriesOf(judged).length;
    this.options.searched?.((performance.now() - started) / 1000);
    return {
      entries,
      retrieval: hits === judged ? "lexical" : "hybrid",
      limitations: [
        ...near === "unavailable" ? ["hybrid_unavailable"] : [],
        ...question.corrected ? ["spelling_changed"] : [],
      ],
      ...silent.length > 0 && {
        silent_observation_ids: silent.map(({ observation_id }) => observation_id),
      },
      found_by_words,
      terms: question.units.filter(({ is_filler }) => !is_filler).map(({ text }) => text),
    };
  }

  /** Reads a question, and judges the records that match it. */
  async #judge({ query, planned, ...request }: RetrievalRequest, per_company?: number) {
    const now = request.now ? instantOf(request.now) : this.source.now;
    // A long query has been read for some milliseconds, so reading and judging are slices, too.
    const slices = new Slices();
    const { question, records, filters } = await this.source.ask({
      read(words) {
        const question = readQuestion(query, new Date(now), words);
        refuseNegationAlone(question, request.filters);
        return planned === undefined ? question : withPlan(question, planned);
      },
      filters: { ...request.filters, now },
    });
    // A query of conditions alone, such as "Series A, Texas", has no vector of a subject.
    const hasSubject = question.units.some(({ is_filler, condition }) =>
      !is_filler && condition === undefined
    );
    const near = hasSubject
      ? await this.options.embeddings?.nearTo(records, { query, filters })
      : undefined;
    if (slices.isOver) await slices.turn();
    const matched = await slices.run(match({ records, question, filters, per_company }));
    if (slices.isOver) await slices.turn();
    const judged = judge(records, question, matched);
    return { question, records, filters, units: matched.units, judged, near };
  }
}

/**
 * Queries with what the patterns look for. Half of them have letters of 16 bits, for which the engine
 * compiles each pattern anew. It compiles a pattern fully at its second use.
 */
const FIRST_QUERIES = ["one", "two", "Ω one", "Ω two"].map((start) =>
  `${start} "fleet parts" at acme.com, restaurants but not construction in Toronto or near Boston ` +
  "since March 2025, hired a new VP of sales, Series A except seed, an RFP over $5 million that " +
  "closes by Friday, firms that use SAP, qui cherchent des ascenseurs sauf à Montréal"
);

/**
 * Reads a few queries, which blocks the event loop for half a second: the tables of words are read,
 * and the patterns are compiled. A process calls it before it has callers, who would otherwise wait.
 */
export function prepareReading(): void {
  const noWords = { frequency: () => 0, corrections: () => [] };
  for (const query of FIRST_QUERIES) {
    refuseUnsupported(query);
    readQuestion(query, new Date(), noWords);
  }
}
