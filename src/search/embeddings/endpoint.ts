/** Vectors of texts by an OpenAI-compatible embeddings endpoint. */
import { z } from "zod";
import { type CallBounds, callModel, type ModelEndpoint, ModelFault } from "../model_endpoint.ts";

const DIMENSIONS_MAX = 8_192;

const Embeddings = z.object({
  data: z.array(z.object({
    index: z.int().min(0),
    // Its numbers, of which there are many, are checked as they are copied.
    embedding: z.custom<unknown[]>(Array.isArray),
  })),
});

/**
 * @param texts at least one
 * @returns a vector for each, in their order, all of the same dimensions
 * @throws ModelFault, or the reason of the signal
 */
export async function embed(
  endpoint: ModelEndpoint,
  texts: readonly string[],
  bounds: CallBounds,
): Promise<Float32Array[]> {
  const answer = Embeddings.safeParse(
    await callModel(endpoint, { input: texts, encoding_format: "float" }, bounds),
  );
  if (!answer.success) throw new ModelFault("not_vectors", "answered something else than vectors");
  const vectors: Float32Array[] = [];
  for (const { index, embedding } of answer.data.data) vectors[index] = vectorOf(embedding);
  const isWhole = answer.data.data.length === texts.length && vectors.length === texts.length;
  // An index that comes twice leaves a hole.
  if (!isWhole || !texts.every((_, n) => vectors[n] && vectors[n].length === vectors[0]!.length)) {
    throw new ModelFault("not_vectors", "answered other vectors than were asked for");
  }
  return vectors;
}

function vectorOf(values: readonly unknown[]): Float32Array {
  const { length } = values;
  const vector = new Float32Array(length <= DIMENSIONS_MAX ? length : 0);
  for (let n = 0; n < vector.length; n++) {
    const value = values[n];
    vector[n] = typeof value === "number" ? value : NaN;
  }
  // JSON can hold 1e999, and what is too large for 32 bits.
  if (vector.length === 0 || !vector.every(Number.isFinite)) {
    throw new ModelFault("not_vectors", "answered something else than vectors");
  }
  return vector;
}
