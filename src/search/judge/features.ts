/** Computes the features, from 0 to 1, by which the judge estimates probabilities. */
import { STREAM_MAX } from "../index/analyze.ts";
import type { Records } from "../index/records.ts";
import { type Candidate, type Match, rarityOf, SIMILARITY_MAX } from "../match/match.ts";
import { isCertainKind, kindsOf, type Question } from "../question/question.ts";
import { SAME } from "../words/similar.ts";

/**
 * Names of the features, in the order of their values. Six further ones had no weight when they
 * were tried (the last two on 2026-11-28): coverage by own words, mean impact, neighbouring words,
 * coverage by the best window, coverage by the company's name or the observed fact, and the number
 * of the company's candidates.
 */
export const FEATURES = [
  /** Share of the subject's weight that the best ways meet, by their similarity. */
  "any",
  /** Similarity of the unit that the record meets least. */
  "weakest",
  /** Score of the record, as a share of the best score of the search. */
  "relative",
  /** 1 if the record says nothing about one of the conditions. */
  "silent",
  /** 1 if the question names kinds of records, and the record is of another kind. */
  "other_kind",
  /** Difference from the greatest "any" of the search, if that record meets the subject in full. */
  "shortfall",
  /** Number of words of the record, as a share of STREAM_MAX. Long texts mention much. */
  "length",
  /** 1 divided by the number of units of the subject. */
  "brevity",
  /**
   * "any", times the squares of "relative" and of 1 − "brevity". Of a long question, no record has
   * all words, and the best ones stand out by their scores.
   */
  "prominence",
  /**
   * "any", times the mean rarity of the subject's units, as a share of that of a word that no record
   * contains. A record with a rare word is more probably about it than one with a common word.
   */
  "rarity",
] as const;

/** Share of the subject that a record meets if it has a word of the same meaning for each unit. */
const FULL = SAME - 1 / SIMILARITY_MAX;

/**
 * Number of records without the words of the question that are added when their rarity is measured.
 * Among three records, every word is frequent. The number is chosen: it changes little among tens of
 * thousands.
 */
const UNRELATED = 1000;

/** Returns a function that returns the features of a candidate of a search, as FEATURES lists them. */
export function featuresOf(
  records: Records,
  { units: asked }: Question,
  { units, candidates }: Match,
): (candidate: Candidate) => number[] {
  const subject = units.flatMap(({ unit: { condition, ways }, weight }, row) =>
    condition === undefined && weight > 0 ? [{ row, weight, ways }] : []
  );
  const sum = subject.reduce((sum, { weight }) => sum + weight, 0);
  const named = subject.filter(({ ways }) => !ways.some(isCertainKind));
  // Units that do not name a kind of records; all units if each of them does.
  const topics = named.length > 0 ? named : subject;
  /** Returns the share of the subject that a record meets. A record that only has its kind meets 0. */
  const shareOf = ({ similarities }: Candidate): number => {
    if (topics.every(({ row }) => similarities[row] === 0)) return 0;
    const weights = subject.map(({ row, weight }) => weight * similarities[row]!);
    return weights.reduce((all, weight) => all + weight) / SIMILARITY_MAX / sum;
  };
  const shares = new Map(candidates.map((one) => [one, shareOf(one)]));
  const best = Math.max(0, ...shares.values());
  const full = best < FULL ? 0 : best;
  const best_score = candidates[0]?.score ?? 1;
  const count = records.count + UNRELATED;
  // Mean rarity of the subject's units, as a share of that of a word that no record contains.
  const rarity = (sum / Math.max(1, subject.length) +
    Math.log((count + 1) / (records.count + 1))) / rarityOf({ count }, 0);
  const kinds = new Set(asked.flatMap(({ ways }) => ways).filter(isCertainKind).flatMap(kindsOf));
  const brevity = 1 / subject.length;
  return (candidate) => {
    const { slot, score, silent, similarities } = candidate;
    const relative = best_score === 0 ? 1 : score / best_score;
    const isOtherKind = kinds.size > 0 && !kinds.has(records.numberAt(slot, "kind"));
    const conditions = [silent > 0 ? 1 : 0, isOtherKind ? 1 : 0];
    const [{ arrays: { stream_starts } }, document] = records.placeOf(slot);
    const words = stream_starts[document + 1]! - stream_starts[document]!;
    const length = Math.min(1, words / STREAM_MAX);
    // A question without a subject asks for all records that meet its conditions and kinds. A record
    // that is silent, or of another kind, has at most one of them in common with it.
    const isOff = named.length === 0 && conditions.some((value) => value > 0);
    if (isOff || subject.length === 0) {
      const met = isOff ? 0 : 1;
      return [met, met, relative, ...conditions, 0, length, 1, 0, 0];
    }
    const any = shares.get(candidate)!;
    const weakest = Math.min(...subject.map(({ row }) => similarities[row]!)) / SIMILARITY_MAX;
    const shortfall = Math.max(0, full - any);
    const prominence = any * (relative * (1 - brevity)) ** 2;
    const extent = [shortfall, length, brevity, prominence, any * rarity];
    return [any, weakest, relative, ...conditions, ...extent];
  };
}
