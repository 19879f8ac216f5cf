/**
 * Judges the candidates of a search: a logistic regression over features of question and record
 * gives the probability that a record is about the question. `deno task train --write` has trained
 * the weights and written weights.json.
 */
import type { Records } from "../index/records.ts";
import type { Match } from "../match/match.ts";
import type { Question } from "../question/question.ts";
import { featuresOf } from "./features.ts";
import weights from "./weights.json" with { type: "json" };

/** Weights of a logistic regression. */
export interface Weights {
  intercept: number;
  /** One weight per feature, in the order of FEATURES. NEAR_WEIGHTS has those of log-odds and nearness. */
  features: readonly number[];
  /** Probability from which a company is charged. */
  threshold: number;
}

/** Weights of the service. */
export const WEIGHTS: Weights = weights;

/**
 * Weights of the judge's log-odds, and of the nearness of vectors (embeddings/blend.ts), with the model
 * whose vectors trained them.
 */
export const NEAR_WEIGHTS: Omit<Weights, "threshold"> & { model: string; trained: string } =
  weights.near;

/** A record with the probability that it is about the question. */
export interface JudgedRecord {
  observation_id: number;
  company_id: number;
  probability: number;
  /** Values in the order of FEATURES. */
  features: readonly number[];
}

/** Returns the probability that a record with these features is about the question. */
export function probabilityOf(
  features: readonly number[],
  { intercept, features: parts }: Omit<Weights, "threshold">,
) {
  let sum = intercept;
  for (let n = 0; n < parts.length; n++) sum += parts[n]! * features[n]!;
  return 1 / (1 + Math.exp(-sum));
}

/** Returns the log-odds of a probability. */
export function logOddsOf(probability: number): number {
  return Math.log(probability / (1 - probability));
}

/** Judges the candidates of a match. The most probable record comes first, then the lower id. */
export function judge(records: Records, question: Question, matched: Match): JudgedRecord[] {
  const read = featuresOf(records, question, matched);
  return matched.candidates.map((candidate) => {
    const features = read(candidate);
    return {
      observation_id: records.numberAt(candidate.slot, "observation_id"),
      company_id: records.numberAt(candidate.slot, "company_id"),
      probability: probabilityOf(features, WEIGHTS),
      features,
    };
  }).sort(compareJudged);
}

/** Compares judged records: the more probable one first, then the lower id. */
export function compareJudged(a: JudgedRecord, b: JudgedRecord): number {
  return b.probability - a.probability || a.observation_id - b.observation_id;
}
