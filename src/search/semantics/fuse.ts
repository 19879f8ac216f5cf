/**
 * Ranks what words have found by meaning as well: each observation's score, as a share of the best,
 * and how far it points where the query and the best answers to it point. Scores are fused, not
 * places, and words stay the senior partner (design 7).
 */
import type { Key } from "../engine/dictionary.ts";
import { compareHits, type ObservationHit } from "../engine/collectors.ts";
import { companyScore } from "../engine/companies.ts";
import type { CompanyHit, ObservationIndex } from "../engine/observation_index.ts";
import { DIMENSIONS, type SemanticModel } from "./model.ts";
import { cosine, type Direction, Projection, projectTerms } from "./projection.ts";

/** The share of meaning in a score: of 0.15 to 0.3 the one that is good to every collection. */
const SHARE = 0.2;

/** The best answers show what was meant: so many of them count as much as the query itself. */
const FEEDBACK = 5;

/**
 * So many of the first are looked at, observations or companies with theirs: those behind them do not
 * come to the front. With 100 no ranking of the collections is better in its first ten.
 */
const DEPTH = 50;

export interface Meaning {
  index: ObservationIndex;
  model: SemanticModel;
  /** The terms of the query. */
  keys: readonly Key[];
}

/** @returns the same observations, best first by both */
export function fuseObservations(
  hits: readonly ObservationHit[],
  meaning: Meaning,
): ObservationHit[] {
  return fuse(hits, DEPTH, meaning).sort(compareHits);
}

/** @returns the same companies with the same observations, both best first */
export function fuseCompanies(companies: readonly CompanyHit[], meaning: Meaning): CompanyHit[] {
  const ranked = companies.toSorted(compareCompanies);
  const hits = ranked.flatMap(({ observations }) => observations);
  const depth = ranked.slice(0, DEPTH).reduce((sum, own) => sum + own.observations.length, 0);
  const fused = fuse(hits, depth, meaning);
  let from = 0;
  return ranked.map(({ company_id, observations }) => {
    const own = fused.slice(from, from += observations.length).sort(compareHits);
    return { company_id, score: companyScore(own), observations: own };
  }).sort(compareCompanies);
}

function compareCompanies(a: CompanyHit, b: CompanyHit): number {
  return b.score - a.score || a.company_id - b.company_id;
}

interface Placed {
  hit: ObservationHit;
  direction: Direction;
}

/** Of what is not looked at. */
const NOWHERE: Direction = { coordinates: new Int8Array(DIMENSIONS), length: 0 };

/** @param depth how many of the first hits are looked at @returns in the order in which they came */
function fuse(
  hits: readonly ObservationHit[],
  depth: number,
  { index, model, keys }: Meaning,
): ObservationHit[] {
  const query = projectTerms(model, keys);
  const best = hits.reduce((most, { score }) => Math.max(most, score), 0);
  if (query.length === 0 || best === 0) return [...hits];
  const projection = new Projection(model);
  const placed = hits.map((hit, place): Placed => {
    if (place >= depth) return { hit, direction: NOWHERE };
    index.readTerms(hit.observation_id, model, projection.add);
    return { hit, direction: projection.finish() };
  });
  const wanted = unit([query]);
  const first = rescore(placed, { best, wanted }).sort((a, b) => compareHits(a.hit, b.hit));
  const shown = unit(first.slice(0, FEEDBACK).map(({ direction }) => direction));
  const meant = unit([wanted, shown].map((coordinates) => ({ coordinates, length: 1 })));
  return rescore(placed, { best, wanted: meant }).map(({ hit }) => hit);
}

function rescore(
  placed: readonly Placed[],
  { best, wanted }: { best: number; wanted: Float64Array },
): Placed[] {
  return placed.map(({ hit, direction }) => ({
    hit: {
      ...hit,
      score: (1 - SHARE) * hit.score / best + SHARE * cosine(wanted, direction),
    },
    direction,
  }));
}

/** The middle of directions, of length 1; 0 where there is none. */
function unit(directions: readonly { coordinates: ArrayLike<number>; length: number }[]) {
  const sum = new Float64Array(DIMENSIONS);
  for (const { coordinates, length } of directions) {
    if (length === 0) continue;
    for (let n = 0; n < DIMENSIONS; n++) sum[n]! += coordinates[n]! / length;
  }
  const length = Math.hypot(...sum);
  return length === 0 ? sum : sum.map((value) => value / length);
}
