/** Pseudorandom numbers, which are the same for the same seed. */

/** Generator mulberry32 by Tommy Ettinger (public domain). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = mix(seed);
  }

  /** Returns a number from 0 up to, but not including, 1. */
  next(): number {
    const state = this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns an integer from 0 up to, but not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** Returns one of the items. */
  from<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
}

/** Hashes a seed by the finalizer of murmur3, so that the streams of consecutive seeds are unlike. */
function mix(seed: number): number {
  let h = seed | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
