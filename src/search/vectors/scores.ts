/** Counts the cosines of all vectors with a query, and computes what is significant among them. */

/**
 * Min distance of a near vector's cosine from the median, as a share of the distance from the
 * median to 1.
 */
const NEAR_SHARE = 1 / 3;

/** Share of a normal distribution that is below the median plus one standard deviation. */
const ONE_DEVIATION = 0.8413;

/** Number of counted steps from the cosine 0 to 1. */
const STEPS = 32_000;

/** Counts of cosines. */
export class Scores {
  readonly #counts = new Uint32Array(2 * STEPS + 1);
  #size = 0;

  add(cosine: number): void {
    this.#counts[Math.round((1 + Math.min(1, Math.max(-1, cosine))) * STEPS)]!++;
    this.#size++;
  }

  /**
   * Returns the min cosine of a near vector. It is at least a third of the way from the median
   * cosine to 1. It is also at least √(2 ln 10n) standard deviations above the median. The highest
   * of n values of a normal distribution exceeds that in about one of a hundred cases. The
   * deviation is measured above the median, because cosines are skewed. It is a quantile, so a few
   * relevant vectors do not increase it. It is at least the deviation of evenly spread directions,
   * because a few vectors are a poor sample.
   */
  floor(dimensions: number): number {
    if (this.#size === 0) return 1;
    const { middle } = this;
    const above = this.#quantile(ONE_DEVIATION) - middle;
    const deviation = Math.max(above, (1 - middle) / Math.sqrt(dimensions));
    const chance = Math.sqrt(2 * Math.log(10 * this.#size)) * deviation;
    return middle + Math.max(NEAR_SHARE * (1 - middle), chance);
  }

  /** Median cosine of all vectors; 1 without vectors. */
  get middle(): number {
    return this.#size === 0 ? 1 : this.#quantile(0.5);
  }

  /** Returns the cosine that a share of all vectors does not exceed. */
  #quantile(share: number): number {
    let rank = Math.floor(share * (this.#size - 1));
    let step = 0;
    for (; rank >= this.#counts[step]!; step++) rank -= this.#counts[step]!;
    return step / STEPS - 1;
  }
}
