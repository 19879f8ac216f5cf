/** Quantizes vectors to 8 bits per coordinate. */
import { rotate } from "./rotation.ts";

/** A direction as integer coordinates, rotated by rotation.ts. */
export interface Quantized {
  /** Coordinates from -127 to 127. */
  coordinates: Int8Array;
  /** Factor that gives the vector a length of 1. */
  scale: number;
}

/** Quantizes the direction of a vector; undefined if it has no direction. */
export function quantize(vector: ArrayLike<number>): Quantized | undefined {
  const rotated = rotate(vector);
  let largest = 0;
  for (const value of rotated) largest = Math.max(largest, Math.abs(value));
  if (!(largest > 0 && largest < Infinity)) return undefined;
  // This divides first, because the reciprocal of a tiny number may be infinite.
  const coordinates = new Int8Array(rotated.length);
  let squares = 0;
  for (let n = 0; n < rotated.length; n++) {
    const coordinate = Math.round(127 * (rotated[n]! / largest));
    coordinates[n] = coordinate;
    squares += coordinate * coordinate;
  }
  return { coordinates, scale: 1 / Math.sqrt(squares) };
}
