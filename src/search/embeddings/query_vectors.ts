/**
 * Finds the vectors of queries. The last used vectors are cached. Other vectors are requested from
 * the endpoint, with a time-out.
 */
import { ModelFault } from "../models/model_endpoint.ts";
import type { Log } from "../../log.ts";
import type { EmbeddingEndpoint } from "./embedded_text.ts";
import { embed } from "./endpoint.ts";

interface QueryVectorsOptions {
  endpoint: EmbeddingEndpoint;
  log: Log;
  /** Max milliseconds of a call to the endpoint; absent: ANSWER_MILLISECONDS. */
  milliseconds?: number;
  /** Returns the milliseconds of a monotonic clock. */
  now?: () => number;
}

/** Max milliseconds of a call to the endpoint. */
export const ANSWER_MILLISECONDS = 2_000;
const ANSWER_BYTES = 1_048_576;

/**
 * Number of consecutive time-outs after which queries no longer wait for the endpoint. One query
 * per PAUSE_MILLISECONDS still probes the endpoint.
 */
const LATE_MAX = 3;
const PAUSE_MILLISECONDS = 5_000;

/** Max number of cached vectors. They take a few megabytes. */
const CACHED_MAX = 500;

const uptime = () => performance.now();

/** The vectors of queries, from a cache or an endpoint. */
export class QueryVectors {
  readonly #options: QueryVectorsOptions;
  /** Vectors by model, dimensions and query, least recently used first. */
  readonly #cached = new Map<string, Float32Array>();
  /** Number of consecutive time-outs. From LATE_MAX on, no query is sent before `#notBefore`. */
  #late = 0;
  #notBefore = 0;

  constructor(options: QueryVectorsOptions) {
    this.#options = options;
  }

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
    const { endpoint, log, milliseconds = ANSWER_MILLISECONDS, now = uptime } = this.#options;
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
