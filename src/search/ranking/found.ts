/**
 * Selects the candidates that are about the subject of a question. They must cover a required share
 * of the weight of its words (see coverage.ts).
 */
import type { ObservationHit } from "../engine/collecting.ts";
import type { Coverage } from "./coverage.ts";
import type { Judges } from "./judge.ts";
import { requiredShares } from "./required_shares.ts";

/** A candidate that is about the subject of the question, or whose company the question names. */
export interface FoundHit extends ObservationHit {
  /** True if the words of the candidate alone reach the required share. */
  by_words: boolean;
  /**
   * True if the words, facets and sectors of the candidate together reach the share that is
   * required of words alone.
   */
  by_subject: boolean;
}

/**
 * Returns the candidates that are about the subject of the question, and all candidates of the
 * companies that the question names (`named`).
 */
export function foundOf({ coverage, candidates, judges, named }: {
  coverage: Coverage;
  judges: Judges;
  candidates: ReadonlyMap<number, ObservationHit>;
  named: ReadonlySet<number>;
}): FoundHit[] {
  const hits = [...candidates.values()];
  const shares = hits.map(({ observation_id }) => coverage.of(observation_id));
  const best = shares.reduce((best, { all }) => Math.max(best, all), 0);
  const required = requiredShares(coverage.size, best);
  const minTogether = judges.size > 0 ? required.met : required.only;
  const minAlone = judges.size > 0 ? required.alone : required.only;
  return hits
    .map(({ observation_id, company_id, score }, place): FoundHit => ({
      observation_id,
      company_id,
      score,
      by_words: shares[place]!.words >= minAlone,
      by_subject: shares[place]!.all >= minAlone,
    }))
    .filter(({ company_id, by_words }, place) =>
      by_words || named.has(company_id) || shares[place]!.all >= minTogether
    );
}
