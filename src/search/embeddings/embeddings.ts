/**
 * Hybrid retrieval by an embeddings endpoint: vectors of observations and of queries. The last used
 * vectors of queries are cached. Others are requested from the endpoint, with a time-out.
 */
import type { Settings } from "../../config.ts";
import type { Sql } from "../../db/connect.ts";
import type { Log } from "../../log.ts";
import { repeat } from "../../repeat.ts";
import { Slices } from "../../slices.ts";
import type { Records } from "../index/records.ts";
import { admit } from "../match/admission.ts";
import type { RecordFilters } from "../match/criteria.ts";
import { methodUrl, ModelFault } from "../models/model_endpoint.ts";
import type { NearRecords } from "./blend.ts";
import { type EmbeddingEndpoint, modelOf } from "./embedded_text.ts";
import { Embedder } from "./embedder.ts";
import { embed } from "./endpoint.ts";
import { VectorFollower } from "./vector_follower.ts";

interface EmbeddingsOptions {
  sql: Sql;
  log: Log;
  endpoint: EmbeddingEndpoint;
  /** True if this process also embeds observations. */
  works: boolean;
  /** Max milliseconds for the embedding of a query; absent: ANSWER_MILLISECONDS. */
  query_milliseconds?: number;
  /** Returns the milliseconds of a monotonic clock. */
  now?: () => number;
}

/** Number of vector neighbours considered per query, in addition to the lexical hits. */
const NEAREST = 200;

/** Milliseconds between two polls for newly stored vectors and changed observations. */
const POLL_MILLISECONDS = 1_000;

/** Returns the endpoint that the settings name; undefined if they name no endpoint. */
export function embeddingEndpointOf(settings: Settings): EmbeddingEndpoint | undefined {
  const { EMBEDDINGS_URL, EMBEDDINGS_MODEL } = settings;
  if (EMBEDDINGS_URL === undefined) return undefined;
  return {
    url: methodUrl(EMBEDDINGS_URL, "/embeddings"),
    model: EMBEDDINGS_MODEL!,
    key: settings.EMBEDDINGS_API_KEY,
    query_prefix: settings.EMBEDDINGS_QUERY_PREFIX,
    passage_prefix: settings.EMBEDDINGS_PASSAGE_PREFIX,
    characters: settings.EMBEDDINGS_CHARACTERS,
  };
}

/** Finds the observations near a query, and optionally embeds observations. */
export class Embeddings {
  readonly #stopping = new AbortController();
  readonly follower: VectorFollower;
  readonly embedder: Embedder;
  readonly #queries: QueryVectors;
  #loops: Promise<void>[] = [];

  constructor(private readonly options: EmbeddingsOptions) {
    this.follower = new VectorFollower({ ...options, signal: this.#stopping.signal });
    this.embedder = new Embedder(options);
    this.#queries = new QueryVectors(options);
  }

  /** Follows the stored vectors until closed, and embeds changed observations if `works` is set. */
  start(): void {
    const { log, works } = this.options;
    const { signal } = this.#stopping;
    const pace = { pauseMs: POLL_MILLISECONDS, signal, name: "embeddings" };
    this.#loops = [repeat(log, () => this.follower.refresh(), pace)];
    if (works) this.#loops.push(repeat(log, () => this.embedder.step(signal), pace));
  }

  /** Stops following and embedding, and gives the lease for embedding back. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#loops);
    if (this.#loops.length > 1) await this.embedder.release().catch(() => {});
  }

  /**
   * Returns the nearest neighbours of a query among the observations that filters admit.
   *
   * @returns "unavailable" if the endpoint fails or is late; undefined if no vectors are loaded yet
   */
  async nearTo(
    records: Records,
    { query, filters }: { query: string; filters: RecordFilters },
  ): Promise<NearRecords | "unavailable" | undefined> {
    const { served } = this.follower;
    if (served === undefined) return undefined;
    const { name, vectors } = served;
    const target = { model: modelOf(name), dimensions: vectors.dimensions };
    const vector = await this.#queries.find(query, target);
    if (vector === undefined) return "unavailable";
    const admission = await new Slices().run(admit({ records, filters }));
    const search = await vectors.search(vector, {
      limit: NEAREST,
      admits(id) {
        const slot = records.slotOf(id);
        return slot >= 0 && admission[slot]! > 0;
      },
    });
    const nearest = search.nearest.flatMap(({ id, score }) => {
      const slot = records.slotOf(id);
      if (slot < 0) return [];
      return [{ observation_id: id, company_id: records.numberAt(slot, "company_id"), score }];
    });
    return {
      nearest,
      floor: search.floor,
      middle: search.middle,
      scoresOf: (ids) => vectors.scores(vector, ids),
    };
  }
}

/** Max milliseconds of a call to the endpoint. */
export const ANSWER_MILLISECONDS = 2_000;
const ANSWER_BYTES = 1_048_576;

/** Number of time-outs in a row after which one query per pause probes the endpoint. */
const LATE_MAX = 3;
const PAUSE_MILLISECONDS = 5_000;

/** Max number of cached vectors. They take a few megabytes. */
const CACHED_MAX = 500;

/** The vectors of queries, from a cache or an endpoint. */
export class QueryVectors {
  /** Vectors by model, dimensions and query, least recently used first. */
  readonly #cached = new Map<string, Float32Array>();
  /** Number of consecutive time-outs. From LATE_MAX on, no query is sent before `#notBefore`. */
  #late = 0;
  #notBefore = 0;

  constructor(private readonly options: Omit<EmbeddingsOptions, "sql" | "works">) {}

  /**
   * Finds the vector of a query.
   *
   * @param model name of the model at the endpoint
   * @returns undefined if the endpoint fails, is late, has repeatedly been late, or answers with
   * other dimensions
   */
  async find(
    query: string,
    { model, dimensions }: { model: string; dimensions: number },
  ): Promise<Float32Array | undefined> {
    const name = JSON.stringify([model, dimensions, query]);
    const vector = this.#cached.get(name) ?? await this.#ask(query, model);
    if (vector?.length !== dimensions) return undefined;
    this.#cached.delete(name);
    this.#cached.set(name, vector);
    if (this.#cached.size > CACHED_MAX) {
      this.#cached.delete(this.#cached.keys().next().value!);
    }
    return vector;
  }

  async #ask(query: string, model: string): Promise<Float32Array | undefined> {
    const { endpoint, log, query_milliseconds: milliseconds = ANSWER_MILLISECONDS } = this.options;
    const { now = () => performance.now() } = this.options;
    if (this.#late >= LATE_MAX) {
      if (now() < this.#notBefore) return undefined;
      // Other queries do not wait while this one probes the endpoint.
      this.#notBefore = now() + PAUSE_MILLISECONDS;
    }
    try {
      const bounds = { bytes: ANSWER_BYTES, milliseconds };
      const text = (endpoint.query_prefix ?? "") + query;
      const [vector] = await embed({ ...endpoint, model }, [text], bounds);
      this.#late = 0;
      return vector;
    } catch (error) {
      if (!(error instanceof ModelFault)) throw error;
      this.#late = error.kind === "late" ? this.#late + 1 : 0;
      this.#notBefore = now() + PAUSE_MILLISECONDS;
      log.warn("query not embedded", { host: endpoint.url.host, fault: error.message });
      return undefined;
    }
  }
}
