/**
 * Estimates the probability that a record is about a question, by a logistic regression over
 * features of both. The weights are trained by `deno task train` (weights.json).
 */
import weights from "./weights.json" with { type: "json" };

/** Weights of a logistic regression. */
export interface Weights {
  intercept: number;
  /** One weight per feature, in the order of FEATURES. */
  features: readonly number[];
  /** Probability from which a company is charged. */
  threshold: number;
}

/** Weights of the service, with the provenance of their training. */
export const WEIGHTS: Weights = weights;

/** Returns the probability that a record with these features is about the question. */
export function probabilityOf(features: readonly number[], { intercept, features: parts }: Weights) {
  let sum = intercept;
  for (let n = 0; n < parts.length; n++) sum += parts[n]! * features[n]!;
  return 1 / (1 + Math.exp(-sum));
}
