/** Keeps the vectors of the serving model in memory, and follows the vectors that workers store. */
import type { Sql } from "../../db/sql.ts";
import type { Log } from "../../log.ts";
import { CatchingUp, takeInSlices } from "../changes/sequence.ts";
import { type EmbeddingEndpoint, storedNameOf } from "./embedded_text.ts";
import { VectorIndex } from "../vectors/vector_index.ts";
import { FORMAT, quantizedOf } from "../vectors/quantized.ts";

/** Position in the order of (stored_seq, observation_id). */
interface VectorPosition {
  stored_seq: number;
  observation_id: number;
}

/** Vectors of a model, read from all rows up to a position. */
interface FollowedVectors extends VectorPosition {
  /** Name by which the vectors are stored: see storedNameOf(). */
  name: string;
  vectors: VectorIndex;
  model_id: number;
  /** True if the memory of vectors is full. */
  isFull?: true;
}

interface Model {
  id: number;
  name: string;
  dimensions: number;
  stored_seq: number;
}

interface StoredRow extends VectorPosition {
  vector: Uint8Array | null;
  scale: number | null;
}

interface VectorFollowerOptions {
  sql: Sql;
  log: Log;
  /** Endpoint whose model is preferred, if its vectors are complete. */
  endpoint: Omit<EmbeddingEndpoint, "url">;
  /** Ends a load after the page at hand. */
  signal?: AbortSignal;
}

const PAGE_ROWS = 500;

/** Follows the stored vectors of the serving model. */
export class VectorFollower {
  #following: FollowedVectors | undefined;
  /** Partly loaded vectors of a model. After a failure, loading continues from their position. */
  #loading: FollowedVectors | undefined;
  readonly #catchingUp = new CatchingUp(() => this.#catchUp());

  constructor(private readonly options: VectorFollowerOptions) {}

  /** Model that serves searches; undefined until all vectors of a complete model are loaded. */
  get served(): FollowedVectors | undefined {
    return this.#following;
  }

  /** Reads all vectors that are stored by now. A new model serves once its vectors are loaded. */
  refresh(): Promise<void> {
    return this.#catchingUp.refresh();
  }

  async #catchUp(): Promise<void> {
    const { sql, log, endpoint } = this.options;
    const [model] = await sql<Model[]>`
      select id, name, dimensions, stored_seq from embedding_models
      where ready_at is not null and format = ${FORMAT}
      order by name = ${storedNameOf(endpoint)} desc, ready_at desc, id desc
      limit 1
    `;
    if (model === undefined) return void (this.#following = this.#loading = undefined);
    const following = await this.#placeIn(model);
    if (following !== this.#following) this.#loading = following;
    if (following.stored_seq < model.stored_seq && !await this.#readUpTo(following)) return;
    this.#loading = undefined;
    if (following !== this.#following) {
      this.#following = following;
      log.info("embeddings loaded", { vectors: following.vectors.size });
    }
  }

  /**
   * Returns the loaded vectors of a model, with the position after which to continue. If none are
   * loaded, or if the history is another one (such as after a restored backup), returns no vectors
   * and the beginning.
   */
  async #placeIn(model: Model): Promise<FollowedVectors> {
    const known = [this.#loading, this.#following].find((one) => one?.model_id === model.id);
    if (known === undefined) return await beginning(model);
    if (known.stored_seq === model.stored_seq) return known;
    // As in a sequence of changes, the number of a row only grows within one history.
    const rows = await this.options.sql`
      select from observation_embeddings
      where model_id = ${model.id} and observation_id = ${known.observation_id}
        and stored_seq >= ${known.stored_seq}
    `;
    return known.stored_seq === 0 || rows.length > 0 ? known : await beginning(model);
  }

  /** Reads the rows after a position. @returns false if the signal aborted before the last row */
  async #readUpTo(following: FollowedVectors): Promise<boolean> {
    for (let count = PAGE_ROWS; count === PAGE_ROWS;) {
      const rows = await this.#readPage(following);
      if (this.options.signal?.aborted) return false;
      count = rows.length;
      await takeInSlices(rows, ({ observation_id, stored_seq, vector, scale }) => {
        this.#take(following, { observation_id, vector, scale });
        Object.assign(following, { observation_id, stored_seq });
      });
    }
    return true;
  }

  /** Takes the vector of a row. If the memory is full, leaves it out, and logs this once. */
  #take(
    following: FollowedVectors,
    { observation_id, vector, scale }: Omit<StoredRow, "stored_seq">,
  ): void {
    const { vectors } = following;
    // A withdrawn observation has no vector.
    if (vector?.length !== vectors.dimensions) return vectors.remove(observation_id);
    try {
      vectors.put(observation_id, quantizedOf({ vector, scale: scale! }));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      if (!following.isFull) {
        this.options.log.error("no memory for more embeddings", { vectors: vectors.size });
      }
      following.isFull = true;
    }
  }

  async #readPage({ model_id, stored_seq, observation_id }: FollowedVectors) {
    return await this.options.sql<StoredRow[]>`
      select observation_id, stored_seq, vector, scale from observation_embeddings
      where model_id = ${model_id}
        and (stored_seq, observation_id) > (${stored_seq}, ${observation_id})
      order by stored_seq, observation_id
      limit ${PAGE_ROWS}
    `;
  }
}

async function beginning({ id, name, dimensions }: Model): Promise<FollowedVectors> {
  return {
    name,
    vectors: await VectorIndex.create(dimensions),
    model_id: id,
    stored_seq: 0,
    observation_id: 0,
  };
}
