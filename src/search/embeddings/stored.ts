/** Vectors as the database holds them. */
import { quantize, type Quantized } from "../vectors/quantized.ts";

/** Tells vectors that are turned or rounded in another way, which are computed anew. */
export const FORMAT = 1;

/** A row as store_embeddings() takes it. */
export interface EmbeddingRow {
  observation_id: number;
  content_key: string;
  /** Null: none. */
  vector: string | null;
  scale: number | null;
}

/** @param vector absent: the observation has none */
export function embeddingRow(
  observation_id: number,
  content_key: string,
  vector?: Float32Array,
): EmbeddingRow {
  const quantized = vector && quantize(vector);
  if (quantized === undefined) return { observation_id, content_key, vector: null, scale: null };
  const bytes = new Uint8Array(quantized.coordinates.buffer);
  return { observation_id, content_key, vector: bytes.toBase64(), scale: quantized.scale };
}

/** Values of the columns of the same names. */
export function quantizedOf({ vector, scale }: { vector: Uint8Array; scale: number }): Quantized {
  const { buffer, byteOffset, length } = vector;
  return { coordinates: new Int8Array(buffer, byteOffset, length), scale };
}
