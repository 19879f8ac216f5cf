/**
 * Reranks lexical hits by meaning. The score of an observation, as a share of the best score, is
 * blended with a cosine. The cosine compares the direction of the observation with the direction of
 * the query and its best answers. Scores are blended, not ranks, and words weigh more.
 */
import { compareHits, type ObservationHit } from "../engine/collecting.ts";
import type { Key } from "../engine/dictionary.ts";
import type { ObservationIndex } from "../index/observation_index.ts";
import { DIMENSIONS, type SemanticModel } from "./model.ts";
import { cosine, type Direction, Projection, projectTerms } from "./projection.ts";
import { cosinesWithSum, type TermVector, TermVectors } from "./term_vectors.ts";

/** Share of meaning in a score, chosen on four test collections. The lexical score is the rest. */
const SHARE = 0.35;

/** Returns the blend of two scores of up to 1. Without a score by meaning, words count alone. */
export function blended(words: number, meaning: number | undefined): number {
  return meaning === undefined ? words : (1 - SHARE) * words + SHARE * meaning;
}

/** Number of best answers used as relevance feedback. Together they weigh as much as the query. */
const FEEDBACK = 3;

/**
 * Share of the comparison by words (see term_vectors.ts) in a score by meaning. The comparison by
 * directions is the rest.
 */
const WORDS_SHARE = 0.4;

/**
 * Number of first hits (observations) that are reranked. Later hits do not move up. A depth of 100
 * does not improve the first ten hits of any test collection.
 */
const DEPTH = 25;

interface MeaningContext {
  index: ObservationIndex;
  model: SemanticModel;
  /** Terms of the query. */
  keys: readonly Key[];
}

/**
 * Returns a score by meaning for each hit, from 0 to 1. It blends two cosines: with the direction
 * of the query and its best answers, and with the words of these answers (WORDS_SHARE). It is 0 for
 * hits beyond DEPTH.
 *
 * @param hits best first
 */
export function meaningOf(
  hits: readonly ObservationHit[],
  { index, model, keys }: MeaningContext,
): Float64Array {
  const query = projectTerms(model, keys);
  const best = hits.reduce((max, { score }) => Math.max(max, score), 0);
  const meanings = new Float64Array(hits.length);
  if (query.length === 0 || best === 0) return meanings;
  const leading = hits.slice(0, DEPTH);
  const contentOf = contentsIn(index, model);
  const contents = leading.map(({ observation_id }) => contentOf(observation_id));
  const directions = contents.map(({ direction }) => direction);
  const measure = (wanted: Float64Array) =>
    directions.forEach((direction, place) => meanings[place] = cosine(wanted, direction));
  const wanted = unit([query]);
  measure(wanted);
  const first = leading
    .map((hit, place) => ({
      ...hit,
      score: blended(hit.score / best, meanings[place]!),
      place,
    }))
    .sort(compareHits).slice(0, FEEDBACK);
  const feedback = unit(first.map(({ place }) => directions[place]!));
  measure(unit([wanted, feedback].map((coordinates) => ({ coordinates, length: 1 }))));
  const vectors = contents.map(({ terms }) => terms);
  const cosines = cosinesWithSum(vectors, first.map(({ place }) => vectors[place]!));
  cosines.forEach((cosine, place) => {
    meanings[place] = (1 - WORDS_SHARE) * meanings[place]! + WORDS_SHARE * cosine;
  });
  return meanings;
}

/** Meaning of an observation. */
interface Content {
  direction: Direction;
  terms: TermVector;
}

/** Max number of cached contents per index. Different queries need many of the same contents. */
const CONTENTS_MAX = 4_096;

interface CachedContents {
  version: object;
  model: SemanticModel;
  contents: Map<number, Content>;
}

const cached = new WeakMap<ObservationIndex, CachedContents>();

/**
 * Returns a function that computes the contents of observations and caches them until the index
 * changes.
 */
function contentsIn(index: ObservationIndex, model: SemanticModel) {
  const { version } = index;
  let known = cached.get(index);
  if (known?.version !== version || known.model !== model) {
    known = { version, model, contents: new Map() };
    cached.set(index, known);
  }
  const { contents } = known;
  const projection = new Projection(model);
  const vectors = new TermVectors(model);
  return (observationId: number): Content => {
    let content = contents.get(observationId);
    if (content !== undefined) return content;
    index.readTerms(observationId, model, (row, count) => {
      projection.add(row, count);
      vectors.add(row, count);
    });
    content = { direction: projection.finish(), terms: vectors.finish() };
    if (contents.size === CONTENTS_MAX) contents.clear();
    contents.set(observationId, content);
    return content;
  };
}

/** Returns the mean of directions, scaled to length 1, or zeros if no direction has words. */
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
