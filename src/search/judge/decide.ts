/** Decides which companies a search delivers, and in which order. */
import type { DeliveryEntry } from "../../operations/action.ts";

/** A record with the probability that it is about the question. */
export interface JudgedRecord {
  observation_id: number;
  company_id: number;
  probability: number;
}

/**
 * Returns the companies whose best record reaches the threshold, with their best records. Companies
 * and records are sorted by probability, then by id, so that replicas agree.
 */
export function decide(
  records: readonly JudgedRecord[],
  { threshold, companies, observations }: {
    threshold: number;
    /** Max number of companies. */
    companies: number;
    /** Max number of observations per company. */
    observations: number;
  },
): DeliveryEntry[] {
  const sorted = records.filter(({ probability }) => probability >= threshold).sort((a, b) =>
    b.probability - a.probability || a.observation_id - b.observation_id
  );
  const entries = new Map<number, number[]>();
  for (const { company_id, observation_id } of sorted) {
    const shown = entries.get(company_id);
    if (shown === undefined) {
      if (entries.size < companies) entries.set(company_id, [observation_id]);
    } else if (shown.length < observations) {
      shown.push(observation_id);
    }
  }
  return [...entries].map(([company_id, observation_ids]) => ({ company_id, observation_ids }));
}
