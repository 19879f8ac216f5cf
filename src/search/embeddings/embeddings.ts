/** Hybrid retrieval by an embeddings endpoint: vectors of observations and of queries. */
import type { Settings } from "../../config.ts";
import type { Sql } from "../../db/connect.ts";
import type { Log } from "../../log.ts";
import { repeat } from "../../repeat.ts";
import type { Records } from "../index/records.ts";
import { admissionOf } from "../match/admission.ts";
import type { SearchFilters } from "../../contract/filters.ts";
import { methodUrl } from "../models/model_endpoint.ts";
import type { NearRecords } from "./blend.ts";
import { type EmbeddingEndpoint, modelOf } from "./embedded_text.ts";
import { Embedder } from "./embedder.ts";
import { VectorFollower } from "./vector_follower.ts";
import { QueryVectors } from "./query_vectors.ts";

/** Settings of the endpoint. */
export type EmbeddingSettings = Pick<
  Settings,
  | "EMBEDDINGS_URL"
  | "EMBEDDINGS_MODEL"
  | "EMBEDDINGS_API_KEY"
  | "EMBEDDINGS_QUERY_PREFIX"
  | "EMBEDDINGS_PASSAGE_PREFIX"
  | "EMBEDDINGS_CHARACTERS"
>;

interface EmbeddingsOptions {
  sql: Sql;
  log: Log;
  endpoint: EmbeddingEndpoint;
  /** True if this process also embeds observations. */
  works: boolean;
  /** Max milliseconds for the embedding of a query. */
  query_milliseconds?: number;
}

interface NearnessRequest {
  query: string;
  filters: SearchFilters;
  /**
   * Instant of the search (form: contract/instant.ts). Observations that have expired by then are
   * left out.
   */
  now: string;
}

/** Number of vector neighbours considered per query, in addition to the lexical hits. */
const NEAREST = 200;

/** Milliseconds between two polls for newly stored vectors and changed observations. */
const POLL_MILLISECONDS = 1_000;

/** Returns the endpoint that the settings name; undefined if they name no endpoint. */
export function embeddingEndpointOf(settings: EmbeddingSettings): EmbeddingEndpoint | undefined {
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
  readonly #options: EmbeddingsOptions;
  readonly #stopping = new AbortController();
  readonly follower: VectorFollower;
  readonly embedder: Embedder;
  readonly #queries: QueryVectors;
  #loops: Promise<void>[] = [];

  constructor(options: EmbeddingsOptions) {
    this.#options = options;
    this.follower = new VectorFollower(options);
    this.embedder = new Embedder(options);
    this.#queries = new QueryVectors({ ...options, milliseconds: options.query_milliseconds });
  }

  /**
   * Follows the stored vectors until closed. If `works` is set, it also embeds changed
   * observations.
   */
  start(): void {
    const { log, works } = this.#options;
    const { signal } = this.#stopping;
    const pace = { pauseMs: POLL_MILLISECONDS, signal };
    const follow = async () => {
      await this.follower.refresh(signal);
      return false;
    };
    this.#loops = [repeat(log, follow, pace)];
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
   * @param present returns the present records of the index
   * @returns "unavailable" if the endpoint fails or is late; undefined if no vectors are loaded yet
   */
  async nearTo(
    present: () => Records,
    { query, filters, now }: NearnessRequest,
  ): Promise<NearRecords | "unavailable" | undefined> {
    const { served } = this.follower;
    if (served === undefined) return undefined;
    const { name, vectors } = served;
    const target = { model: modelOf(name), dimensions: vectors.dimensions };
    const vector = await this.#queries.find(query, target);
    if (vector === undefined) return "unavailable";
    const records = present();
    const admission = admissionOf({ records, filters: { ...filters, now } });
    const search = await vectors.search(vector, {
      limit: NEAREST,
      admits(id) {
        const slot = records.slotOf(id);
        return slot >= 0 && admission.silent(slot) !== undefined;
      },
    });
    const nearest = search.nearest.flatMap(({ id, score }) => {
      const slot = records.slotOf(id);
      if (slot < 0) return [];
      const { base, arrays } = records.segmentOf(slot);
      return [{ observation_id: id, company_id: arrays.companies[slot - base]!, score }];
    });
    return {
      nearest,
      floor: search.floor,
      middle: search.middle,
      scoresOf: (ids) => vectors.scores(vector, ids),
    };
  }
}
