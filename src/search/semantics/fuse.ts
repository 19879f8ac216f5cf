/**
 * Ranks what words have found by meaning as well: each observation's score, as a share of the best,
 * and how far it points where the query and the best answers to it point. Scores are fused, not
 * places, and words stay the senior partner (design 7).
 */
import type { Key } from "../engine/dictionary.ts";
import { compareHits, type ObservationHit } from "../engine/collectors.ts";
import type { ObservationIndex } from "../engine/observation_index.ts";
import { DIMENSIONS, type SemanticModel } from "./model.ts";
import { cosine, type Direction, Projection, projectTerms } from "./projection.ts";

/** The share of meaning in a score, chosen over four test collections. Words count for the rest. */
const SHARE = 0.35;

/** Returns a score of which meaning is a share. Both go up to 1; without meaning, words count alone. */
export function blended(words: number, meaning: number | undefined): number {
  return meaning === undefined ? words : (1 - SHARE) * words + SHARE * meaning;
}

/** The best answers show what was meant: so many of them count as much as the query itself. */
const FEEDBACK = 3;

/**
 * So many of the first are looked at: observations, or the best one of each company. Those behind do
 * not come to the front; with 100 no ranking of the collections is better in its first ten.
 */
const DEPTH = 25;

export interface Meaning {
  index: ObservationIndex;
  model: SemanticModel;
  /** The terms of the query. */
  keys: readonly Key[];
}

/**
 * How far each observation points where the query and the best answers to it point, from 0 to 1; 0
 * for those that are not looked at.
 *
 * @param hits best first
 */
export function meaningOf(
  hits: readonly ObservationHit[],
  { index, model, keys }: Meaning,
): Float64Array {
  const query = projectTerms(model, keys);
  const best = hits.reduce((most, { score }) => Math.max(most, score), 0);
  const meanings = new Float64Array(hits.length);
  if (query.length === 0 || best === 0) return meanings;
  const looked = hits.slice(0, DEPTH);
  const directionOf = directionsIn(index, model);
  const directions = looked.map(({ observation_id }) => directionOf(observation_id));
  const measure = (wanted: Float64Array) =>
    directions.forEach((direction, place) => meanings[place] = cosine(wanted, direction));
  const wanted = unit([query]);
  measure(wanted);
  const first = looked
    .map((hit, place) => ({
      ...hit,
      score: blended(hit.score / best, meanings[place]!),
      place,
    }))
    .sort(compareHits).slice(0, FEEDBACK);
  const shown = unit(first.map(({ place }) => directions[place]!));
  measure(unit([wanted, shown].map((coordinates) => ({ coordinates, length: 1 }))));
  return meanings;
}

/** Directions that are remembered: other questions ask for the same observations. */
const REMEMBERED_MAX = 4_096;

interface Remembered {
  version: object;
  model: SemanticModel;
  directions: Map<number, Direction>;
}

const remembered = new WeakMap<ObservationIndex, Remembered>();

/** Returns what gives the directions of observations. They are remembered until the index changes. */
function directionsIn(index: ObservationIndex, model: SemanticModel) {
  const { version } = index;
  let known = remembered.get(index);
  if (known?.version !== version || known.model !== model) {
    known = { version, model, directions: new Map() };
    remembered.set(index, known);
  }
  const { directions } = known;
  const projection = new Projection(model);
  return (observationId: number): Direction => {
    let direction = directions.get(observationId);
    if (direction !== undefined) return direction;
    index.readTerms(observationId, model, projection.add);
    direction = projection.finish();
    if (directions.size === REMEMBERED_MAX) directions.clear();
    directions.set(observationId, direction);
    return direction;
  };
}

/** The middle of directions, of length 1; 0 where there is none. */
function unit(directions: readonly { coordinates: ArrayLike<number>; length: number }[]) {
  const sum = new Float64Array(DIMENSIONS);
  for (const { coordinates, length } of directions) {
    if (length === 0) continue;
    for (let n = 0; n < DIMENSIONS; n++) sum[n]! += coordinates[n]! / length;
  }
  let squares = 0;
  for (const value of sum) squares += value * value;
  const length = Math.sqrt(squares);
  return length === 0 ? sum : sum.map((value) => value / length);
}
