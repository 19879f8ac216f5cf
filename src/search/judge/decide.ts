/** Decides which companies a search delivers, and in which order. */
import type { DeliveryEntry } from "../../operations/action.ts";
import { FEATURES } from "./features.ts";
import type { JudgedRecord } from "./judge.ts";

const SILENT = FEATURES.indexOf("silent");

/**
 * Returns whether a record leaves a condition of the question open. What a record states that only
 * vectors found is unknown, so it counts as silent, too.
 */
export function isSilent({ features }: Pick<JudgedRecord, "features">): boolean {
  return (features[SILENT] ?? 1) > 0;
}

/** Returns judged records with the silent ones after all others, otherwise in the same order. */
export function silentLast<One extends Pick<JudgedRecord, "features">>(
  judged: readonly One[],
): One[] {
  return judged.toSorted((a, b) => Number(isSilent(a)) - Number(isSilent(b)));
}

/**
 * Returns the companies whose best record reaches the threshold, with their best records that reach
 * it. Companies are in the order of their best records.
 *
 * @param judged records in the order of the answer
 * @param limits.companies max number of companies
 * @param limits.observations max number of observations per company
 */
export function decide(
  judged: readonly Pick<JudgedRecord, "observation_id" | "company_id" | "probability">[],
  limits: { threshold: number; companies: number; observations: number },
): DeliveryEntry[] {
  const entries = new Map<number, number[]>();
  for (const { company_id, observation_id, probability } of judged) {
    if (probability < limits.threshold) continue;
    const shown = entries.get(company_id);
    if (shown === undefined) {
      if (entries.size < limits.companies) entries.set(company_id, [observation_id]);
    } else if (shown.length < limits.observations) {
      shown.push(observation_id);
    }
  }
  return [...entries].map(([company_id, observation_ids]) => ({ company_id, observation_ids }));
}
