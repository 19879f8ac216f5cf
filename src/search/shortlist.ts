/** Scored observations to ranked companies. */
import type { Entry } from "../operations/action.ts";
import type { Hit } from "./engine/observation_index.ts";

/**
 * A company is worth its best observation, a quarter of its second and a sixteenth of its third:
 * more support decides between companies that match alike, but many weak observations never
 * outweigh a good one.
 */
const SUPPORT_SHARES = [1, 1 / 4, 1 / 16];

interface Candidate {
  company_id: number;
  /** Best first; as many as are scored or shown. */
  best: Hit[];
}

/**
 * The best companies with their best observations. The order is strict and depends on scores and
 * ids alone: companies by score, then id; observations likewise.
 *
 * @param hits in any order, one for each observation
 */
export function shortlist(
  hits: Iterable<Hit>,
  limits: { companies: number; observations_per_company: number },
): Entry[] {
  const kept = Math.max(limits.observations_per_company, SUPPORT_SHARES.length);
  const candidates = new Map<number, Candidate>();
  for (const hit of hits) {
    const { company_id } = hit.document;
    const candidate = candidates.get(company_id);
    if (candidate) insertRanked(candidate.best, hit, kept);
    else candidates.set(company_id, { company_id, best: [hit] });
  }
  return [...candidates.values()]
    .map((candidate) => ({ ...candidate, score: companyScore(candidate.best) }))
    .sort((a, b) => b.score - a.score || a.company_id - b.company_id)
    .slice(0, limits.companies)
    .map(({ company_id, best }) => ({
      company_id,
      observation_ids: best.slice(0, limits.observations_per_company)
        .map(({ document }) => document.observation_id),
    }));
}

/** The best observations by themselves, in the same strict order. */
export function shortlistObservations(hits: Iterable<Hit>, observations: number): Entry[] {
  return [...hits].sort(compareHits).slice(0, observations).map(({ document }) => ({
    company_id: document.company_id,
    observation_ids: [document.observation_id],
  }));
}

function companyScore(best: Hit[]): number {
  return SUPPORT_SHARES.reduce((sum, share, place) => sum + share * (best[place]?.score ?? 0), 0);
}

function insertRanked(best: Hit[], hit: Hit, kept: number): void {
  if (best.length === kept && compareHits(hit, best[kept - 1]!) > 0) return;
  let place = best.length;
  while (place > 0 && compareHits(hit, best[place - 1]!) < 0) place--;
  best.splice(place, 0, hit);
  if (best.length > kept) best.pop();
}

function compareHits(a: Hit, b: Hit): number {
  return b.score - a.score || a.document.observation_id - b.document.observation_id;
}
