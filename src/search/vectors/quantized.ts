/** Vectors of 8 bits a coordinate. */
import { rotate } from "./rotation.ts";

/** A direction, turned as rotation.ts does. */
export interface Quantized {
  /** Coordinates from -127 to 127. */
  coordinates: Int8Array;
  /** Times this, they are a vector of length 1. */
  scale: number;
}

/** Returns the direction of a vector, whatever its length; undefined if it has none. */
export function quantize(vector: ArrayLike<number>): Quantized | undefined {
  const turned = rotate(vector);
  let largest = 0;
  for (const value of turned) largest = Math.max(largest, Math.abs(value));
  if (!(largest > 0 && largest < Infinity)) return undefined;
  // Divided first: a tiny number's reciprocal may be infinite.
  const coordinates = new Int8Array(turned.length);
  let squares = 0;
  for (let n = 0; n < turned.length; n++) {
    const coordinate = Math.round(127 * (turned[n]! / largest));
    coordinates[n] = coordinate;
    squares += coordinate * coordinate;
  }
  return { coordinates, scale: 1 / Math.sqrt(squares) };
}
