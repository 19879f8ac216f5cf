/**
 * Functions for arrays of numbers: growth, lookups in ascending lists, and bit sets of documents.
 */

/**
 * Returns the position of the first number that is at least `min`, in a part of an ascending
 * list.
 */
export function lowerBound(
  numbers: Uint16Array,
  { start, end, min }: { start: number; end: number; min: number },
): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < min) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An ascending list whose numbers are looked up in ascending order. */
export class AscendingList {
  readonly #numbers: Uint16Array;
  /** Position from which the next number is searched for. */
  #place = 0;

  constructor(numbers: Uint16Array) {
    this.#numbers = numbers;
  }

  /** Returns the position of a number, or -1. */
  placeOf(number: number): number {
    const numbers = this.#numbers;
    let from = this.#place;
    let step = 1;
    while (from + step < numbers.length && numbers[from + step]! < number) {
      from += step;
      step *= 2;
    }
    const end = Math.min(from + step + 1, numbers.length);
    const place = this.#place = lowerBound(numbers, { start: from, end, min: number });
    return place < numbers.length && numbers[place] === number ? place : -1;
  }

  /** Resets the position, so that the next number may be lower than the last one. */
  rewind(): void {
    this.#place = 0;
  }
}

/** Returns a copy with at least twice the length, and at least the needed length. */
export function grown<Numbers extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(
  numbers: Numbers,
  needed: number,
): Numbers {
  const Kind = numbers.constructor as new (length: number) => Numbers;
  const longer = new Kind(Math.max(2 * numbers.length, needed));
  longer.set(numbers);
  return longer;
}

/** Half-open range: `from` belongs to it, `to` does not. */
export interface Range {
  from: number;
  to: number;
}

/** Returns a bit set of the documents in any of the lists. */
export function bitsOf({ size }: { size: number }, groups: readonly Uint16Array[]): Uint32Array {
  const bits = new Uint32Array((size + 31) >>> 5);
  for (const documents of groups) {
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at]!;
      bits[document >>> 5]! |= 1 << (document & 31);
    }
  }
  return bits;
}

/** Counts the set bits of a range. */
export function countBits(bits: Uint32Array, { from, to }: Range): number {
  let count = 0;
  const last = (to - 1) >>> 5;
  for (let place = from >>> 5; place <= last; place++) {
    let rest = bits[place]!;
    if (rest === 0) continue;
    if (place === from >>> 5) rest &= -1 << (from & 31);
    if (place === last) rest &= -1 >>> (31 - ((to - 1) & 31));
    count += bitCount(rest);
  }
  return count;
}

/** Counts the bits of a number that are set. */
export function bitCount(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Calls `take` for each set bit of a range, in ascending order. */
export function eachBit(
  bits: Uint32Array,
  { from, to }: Range,
  take: (document: number) => void,
): void {
  const last = (to - 1) >>> 5;
  for (let place = from >>> 5; place <= last; place++) {
    let rest = bits[place]!;
    if (rest === 0) continue;
    if (place === from >>> 5) rest &= -1 << (from & 31);
    if (place === last) rest &= -1 >>> (31 - ((to - 1) & 31));
    for (; rest !== 0; rest &= rest - 1) take(place << 5 | 31 - Math.clz32(rest & -rest));
  }
}

/** Tells whether a bit of a bit set is set. */
export function hasBit(bits: Uint32Array, place: number): boolean {
  return ((bits[place >>> 5]! >>> (place & 31)) & 1) === 1;
}
