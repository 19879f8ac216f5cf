/**
 * Keeps the estimated scores of all vectors for one query. Returns the slots with the best
 * estimates, and the significance threshold.
 */
import { cosineOf } from "./vector_memory.ts";

/**
 * Min distance of a near vector's cosine from the median, as a share of the distance from the
 * median to 1.
 */
const NEAR_SHARE = 1 / 3;

/** Share of a normal distribution that is below the median plus one standard deviation. */
const ONE_DEVIATION = 0.8413;

/** Estimated scores by slot. `next` returns the best slots first. */
export class Estimates {
  readonly #estimates: Uint16Array;
  readonly #counts = new Uint32Array(65_536);
  /** Lowest estimate whose slots `next` has returned. */
  #minReturned = 65_536;
  /** Number of slots that `next` has returned. */
  returned = 0;
  /** Number of slots that `next` has not returned yet. Slots with the estimate 0 do not count. */
  left = 0;

  constructor(slots: number) {
    this.#estimates = new Uint16Array(slots);
  }

  get length(): number {
    return this.#estimates.length;
  }

  /**
   * Records the estimates of consecutive slots, beginning at `from`. It must be called before
   * `next`.
   */
  note(estimates: Uint16Array, from: number): void {
    this.#estimates.set(estimates, from);
    const counts = this.#counts;
    const clear = counts[0]!;
    for (let n = 0; n < estimates.length; n++) counts[estimates[n]!]!++;
    this.left += estimates.length - (counts[0]! - clear);
  }

  /**
   * Returns the next best slots: `min` of them, or all that are left. Further slots with the
   * estimate of the last one are included.
   */
  next(min: number): Uint32Array {
    const above = this.#minReturned;
    let count = 0;
    while (this.#minReturned > 1 && count < min) count += this.#counts[--this.#minReturned]!;
    const slots = new Uint32Array(count);
    for (let slot = 0, at = 0; at < count; slot++) {
      const estimate = this.#estimates[slot]!;
      if (estimate >= this.#minReturned && estimate < above) slots[at++] = slot;
    }
    this.returned += count;
    this.left -= count;
    return slots;
  }

  /**
   * Returns the min cosine of a near vector. It is at least a third of the way from the median
   * cosine to 1. It is also at least √(2 ln 10n) standard deviations above the median. The highest
   * of n values of a normal distribution exceeds that in about one of a hundred cases. The
   * deviation is measured above the median, because cosines are skewed. It is a quantile, so a few
   * relevant vectors do not increase it. It is at least the deviation of evenly spread directions,
   * because a few vectors are a poor sample.
   *
   * The bound was measured with 30 to 50,000 vectors of each shape of bench/vectors.ts. None of
   * 1,440 queries about another subject finds a vector. With 300 or more vectors, a query with the
   * coefficient 0.6 of a topic finds vectors of the topic in a third to a half of all cases. A
   * query with the coefficient 0.9 does so in two to four of five cases. Neither query finds a
   * vector of another topic.
   */
  floor(dimensions: number): number {
    const size = this.returned + this.left;
    if (size === 0) return 1;
    const { middle } = this;
    const above = this.#quantile(ONE_DEVIATION) - middle;
    const deviation = Math.max(above, (1 - middle) / Math.sqrt(dimensions));
    const chance = Math.sqrt(2 * Math.log(10 * size)) * deviation;
    return middle + Math.max(NEAR_SHARE * (1 - middle), chance);
  }

  /** Median cosine of all vectors; 1 without vectors. */
  get middle(): number {
    return this.returned + this.left === 0 ? 1 : this.#quantile(0.5);
  }

  /** Returns the cosine that a share of all vectors does not exceed. */
  #quantile(share: number): number {
    let rank = Math.floor(share * (this.returned + this.left - 1));
    let estimate = 1;
    for (; rank >= this.#counts[estimate]!; estimate++) rank -= this.#counts[estimate]!;
    return cosineOf(estimate);
  }
}
