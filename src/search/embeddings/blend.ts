/**
 * Selects the vector neighbours that join the lexical hits, and rates the nearness of hits from 0
 * to 1. `blended` of semantics/fuse.ts averages this nearness with the score by words.
 */
import type { ObservationHit } from "../engine/collecting.ts";

/** Nearness of observations to a query. */
export interface Nearness {
  /**
   * Nearest admitted observations, nearest first, also those below `floor`. `score` is a cosine.
   */
  nearest: readonly ObservationHit[];
  /** Min cosine of a hit that is found by its vector alone. */
  floor: number;
  /** Returns the cosines of the observations that have vectors. */
  scores(observationIds: Iterable<number>): Map<number, number>;
}

/**
 * Returns the neighbours with a cosine of at least `floor` that are not lexical hits. Their lexical
 * score is 0.
 *
 * @param hits lexical hits
 */
export function nearHits(
  hits: readonly ObservationHit[],
  { nearest, floor }: Nearness,
): ObservationHit[] {
  const known = new Set(hits.map(({ observation_id }) => observation_id));
  return nearest.filter(({ score, observation_id }) => score >= floor && !known.has(observation_id))
    .map((hit) => ({ ...hit, score: 0 }));
}

/**
 * Returns the nearness of each hit, from 0 for the farthest neighbour to 1 for the nearest one.
 * Hits that are farther away, or have no vector, get 0. Cosines are rescaled, because the cosines
 * of a model are close together and far from 0.
 */
export function nearnessOf(
  hits: readonly ObservationHit[],
  { nearest, scores }: Nearness,
): Float64Array {
  const cosines = scores(hits.map(({ observation_id }) => observation_id));
  const minScore = nearest.at(-1)?.score ?? 0;
  const span = (nearest[0]?.score ?? 0) - minScore;
  return Float64Array.from(hits, ({ observation_id }) => {
    const above = (cosines.get(observation_id) ?? minScore) - minScore;
    if (span > 0) return Math.min(1, Math.max(0, above / span));
    return nearest.length > 0 && cosines.has(observation_id) ? 1 : 0;
  });
}
