/** Converts vectors to rows of the database and back. */
import { quantize, type Quantized } from "../vectors/quantized.ts";

/** Version of `quantize`. Vectors of other versions are computed again. */
export const FORMAT = 2;

/** A row for the SQL function store_embeddings(). */
export interface EmbeddingRow {
  observation_id: number;
  content_key: string;
  /** Coordinates in Base64; null: the observation has no vector. */
  vector: string | null;
  scale: number | null;
}

/** Returns the row of an observation. @param vector absent: the observation has none */
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

/** Returns a vector from the columns of its row. */
export function quantizedOf({ vector, scale }: { vector: Uint8Array; scale: number }): Quantized {
  const { buffer, byteOffset, length } = vector;
  return { coordinates: new Int8Array(buffer, byteOffset, length), scale };
}
