/** Decides which companies a search delivers, and in which order. */
import type { DeliveryEntry } from "../../operations/action.ts";
import type { JudgedRecord } from "./judge.ts";

/**
 * Returns the companies whose best record reaches the threshold, with their best records that reach
 * it. Companies are in the order of their best records.
 *
 * @param judged records, the best first
 */
export function decide(
  judged: readonly Pick<JudgedRecord, "observation_id" | "company_id" | "probability">[],
  { threshold, companies, observations }: {
    threshold: number;
    /** Max number of companies. */
    companies: number;
    /** Max number of observations per company. */
    observations: number;
  },
): DeliveryEntry[] {
  const entries = new Map<number, number[]>();
  for (const { company_id, observation_id, probability } of judged) {
    if (probability < threshold) break;
    const shown = entries.get(company_id);
    if (shown === undefined) {
      if (entries.size < companies) entries.set(company_id, [observation_id]);
    } else if (shown.length < observations) {
      shown.push(observation_id);
    }
  }
  return [...entries].map(([company_id, observation_ids]) => ({ company_id, observation_ids }));
}
