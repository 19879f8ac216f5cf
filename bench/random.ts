/** Numbers that come out the same for the same seed. */

/** mulberry32 by Tommy Ettinger (public domain); reseeded for every document, so that each can be had alone. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = mix(seed);
  }

  /** Starts anew, as `new Random(seed)` does. */
  reseed(seed: number): void {
    this.#state = mix(seed);
  }

  /** Returns a number from 0 up to, but not including, 1. */
  next(): number {
    const state = this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 up to, but not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  from<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
}

/** Seeds that follow each other must not give streams that resemble each other (murmur3's finalizer). */
function mix(seed: number): number {
  let h = seed | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/**
 * Ranks by the law of Zipf and Mandelbrot: rank r has a part of all running text in proportion to
 * 1 / (r + flat).
 *
 * @returns the rank that stands at a share of all text, from 0 up to 1, when the commonest come first:
 * an even random number there draws words as texts have them
 */
export function createZipf({ ranks, flat }: { ranks: number; flat: number }) {
  const span = Math.log((ranks + flat) / flat);
  return (share: number): number =>
    Math.min(ranks - 1, Math.floor(flat * Math.exp(share * span) - flat));
}
