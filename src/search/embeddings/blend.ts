/**
 * What words have found and what lies near by meaning, in one ranking: both scores from 0 to 1, added,
 * with words as the senior partner (design 7).
 */
import { compareHits, type ObservationHit } from "../engine/collectors.ts";
import { companyScore, compareCompanies } from "../engine/companies.ts";
import type { CompanyHit } from "../engine/observation_index.ts";

/** The share of meaning in a score. */
const SHARE = 0.2;

/** How near observations are to a query. */
export interface Nearness {
  /** The nearest that are admitted, nearest first, near or not; `score` is a cosine. */
  nearest: readonly ObservationHit[];
  /** The cosine from which on what no word has found is found. */
  floor: number;
  /** The cosines of those that have vectors. */
  scores(observationIds: Iterable<number>): Map<number, number>;
}

/** @returns at most `limit` of both, best first */
export function blendObservations(
  hits: readonly ObservationHit[],
  nearness: Nearness,
  limit: number,
): ObservationHit[] {
  return blend(hits, nearness).sort(compareHits).slice(0, limit);
}

/** @returns the companies of both, each with at most so many observations, both best first */
export function blendCompanies(
  found: readonly CompanyHit[],
  nearness: Nearness,
  observations_per_company: number,
): CompanyHit[] {
  const hits = found.flatMap(({ observations }) => observations);
  const companies = Map.groupBy(blend(hits, nearness), ({ company_id }) => company_id);
  return companies.entries().map(([company_id, own]) => {
    const observations = own.sort(compareHits).slice(0, observations_per_company);
    return { company_id, score: companyScore(own), observations };
  }).toArray()
    .sort(compareCompanies);
}

function blend(
  hits: readonly ObservationHit[],
  { nearest, floor, scores }: Nearness,
): ObservationHit[] {
  const best = hits.reduce((most, { score }) => Math.max(most, score), 0);
  const near = nearest.filter(({ score }) => score >= floor);
  const all = new Map(near.map((hit) => [hit.observation_id, { ...hit, score: 0 }]));
  for (const hit of hits) all.set(hit.observation_id, hit);
  const cosines = scores(all.keys());
  // From the farthest of the nearest on: cosines of one model lie close together, far from 0.
  const least = nearest.at(-1)?.score ?? 0;
  const span = (nearest[0]?.score ?? 0) - least;
  const nearnessOf = (id: number) => {
    const above = (cosines.get(id) ?? least) - least;
    if (span > 0) return Math.min(1, Math.max(0, above / span));
    return nearest.length > 0 && cosines.has(id) ? 1 : 0;
  };
  return all.values().map((hit) => ({
    ...hit,
    score: (1 - SHARE) * (best > 0 ? hit.score / best : 0) + SHARE * nearnessOf(hit.observation_id),
  })).toArray();
}
