/** Requests the vectors of texts from an OpenAI-compatible embeddings endpoint. */
import { z } from "zod";
import { UnreadableSource } from "../../ingest/record/entry.ts";
import { parseJson, readElements } from "../../ingest/formats/json.ts";
import {
  type CallBounds,
  callModel,
  type ModelEndpoint,
  ModelFault,
} from "../models/model_endpoint.ts";

const DIMENSIONS_MAX = 8_192;

/** Max bytes of one vector as JSON: 32 for each of DIMENSIONS_MAX numbers. */
const VECTOR_BYTES = 32 * DIMENSIONS_MAX;

const Embedding = z.object({
  index: z.int().min(0),
  // The numbers are checked while they are copied, because there are many.
  embedding: z.custom<unknown[]>(Array.isArray),
});

/**
 * Requests vectors, and parses the answer vector by vector, in slices.
 *
 * @param texts at least one
 * @returns a vector for each text, in their order, all of the same dimensions
 * @throws ModelFault, or the reason of the signal
 */
export async function embed(
  endpoint: ModelEndpoint,
  texts: readonly string[],
  bounds: CallBounds,
): Promise<Float32Array[]> {
  const question = { input: texts, encoding_format: "float" };
  const read = (chunks: AsyncIterable<Uint8Array>) => readVectors(chunks, texts.length);
  return await callModel(endpoint, question, { ...bounds, read });
}

async function readVectors(
  chunks: AsyncIterable<Uint8Array>,
  count: number,
): Promise<Float32Array[]> {
  const vectors: (Float32Array | undefined)[] = new Array(count).fill(undefined);
  let answered = 0;
  try {
    for await (const line of readElements(chunks, { member: "data", longest: VECTOR_BYTES })) {
      const parsed = line.fault === undefined ? parseJson(line.text) : { reason: line.fault };
      const element = Embedding.safeParse("value" in parsed ? parsed.value : undefined);
      if (!element.success) throw notVectors();
      const { index, embedding } = element.data;
      if (++answered > count || index >= count) throw notVectors();
      vectors[index] = vectorOf(embedding);
    }
  } catch (error) {
    throw error instanceof UnreadableSource ? notVectors() : error;
  }
  // If an index is repeated, another index has no vector.
  return vectors.map((vector) => {
    if (vector === undefined || vector.length !== vectors[0]!.length) throw notVectors();
    return vector;
  });
}

function notVectors(): ModelFault {
  return new ModelFault("not_vectors", "did not answer with one vector per text");
}

function vectorOf(values: readonly unknown[]): Float32Array {
  const { length } = values;
  const vector = new Float32Array(length <= DIMENSIONS_MAX ? length : 0);
  for (let n = 0; n < vector.length; n++) {
    const value = values[n];
    vector[n] = typeof value === "number" ? value : NaN;
  }
  // JSON can contain numbers that are too large for a 32-bit float, such as 1e999.
  if (vector.length === 0 || !vector.every(Number.isFinite)) {
    throw notVectors();
  }
  return vector;
}
