/** Keeps the vectors of the serving model in memory, and follows the vectors that workers store. */
import type { Sql } from "../../db/sql.ts";
import type { Log } from "../../log.ts";
import {
  CatchingUp,
  isOfSameHistory,
  pagesAfter,
  type SequencePage,
  takeInSlices,
} from "../changes/sequence.ts";
import { type EmbeddingEndpoint, storedNameOf } from "./embedded_text.ts";
import { VectorIndex } from "../vectors/vector_index.ts";
import { FORMAT, quantizedOf } from "./stored.ts";

/** The model whose vectors rank observations by their nearness to a query. */
interface Served {
  /** Name by which the vectors are stored: see storedNameOf(). */
  name: string;
  vectors: VectorIndex;
}

/** Position in the order of (stored_seq, observation_id). */
interface VectorPosition {
  stored_seq: number;
  observation_id: number;
}

/** Vectors of a model, read from all rows up to a position. */
interface FollowedVectors extends Served, VectorPosition {
  model_id: number;
  /** True if some vectors did not fit into memory. */
  full: boolean;
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

interface VectorPage extends SequencePage<VectorPosition> {
  rows: readonly StoredRow[];
}

interface VectorFollowerOptions {
  sql: Sql;
  log: Log;
  /** Endpoint whose model is preferred, if its vectors are complete. */
  endpoint: Omit<EmbeddingEndpoint, "url">;
}

/** Number of rows per page. */
const PAGE_ROWS = 500;

/** Follows the stored vectors of the serving model. */
export class VectorFollower {
  readonly #options: VectorFollowerOptions;
  #following: FollowedVectors | undefined;
  /** Partly loaded vectors of a model. After a failure, loading continues from their position. */
  #loading: FollowedVectors | undefined;
  readonly #catchingUp = new CatchingUp((signal) => this.#catchUp(signal));

  constructor(options: VectorFollowerOptions) {
    this.#options = options;
  }

  /**
   * Model whose vectors serve searches; undefined until the vectors of a complete model are loaded.
   */
  get served(): Served | undefined {
    return this.#following;
  }

  /**
   * Reads all vectors that are stored by now. A new model replaces the former one when its vectors
   * are loaded.
   */
  refresh(signal?: AbortSignal): Promise<void> {
    return this.#catchingUp.refresh(signal);
  }

  async #catchUp(signal?: AbortSignal): Promise<void> {
    const { sql, log, endpoint } = this.#options;
    const [model] = await sql<Model[]>`
      select id, name, dimensions, stored_seq from embedding_models
      where ready_at is not null and format = ${FORMAT}
      order by name = ${storedNameOf(endpoint)} desc, ready_at desc, id desc
      limit 1
    `;
    if (model === undefined) return void (this.#following = this.#loading = undefined);
    const following = await this.#placeIn(model);
    if (following !== this.#following) this.#loading = following;
    if (following.stored_seq < model.stored_seq && !await this.#readUpTo(following, signal)) return;
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
    const known = [this.#loading, this.#following].find((followed) =>
      followed?.model_id === model.id
    );
    if (known === undefined) return await beginning(model);
    if (known.stored_seq === model.stored_seq) return known;
    const position = { number: known.stored_seq, id: known.observation_id };
    const isSame = await isOfSameHistory(position, async (id) => {
      const [row] = await this.#options.sql<{ stored_seq: number }[]>`
        select stored_seq from observation_embeddings
        where model_id = ${model.id} and observation_id = ${id}
      `;
      return row?.stored_seq;
    });
    return isSame ? known : await beginning(model);
  }

  /** Reads the rows after a position. @returns false if the signal aborted before the last row */
  async #readUpTo(following: FollowedVectors, signal?: AbortSignal): Promise<boolean> {
    const pages = pagesAfter<VectorPage>(following, {
      limit: PAGE_ROWS,
      read: (page) => this.#readPage(following.model_id, page),
    });
    for await (const { rows } of pages) {
      if (signal?.aborted) return false;
      await takeInSlices(rows, ({ observation_id, stored_seq, ...stored }) => {
        this.#take(following, observation_id, stored);
        Object.assign(following, { observation_id, stored_seq });
      });
    }
    return true;
  }

  async #readPage(
    model_id: number,
    { after, limit }: { after: VectorPosition; limit: number },
  ): Promise<VectorPage> {
    const rows = await this.#options.sql<StoredRow[]>`
      select observation_id, stored_seq, vector, scale from observation_embeddings
      where model_id = ${model_id}
        and (stored_seq, observation_id) > (${after.stored_seq}, ${after.observation_id})
      order by stored_seq, observation_id
      limit ${limit}
    `;
    const { stored_seq, observation_id } = rows.at(-1) ?? after;
    return { rows, count: rows.length, last: { stored_seq, observation_id } };
  }

  /**
   * Adds the vector of a row to the index. If the row has no vector of these dimensions, removes
   * the observation's earlier vector. If the memory is full, leaves the vector out, and logs this
   * once.
   */
  #take(
    following: FollowedVectors,
    id: number,
    { vector, scale }: Pick<StoredRow, "vector" | "scale">,
  ): void {
    const { vectors } = following;
    if (vector?.length !== vectors.dimensions) return vectors.remove(id);
    try {
      vectors.put(id, quantizedOf({ vector, scale: scale! }));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      if (!following.full) {
        const { size } = vectors;
        this.#options.log.error("no memory for more embeddings", { vectors: size });
      }
      following.full = true;
    }
  }
}

async function beginning({ id, name, dimensions }: Model): Promise<FollowedVectors> {
  return {
    name,
    vectors: await VectorIndex.create(dimensions),
    model_id: id,
    stored_seq: 0,
    observation_id: 0,
    full: false,
  };
}
