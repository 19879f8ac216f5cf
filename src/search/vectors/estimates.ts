/**
 * Estimated scores of all vectors by the coarse pass: the best ones, and the significance
 * threshold.
 */
import { cosineOf } from "./vector_memory.ts";

/** Min share of the way from the median cosine to 1 that makes a vector near. */
const NEAR_SHARE = 1 / 3;

/** Share of a normal distribution that lies below the median plus one deviation. */
const ONE_DEVIATION = 0.8413;

/** Estimated scores by slot. The best ones are taken first. */
export class Estimates {
  readonly #estimates: Uint16Array;
  readonly #counts = new Uint32Array(65_536);
  /** Scores at or above this one have been returned. */
  #least = 65_536;
  /** Number of slots that `next` has returned. */
  returned = 0;
  /** Number of slots that it has yet to return: those with an estimate above 0. */
  left = 0;

  constructor(slots: number) {
    this.#estimates = new Uint16Array(slots);
  }

  get length(): number {
    return this.#estimates.length;
  }

  /** Records the estimates of slots from `from` on. `next` has returned none of these slots yet. */
  note(estimates: Uint16Array, from: number): void {
    this.#estimates.set(estimates, from);
    const counts = this.#counts;
    const clear = counts[0]!;
    for (let n = 0; n < estimates.length; n++) counts[estimates[n]!]!++;
    this.left += estimates.length - (counts[0]! - clear);
  }

  /**
   * Returns the next best slots: `most` of them, or all that are left. Further slots with the
   * estimate of the last one are included.
   */
  next(most: number): Uint32Array {
    const above = this.#least;
    let count = 0;
    while (this.#least > 1 && count < most) count += this.#counts[--this.#least]!;
    const slots = new Uint32Array(count);
    for (let slot = 0, at = 0; at < count; slot++) {
      const estimate = this.#estimates[slot]!;
      if (estimate >= this.#least && estimate < above) slots[at++] = slot;
    }
    this.returned += count;
    this.left -= count;
    return slots;
  }

  /**
   * Returns the cosine from which on a vector is near. It lies at least a third of the way from the
   * median cosine to 1. It is also higher than chance explains: of n values of a normal
   * distribution, one lies √(2 ln 10n) deviations out in one of a hundred cases. The deviation is
   * that of the half above the median, because cosines are skewed. Few relevant vectors do not
   * widen it. It is at least that of evenly spread directions, because a few vectors tell too
   * little.
   *
   * Measured with 30 to 50,000 vectors of each shape of bench/vectors.ts: none of 1,440 queries
   * about something else finds a vector. From 300 vectors on, a query that shares 0.6 of a topic
   * finds vectors of the topic in a third to a half of all cases. A query that shares 0.9 of it
   * does so in two to four of five cases. Neither finds any other vector.
   */
  floor(dimensions: number): number {
    const size = this.returned + this.left;
    if (size === 0) return 1;
    const middle = this.#quantile(0.5);
    const above = this.#quantile(ONE_DEVIATION) - middle;
    const deviation = Math.max(above, (1 - middle) / Math.sqrt(dimensions));
    const chance = Math.sqrt(2 * Math.log(10 * size)) * deviation;
    return middle + Math.max(NEAR_SHARE * (1 - middle), chance);
  }

  /** Returns the cosine that a share of all vectors does not exceed. */
  #quantile(share: number): number {
    let rank = Math.floor(share * (this.returned + this.left - 1));
    let estimate = 1;
    for (; rank >= this.#counts[estimate]!; estimate++) rank -= this.#counts[estimate]!;
    return cosineOf(estimate);
  }
}
