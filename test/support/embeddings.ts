/** Computes, reads and loads the vectors of observations in tests. */
import type { Sql } from "../../src/db/connect.ts";
import type { Log } from "../../src/log.ts";
import { Embedder } from "../../src/search/embeddings/embedder.ts";
import { VectorFollower } from "../../src/search/embeddings/vector_follower.ts";
import type { ModelEndpoint } from "../../src/search/models/model_endpoint.ts";
import { silent } from "./operations.ts";

/** A signal that is never aborted. */
export const NEVER_ABORTED = new AbortController().signal;

/** Runs steps until a step has nothing to do or fails. */
export async function drain(embedder: Embedder): Promise<void> {
  while (await embedder.step(NEVER_ABORTED));
}

interface EmbedderParts {
  log?: Log;
  milliseconds?: number;
  now?: () => number;
}

/** Returns an embedder that uses an endpoint. */
export function embedderOf(sql: Sql, endpoint: ModelEndpoint, parts: EmbedderParts = {}): Embedder {
  return new Embedder({ sql, log: silent, endpoint, ...parts });
}

/** Returns a follower of the vectors of a model. */
export function vectorFollowerOf(sql: Sql, model = "m-1"): VectorFollower {
  return new VectorFollower({ sql, log: silent, endpoint: { model } });
}

/**
 * Reads all stored vectors, and returns the model and the number of the vectors that are served.
 */
export async function loaded(follower: VectorFollower) {
  await follower.refresh();
  const { served } = follower;
  return served && { name: served.name, size: served.vectors.size };
}

/** Returns each model with the ids of the observations that have vectors of it. */
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
