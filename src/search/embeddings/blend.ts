/**
 * Adjusts the probabilities of records by the nearness of their vectors to the query's, and adds
 * near records that words did not find.
 */
import { compareJudged, type JudgedRecord, WEIGHTS } from "../judge/judge.ts";

/** A record with the cosine of its vector and the query's. */
export interface NearRecord {
  observation_id: number;
  company_id: number;
  score: number;
}

/** The nearest records of a query. */
export interface NearRecords {
  /** Nearest admitted records, nearest first, also those below `floor`. */
  nearest: readonly NearRecord[];
  /** Min cosine by which a record counts as near: see vectors/scores.ts. */
  floor: number;
  /** Median cosine of all records. */
  middle: number;
  /** Returns the cosines of records. Records without a vector are left out. */
  scoresOf(observation_ids: Iterable<number>): ReadonlyMap<number, number>;
}

/**
 * Offset and slope that nearness adds to the log-odds of the judge. Nearness is 0 for the median
 * cosine of all records, and 1 for the cosine 1. A logistic regression over the judge's log-odds
 * and the nearness of the records of the real texts gave them, with the first 120 characters of
 * each record and multilingual-e5-small (2026-11-27, docs/quality.md).
 */
const OFFSET = -0.2;
const SLOPE = 2.64;

/**
 * Returns judged records with the probabilities that words and vectors give together. Each near
 * record reaches the threshold, also if words did not find it.
 */
export function withNearness(
  judged: readonly JudgedRecord[],
  { nearest, floor, middle, scoresOf }: NearRecords,
): JudgedRecord[] {
  const scores = scoresOf(judged.map(({ observation_id }) => observation_id));
  const slope = middle < 1 ? SLOPE / (1 - middle) : 0;
  const records = new Map(judged.map((record) => {
    const score = scores.get(record.observation_id);
    if (score === undefined) return [record.observation_id, record];
    const added = OFFSET + slope * Math.max(0, score - middle);
    return [record.observation_id, { ...record, probability: raised(record.probability, added) }];
  }));
  for (const { observation_id, company_id, score } of nearest) {
    if (score < floor) break;
    const { threshold } = WEIGHTS;
    const probability = Math.max(threshold, raised(threshold, slope * (score - floor)));
    const known = records.get(observation_id);
    if (known !== undefined && known.probability >= probability) continue;
    const features = known?.features ?? [];
    records.set(observation_id, { observation_id, company_id, features, probability });
  }
  return [...records.values()].sort(compareJudged);
}

/** Adds to the log-odds of a probability. */
function raised(probability: number, added: number): number {
  return 1 / (1 + Math.exp(-added) * (1 - probability) / probability);
}
