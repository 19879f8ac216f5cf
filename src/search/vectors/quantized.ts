/** Quantizes vectors to 8 bits per coordinate. */

/** A direction as integer coordinates. */
export interface Quantized {
  /** Coordinates from -127 to 127. */
  coordinates: Int8Array;
  /** Factor that gives the vector a length of 1. */
  scale: number;
}

/** Quantizes the direction of a vector; undefined if it has no direction. */
export function quantize(vector: ArrayLike<number>): Quantized | undefined {
  const largest = largestOf(vector);
  if (largest === undefined) return undefined;
  // This divides first, because the reciprocal of a tiny number may be infinite.
  const coordinates = Int8Array.from(vector, (value) => Math.round(127 * (value / largest)));
  return { coordinates, scale: 1 / Math.hypot(...coordinates) };
}

/** Returns the largest absolute coordinate; undefined if the vector has no direction. */
export function largestOf(vector: ArrayLike<number>): number | undefined {
  let largest = 0;
  for (let n = 0; n < vector.length; n++) largest = Math.max(largest, Math.abs(vector[n]!));
  return largest > 0 && largest < Infinity ? largest : undefined;
}
