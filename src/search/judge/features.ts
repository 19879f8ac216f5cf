/**
 * Computes the features by which the judge estimates whether a record is about the question. Each
 * feature is a number from 0 to 1.
 */
import { STREAM_MAX } from "../index/analyze.ts";
import type { Records } from "../index/records.ts";
import { type Candidate, type Match, rarityOf, SIMILARITY_MAX } from "../match/match.ts";
import { isCertainKind, kindsOf, type Question, type Way } from "../question/question.ts";
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

/** A unit that is no condition, with its row in the match. */
interface SubjectUnit {
  row: number;
  weight: number;
  ways: readonly Way[];
}

/** Computes the features of the candidates of one search. */
export class FeatureReader {
  readonly #records: Records;
  readonly #subject: readonly SubjectUnit[];
  /** Units of the subject that do not name a kind of records; all units if each of them does. */
  readonly #topics: readonly SubjectUnit[];
  /** True if the question asks for more than kinds and conditions. */
  readonly #hasTopic: boolean;
  readonly #sum: number;
  /** Share of the subject that each candidate meets. */
  readonly #any: ReadonlyMap<Candidate, number>;
  /** Greatest share of the subject that a candidate meets; 0 if none meets it in full. */
  readonly #full: number;
  readonly #best_score: number;
  /** Mean rarity of the subject's units, as a share of that of a word that no record contains. */
  readonly #rarity: number;
  /** Places in KINDS of the kinds that the question names. */
  readonly #kinds: ReadonlySet<number>;

  constructor(records: Records, { units: asked }: Question, matched: Match) {
    this.#records = records;
    this.#subject = matched.units.flatMap(({ unit: { condition, ways }, weight }, row) =>
      condition === undefined && weight > 0 ? [{ row, weight, ways }] : []
    );
    const topics = this.#subject.filter(({ ways }) => !ways.some(isCertainKind));
    this.#hasTopic = topics.length > 0;
    this.#topics = this.#hasTopic ? topics : this.#subject;
    this.#sum = this.#subject.reduce((sum, { weight }) => sum + weight, 0);
    this.#any = new Map(matched.candidates.map((one) => [one, this.#shareOf(one)]));
    const best = Math.max(0, ...this.#any.values());
    this.#full = best < FULL ? 0 : best;
    this.#best_score = matched.candidates[0]?.score ?? 1;
    const count = records.count + UNRELATED;
    this.#rarity = (this.#sum / Math.max(1, this.#subject.length) +
      Math.log((count + 1) / (records.count + 1))) / rarityOf({ count }, 0);
    this.#kinds = new Set(asked.flatMap(({ ways }) => ways).filter(isCertainKind).flatMap(kindsOf));
  }

  /** Returns the features of a candidate, in the order of FEATURES. */
  read(candidate: Candidate): number[] {
    const { slot, score, silent, similarities } = candidate;
    const relative = this.#best_score === 0 ? 1 : score / this.#best_score;
    const conditions = [silent > 0 ? 1 : 0, this.#isOtherKind(slot) ? 1 : 0];
    const length = this.#length(slot);
    // A question without a subject asks for all records that meet its conditions and kinds. A record
    // that is silent, or of another kind, has at most one of them in common with it.
    const isOff = !this.#hasTopic && conditions.some((value) => value > 0);
    if (isOff || this.#subject.length === 0) {
      const met = isOff ? 0 : 1;
      return [met, met, relative, ...conditions, 0, length, 1, 0, 0];
    }
    const any = this.#any.get(candidate)!;
    const weakest = Math.min(...this.#subject.map(({ row }) => similarities[row]!));
    const met = [any, weakest / SIMILARITY_MAX, relative];
    const shortfall = Math.max(0, this.#full - any);
    const brevity = 1 / this.#subject.length;
    const prominence = any * (relative * (1 - brevity)) ** 2;
    return [...met, ...conditions, shortfall, length, brevity, prominence, any * this.#rarity];
  }

  /** Returns the share of the subject that a record meets. A record that only has its kind meets 0. */
  #shareOf({ similarities }: Candidate): number {
    if (this.#topics.every(({ row }) => similarities[row] === 0)) return 0;
    const weights = this.#subject.map(({ row, weight }) => weight * similarities[row]!);
    return weights.reduce((all, weight) => all + weight) / SIMILARITY_MAX / this.#sum;
  }

  #length(slot: number): number {
    const { base, arrays: { stream_starts } } = this.#records.segmentOf(slot);
    const words = stream_starts[slot - base + 1]! - stream_starts[slot - base]!;
    return Math.min(1, words / STREAM_MAX);
  }

  #isOtherKind(slot: number): boolean {
    return this.#kinds.size > 0 && !this.#kinds.has(this.#records.numberAt(slot, "kind"));
  }
}
