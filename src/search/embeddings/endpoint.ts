/** Vectors of texts by an OpenAI-compatible embeddings endpoint. */
import { z } from "zod";
import { type CallBounds, callModel, type ModelEndpoint, ModelFault } from "../model_endpoint.ts";

const DIMENSIONS_MAX = 8_192;

const Embeddings = z.object({
  data: z.array(z.object({
    index: z.int().min(0),
    // Finite ones: JSON can hold 1e999.
    embedding: z.array(z.number()).min(1).max(DIMENSIONS_MAX),
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
  for (const { index, embedding } of answer.data.data) {
    vectors[index] = Float32Array.from(embedding);
  }
  const [first] = vectors;
  const isWhole = answer.data.data.length === texts.length && vectors.length === texts.length;
  if (!isWhole || !texts.every((_, n) => vectors[n]?.length === first!.length)) {
    throw new ModelFault("not_vectors", "answered other vectors than were asked for");
  }
  return vectors;
}
