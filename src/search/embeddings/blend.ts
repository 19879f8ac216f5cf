/** Adds the nearness of vectors to the probabilities of records, and adds near records. */
import {
  compareJudged,
  type JudgedRecord,
  logOddsOf,
  NEAR_WEIGHTS,
  probabilityOf,
  WEIGHTS,
} from "../judge/judge.ts";

/** The nearest records of a query. */
export interface NearRecords {
  /** Nearest admitted records with their cosines, nearest first, also those below `floor`. */
  nearest: readonly { observation_id: number; company_id: number; score: number }[];
  /** Min cosine by which a record counts as near: see `floor` in vectors/vector_index.ts. */
  floor: number;
  /** Median cosine of all records. */
  middle: number;
  /** Returns the cosines of records. Records without a vector are left out. */
  scoresOf(observation_ids: Iterable<number>): ReadonlyMap<number, number>;
}

/** Returns the nearness of a cosine: 0 for the median cosine of all records, and 1 for 1. */
export function nearnessOf(score: number, middle: number): number {
  return middle < 1 ? Math.max(0, score - middle) / (1 - middle) : 0;
}

/**
 * Returns judged records with the probabilities that words and vectors give together. Each near
 * record reaches the threshold, also if words did not find it.
 */
export function withNearness(
  judged: readonly JudgedRecord[],
  { nearest, floor, middle, scoresOf }: NearRecords,
): JudgedRecord[] {
  const scores = scoresOf(judged.map(({ observation_id }) => observation_id));
  const withScore = (probability: number, score: number) =>
    probabilityOf([logOddsOf(probability), nearnessOf(score, middle)], NEAR_WEIGHTS);
  const records = new Map(judged.map((record) => {
    const score = scores.get(record.observation_id);
    const probability = score === undefined
      ? record.probability
      : withScore(record.probability, score);
    return [record.observation_id, { ...record, probability }];
  }));
  const { threshold } = WEIGHTS;
  const offset = logOddsOf(threshold) - logOddsOf(withScore(threshold, floor));
  for (const { observation_id, company_id, score } of nearest) {
    if (score < floor) break;
    // The nearest ones come first. One at the floor has the probability of the threshold, which a
    // rounded sum may miss.
    const logOdds = offset + logOddsOf(withScore(threshold, score));
    const probability = Math.max(threshold, 1 / (1 + Math.exp(-logOdds)));
    const known = records.get(observation_id);
    if (known !== undefined && known.probability >= probability) continue;
    const features = known?.features ?? [];
    records.set(observation_id, { observation_id, company_id, features, probability });
  }
  return [...records.values()].sort(compareJudged);
}
