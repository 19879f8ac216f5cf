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
