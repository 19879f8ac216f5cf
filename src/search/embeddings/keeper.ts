/** Keeps the vectors of the serving model in memory, and follows what workers store. */
import type { Sql } from "../../db/connect.ts";
import type { Log } from "../../log.ts";
import type { ModelEndpoint } from "../model_endpoint.ts";
import { VectorIndex } from "../vectors/vector_index.ts";
import { FORMAT, quantizedOf } from "./stored.ts";

export interface Served {
  /** What the endpoint calls the model. */
  name: string;
  vectors: VectorIndex;
}

interface Following extends Served {
  model_id: number;
  /** All rows up to (stored_seq, observation_id) are there. */
  stored_seq: number;
  observation_id: number;
  /** Some did not fit into memory. */
  full: boolean;
}

interface Model {
  id: number;
  name: string;
  dimensions: number;
  stored_seq: number;
}

interface Row {
  observation_id: number;
  stored_seq: number;
  vector: Uint8Array | null;
  scale: number | null;
}

export interface KeeperOptions {
  sql: Sql;
  log: Log;
  /** Whose model is served if it is there. */
  endpoint: Pick<ModelEndpoint, "model">;
}

/** Rows of a page: a few milliseconds of the event loop. */
const PAGE_ROWS = 500;

export class VectorKeeper {
  readonly #options: KeeperOptions;
  #following: Following | undefined;
  /** Read in part: what fails in the middle goes on from there. */
  #loading: Following | undefined;
  #refreshing: Promise<void> = Promise.resolve();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Nothing until a first model has embedded all observations. */
  get served(): Served | undefined {
    return this.#following;
  }

  /** Reads all that is stored by now. A model that takes another's place does so when it is loaded. */
  refresh(signal?: AbortSignal): Promise<void> {
    this.#refreshing = this.#refreshing.catch(() => {}).then(() => this.#catchUp(signal));
    return this.#refreshing;
  }

  async #catchUp(signal?: AbortSignal): Promise<void> {
    const { sql, log, endpoint } = this.#options;
    const [model] = await sql<Model[]>`
      select id, name, dimensions, stored_seq from embedding_models
      where ready_at is not null and format = ${FORMAT}
      order by name = ${endpoint.model} desc, ready_at desc, id desc
      limit 1
    `;
    if (model === undefined) return void (this.#following = this.#loading = undefined);
    const following = await this.#placeIn(model);
    if (following !== this.#following) this.#loading = following;
    if (following.stored_seq < model.stored_seq && !await this.#read(following, signal)) return;
    this.#loading = undefined;
    if (following !== this.#following) {
      this.#following = following;
      log.info("embeddings loaded", { vectors: following.vectors.size });
    }
  }

  /** Where to go on from: in another history, which a restored backup is, from the beginning. */
  async #placeIn(model: Model): Promise<Following> {
    const known = [this.#loading, this.#following].find((one) => one?.model_id === model.id);
    if (known === undefined) return beginning(model);
    if (known.stored_seq === model.stored_seq || known.stored_seq === 0) return known;
    const [last] = await this.#options.sql<{ stored_seq: number }[]>`
      select stored_seq from observation_embeddings
      where model_id = ${model.id} and observation_id = ${known.observation_id}
    `;
    // Rows stay while their model does, and a row's place only grows.
    return last && last.stored_seq >= known.stored_seq ? known : beginning(model);
  }

  /** @returns whether the end was reached */
  async #read(following: Following, signal?: AbortSignal): Promise<boolean> {
    for (;;) {
      const rows = await this.#options.sql<Row[]>`
        select observation_id, stored_seq, vector, scale from observation_embeddings
        where model_id = ${following.model_id}
          and (stored_seq, observation_id) > (${following.stored_seq}, ${following.observation_id})
        order by stored_seq, observation_id
        limit ${PAGE_ROWS}
      `;
      if (signal?.aborted) return false;
      for (const { observation_id, stored_seq, ...stored } of rows) {
        this.#take(following, observation_id, stored);
        Object.assign(following, { observation_id, stored_seq });
      }
      if (rows.length < PAGE_ROWS) return true;
    }
  }

  /** What memory has no room for is left out, and said once. */
  #take(following: Following, id: number, { vector, scale }: Pick<Row, "vector" | "scale">): void {
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

function beginning({ id, name, dimensions }: Model): Following {
  return {
    name,
    vectors: new VectorIndex(dimensions),
    model_id: id,
    stored_seq: 0,
    observation_id: 0,
    full: false,
  };
}
