/** Raises the records whose vectors are near the query, and adds those that words did not find. */
import { compareJudged, type JudgedRecord, WEIGHTS } from "../judge/judge.ts";

/** A record with the cosine of its vector and the query's. */
export interface NearRecord {
  observation_id: number;
  company_id: number;
  score: number;
}

/** The nearest records of a query; "unavailable" if the endpoint failed. */
export type Nearness = NearRecords | "unavailable" | undefined;

export interface NearRecords {
  /** Nearest admitted records, nearest first, also those below `floor`. */
  nearest: readonly NearRecord[];
  /** Min cosine by which a record counts as near: see vectors/estimates.ts. */
  floor: number;
}

/** Share of the probabilities above the threshold that near records can reach by their vectors. */
const NEAR_SHARE = 0.2;

/**
 * Returns judged records in which each near one reaches the threshold. The nearest record gets the
 * greatest probability. Records that words have found with a greater one keep it.
 */
export function withNearness(
  judged: readonly JudgedRecord[],
  { nearest, floor }: NearRecords,
): JudgedRecord[] {
  const records = new Map(judged.map((record) => [record.observation_id, record]));
  const best = nearest[0]?.score ?? 1;
  for (const { observation_id, company_id, score } of nearest) {
    if (score < floor) break;
    const nearness = best === floor ? 1 : (score - floor) / (best - floor);
    const { threshold } = WEIGHTS;
    const probability = threshold + (1 - threshold) * NEAR_SHARE * nearness;
    const known = records.get(observation_id);
    if (known !== undefined && known.probability >= probability) continue;
    records.set(observation_id, {
      observation_id,
      company_id,
      features: known?.features ?? [],
      probability,
    });
  }
  return [...records.values()].sort(compareJudged);
}
