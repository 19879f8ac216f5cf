/** Keeps the vectors of the serving model in memory, and follows what workers store. */
import type { Sql } from "../../db/connect.ts";
import type { Log } from "../../log.ts";
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
}

interface Model {
  id: number;
  name: string;
  dimensions: number;
  stored_seq: number;
}

/** Rows of a page: a few milliseconds of the event loop. */
const PAGE_ROWS = 500;

export class VectorKeeper {
  readonly #sql: Sql;
  readonly #log: Log;
  #following: Following | undefined;
  #refreshing: Promise<void> = Promise.resolve();

  constructor({ sql, log }: { sql: Sql; log: Log }) {
    this.#sql = sql;
    this.#log = log;
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
    const [model] = await this.#sql<Model[]>`
      select id, name, dimensions, stored_seq from embedding_models
      where ready_at is not null and dimensions is not null and format = ${FORMAT}
      order by ready_at desc, id desc
      limit 1
    `;
    if (model === undefined) return void (this.#following = undefined);
    const known = this.#following;
    // A sequence that runs backwards is another history: a backup has been restored.
    const goesOn = known?.model_id === model.id && known.stored_seq <= model.stored_seq;
    const following = goesOn ? known : beginning(model);
    if (following.stored_seq < model.stored_seq && !await this.#read(following, signal)) return;
    if (following !== known) {
      this.#following = following;
      this.#log.info("embeddings loaded", { vectors: following.vectors.size });
    }
  }

  /** @returns whether the end was reached */
  async #read(following: Following, signal?: AbortSignal): Promise<boolean> {
    const { model_id, vectors } = following;
    for (;;) {
      const rows = await this.#sql<
        {
          observation_id: number;
          stored_seq: number;
          vector: Uint8Array | null;
          scale: number | null;
        }[]
      >`
        select observation_id, stored_seq, vector, scale from observation_embeddings
        where model_id = ${model_id}
          and (stored_seq, observation_id) > (${following.stored_seq}, ${following.observation_id})
        order by stored_seq, observation_id
        limit ${PAGE_ROWS}
      `;
      if (signal?.aborted) return false;
      for (const { observation_id, stored_seq, vector, scale } of rows) {
        if (vector === null) vectors.remove(observation_id);
        else vectors.put(observation_id, quantizedOf({ vector, scale: scale! }));
        Object.assign(following, { observation_id, stored_seq });
      }
      if (rows.length < PAGE_ROWS) return true;
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
  };
}
