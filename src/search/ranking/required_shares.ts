/** Computes the shares of a question's weight that a record must reach to be delivered. */

/** Shares of a question's weight (see coverage.ts) that records must reach. */
interface RequiredShares {
  /**
   * Min share by words and the facets and sectors that stand for words, if the question has other
   * conditions.
   */
  met: number;
  /** Min share by words alone, if the question has other conditions. */
  alone: number;
  /** Min share if the question has no other conditions. */
  only: number;
}

/** Max number of content words of a short question. */
const SHORT_WORDS = 4;
/** Max number of content words of a question of middle length. */
const MIDDLE_WORDS = 6;

/**
 * Required shares: `all` of the whole weight, and `best` of the best candidate's share. The higher
 * of the two applies.
 */
const SHARES = {
  met: { all: 0.38, best: 0.42 },
  alone: { all: 0.33, best: 0.36 },
  only: { all: 0.4, best: 0.45 },
  middle: { all: 0.15, best: 0.2 },
  long: { all: 0.04, best: 0.06 },
} as const;

/**
 * Returns the shares that records must reach. The shares are lower for a long question, because it
 * uses several words for the same thing.
 *
 * @param words number of content words
 * @param best the highest share of any candidate
 */
export function requiredShares(words: number, best: number): RequiredShares {
  const longer = words > MIDDLE_WORDS ? SHARES.long : words > SHORT_WORDS ? SHARES.middle : null;
  const higher = ({ all, best: part }: { all: number; best: number }) => Math.max(all, part * best);
  return {
    met: higher(longer ?? SHARES.met),
    alone: higher(longer ?? SHARES.alone),
    // Four words rarely name a single thing, so a smaller share suffices.
    only: higher(longer ?? (words === SHORT_WORDS ? SHARES.middle : SHARES.only)),
  };
}
