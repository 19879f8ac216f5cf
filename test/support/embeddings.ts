/** Vectors of observations in tests: computed to the end, read back, loaded. */
import type { Sql } from "../../src/db/connect.ts";
import type { Log } from "../../src/log.ts";
import { Embedder } from "../../src/search/embeddings/embedder.ts";
import { VectorFollower } from "../../src/search/embeddings/vector_follower.ts";
import type { ModelEndpoint } from "../../src/search/models/model_endpoint.ts";
import { silent } from "./operations.ts";

export const going = new AbortController().signal;

/** Steps until it has come to the end of the changes or of what has had its time, or fails. */
export async function drain(embedder: Embedder): Promise<void> {
  while (await embedder.step(going));
}

interface EmbedderParts {
  log?: Log;
  milliseconds?: number;
  now?: () => number;
}

export function embedderOf(sql: Sql, endpoint: ModelEndpoint, parts: EmbedderParts = {}): Embedder {
  return new Embedder({ sql, log: silent, endpoint, ...parts });
}

export function vectorFollowerOf(sql: Sql, model = "m-1"): VectorFollower {
  return new VectorFollower({ sql, log: silent, endpoint: { model } });
}

/** Returns the vectors that are served when all that is stored has been read. */
export async function loaded(follower: VectorFollower) {
  await follower.refresh();
  const { served } = follower;
  return served && { name: served.name, size: served.vectors.size };
}

/** Observations that have vectors, by model. */
export async function vectorsOf(sql: Sql) {
  const rows = await sql<{ name: string; ids: number[] }[]>`
    select m.name, array_agg(e.observation_id::integer order by e.observation_id)
      filter (where e.vector is not null) as ids
    from embedding_models m
    left join observation_embeddings e on e.model_id = m.id
    group by m.id
    order by m.id
  `;
  return rows.map(({ name, ids }) => ({ name, ids }));
}
