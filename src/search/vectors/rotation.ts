/**
 * Rotates all vectors in the same way, so that their information is spread evenly over the
 * coordinates. A few bits are then enough for each coordinate. Each round multiplies the
 * coordinates by pseudo-random signs, and applies a Walsh-Hadamard transform. The number of
 * transformed coordinates has to be a power of two, so rounds transform the first and the last
 * coordinates in turn. Lengths and angles stay unchanged. The library of RaBitQ (Gao and Long,
 * SIGMOD 2024) rotates vectors in this way.
 */

const ROUNDS = 4;

/** Rotates a vector. The result is the same on every machine, except for the last digits. */
export function rotate(vector: ArrayLike<number>): Float64Array {
  const rotated = new Float64Array(vector);
  const { length } = rotated;
  const signs = signsOf(length);
  const size = 2 ** Math.floor(Math.log2(length));
  for (let round = 0; round < ROUNDS; round++) {
    for (let n = 0; n < length; n++) rotated[n]! *= signs[round * length + n]!;
    const start = round % 2 === 0 ? 0 : length - size;
    transform(rotated.subarray(start, start + size));
  }
  return rotated;
}

/** Cached signs by number of dimensions. A service uses one or two different numbers. */
const cachedSigns = new Map<number, Int8Array>();

/** Returns 1 or -1 for each round and coordinate. */
function signsOf(dimensions: number): Int8Array {
  let signs = cachedSigns.get(dimensions);
  if (signs === undefined) {
    signs = Int8Array.from({ length: ROUNDS * dimensions }, (_, n) => 1 - 2 * (mix(n + 1) & 1));
    cachedSigns.set(dimensions, signs);
  }
  return signs;
}

/** Applies a Walsh-Hadamard transform, which keeps lengths. */
function transform(vector: Float64Array): void {
  const { length } = vector;
  for (let half = 1; half < length; half *= 2) {
    for (let from = 0; from < length; from += 2 * half) {
      for (let n = from; n < from + half; n++) {
        const left = vector[n]!;
        const right = vector[n + half]!;
        vector[n] = left + right;
        vector[n + half] = left - right;
      }
    }
  }
  const scale = 1 / Math.sqrt(length);
  for (let n = 0; n < length; n++) vector[n]! *= scale;
}

/** Hashes a number by the finalizer of murmur3. */
function mix(seed: number): number {
  let mixed = seed;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
