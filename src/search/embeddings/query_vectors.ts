/** Vectors of queries: the latest are remembered, others asked for in the time a search has. */
import { type ModelEndpoint, ModelFault } from "../model_endpoint.ts";
import type { Log } from "../../log.ts";
import { embed } from "./endpoint.ts";

export interface QueryVectorsOptions {
  endpoint: ModelEndpoint;
  log: Log;
  /** What an answer may take. */
  milliseconds?: number;
}

/** Design 7. */
const ANSWER_MILLISECONDS = 2_000;
const ANSWER_BYTES = 1_048_576;

/** Some megabytes. */
const REMEMBERED_MAX = 500;

export class QueryVectors {
  readonly #options: QueryVectorsOptions;
  /** By model, dimensions and query; the one that was used longest ago comes first. */
  readonly #remembered = new Map<string, Float32Array>();

  constructor(options: QueryVectorsOptions) {
    this.#options = options;
  }

  /**
   * @param model what the endpoint calls it
   * @returns nothing where the endpoint fails or is late, or answers with other dimensions
   */
  async find(
    query: string,
    { model, dimensions }: { model: string; dimensions: number },
  ): Promise<Float32Array | undefined> {
    const name = JSON.stringify([model, dimensions, query]);
    const vector = this.#remembered.get(name) ?? await this.#ask(query, model);
    if (vector?.length !== dimensions) return undefined;
    this.#remembered.delete(name);
    this.#remembered.set(name, vector);
    if (this.#remembered.size > REMEMBERED_MAX) {
      this.#remembered.delete(this.#remembered.keys().next().value!);
    }
    return vector;
  }

  async #ask(query: string, model: string): Promise<Float32Array | undefined> {
    const { endpoint, log, milliseconds = ANSWER_MILLISECONDS } = this.#options;
    try {
      const bounds = { bytes: ANSWER_BYTES, milliseconds };
      const [vector] = await embed({ ...endpoint, model }, [query], bounds);
      return vector;
    } catch (error) {
      if (!(error instanceof ModelFault)) throw error;
      log.warn("query not embedded", { host: endpoint.url.host, fault: error.message });
      return undefined;
    }
  }
}
