/** Groups hits by company. */
import type { ObservationHit } from "../engine/collecting.ts";

/** Returns the hits of each company, in their order. */
export function groupedByCompany<Hit extends ObservationHit>(hits: readonly Hit[]): Hit[][] {
  const groups = new Map<number, Hit[]>();
  for (const hit of hits) {
    const group = groups.get(hit.company_id);
    if (group === undefined) groups.set(hit.company_id, [hit]);
    else group.push(hit);
  }
  return [...groups.values()];
}

/** Counts the companies of hits. */
export function countCompanies(hits: readonly ObservationHit[]): number {
  const companies = new Set<number>();
  for (const { company_id } of hits) companies.add(company_id);
  return companies.size;
}
