/** Quantizes vectors to 8 bits per coordinate, and converts them to rows of the database and back. */

/** A direction as integer coordinates. */
export interface Quantized {
  /** Coordinates from -127 to 127. */
  coordinates: Int8Array;
  /** Factor that gives the vector a length of 1. */
  scale: number;
}

/** Quantizes the direction of a vector; undefined if it has no direction. */
export function quantize(vector: ArrayLike<number>): Quantized | undefined {
  let largest = 0;
  for (let n = 0; n < vector.length; n++) largest = Math.max(largest, Math.abs(vector[n]!));
  if (!(largest > 0 && largest < Infinity)) return undefined;
  // This divides first, because the reciprocal of a tiny number may be infinite.
  const coordinates = Int8Array.from(vector, (value) => Math.round(127 * (value / largest)));
  return { coordinates, scale: 1 / Math.hypot(...coordinates) };
}

/** Version of `quantize`. Vectors of other versions are computed again. */
export const FORMAT = 2;

/** A row for store_embeddings() in SQL. Without a direction, `vector` and `scale` are null. */
export type EmbeddingRow = ReturnType<typeof embeddingRow>;

/** Returns the row of an observation, with the coordinates of its vector in Base64. */
export function embeddingRow(observation_id: number, content_key: string, vector?: Float32Array) {
  const quantized = vector && quantize(vector);
  const bytes = quantized && new Uint8Array(quantized.coordinates.buffer);
  const base64 = bytes?.toBase64() ?? null;
  return { observation_id, content_key, vector: base64, scale: quantized?.scale ?? null };
}

/** Returns a vector from the columns of its row. */
export function quantizedOf({ vector, scale }: { vector: Uint8Array; scale: number }): Quantized {
  const { buffer, byteOffset, length } = vector;
  return { coordinates: new Int8Array(buffer, byteOffset, length), scale };
}
