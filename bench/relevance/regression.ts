/** Fits a logistic regression by Newton's method. */
import type { Weights } from "../../src/search/judge/judge.ts";

/** A record of a question's candidates. */
export interface Example {
  features: readonly number[];
  isRight: boolean;
  /** Weight in the fit. The examples of a question have a total weight that all questions share. */
  weight: number;
}

/** Strength of the quadratic penalty on weights. It keeps correlated features from cancelling out. */
const PENALTY = 0.5;

/**
 * Returns the weights with the greatest penalized likelihood of the examples. A feature whose weight
 * would have the wrong sign has the weight 0: more agreement never makes a record less probable.
 *
 * @param signs 1 or -1 per feature
 */
export function fit(examples: readonly Example[], signs: readonly number[]): Weights {
  const isUsed = signs.map(() => true);
  while (true) {
    const used = examples.map((example) => ({
      ...example,
      features: example.features.map((value, n) => isUsed[n] ? value : 0),
    }));
    const weights = fitFreely(used);
    const wrong = weights.features.map((weight, n) => weight * signs[n]!);
    const worst = wrong.indexOf(Math.min(...wrong));
    if (wrong[worst]! >= 0) return weights;
    isUsed[worst] = false;
  }
}

function fitFreely(examples: readonly Example[], threshold = 0.5): Weights {
  const size = (examples[0]?.features.length ?? 0) + 1;
  let parameters = new Float64Array(size);
  for (let round = 0; round < 25; round++) {
    const gradient = new Float64Array(size);
    const hessian = Array.from({ length: size }, () => new Float64Array(size));
    for (const { features, isRight, weight } of examples) {
      const row = [1, ...features];
      const sum = row.reduce((all, value, n) => all + value * parameters[n]!, 0);
      const probability = 1 / (1 + Math.exp(-sum));
      const error = weight * ((isRight ? 1 : 0) - probability);
      const curve = weight * probability * (1 - probability);
      for (let n = 0; n < size; n++) {
        gradient[n]! += error * row[n]!;
        for (let m = 0; m <= n; m++) hessian[n]![m]! += curve * row[n]! * row[m]!;
      }
    }
    for (let n = 0; n < size; n++) {
      for (let m = n + 1; m < size; m++) hessian[n]![m] = hessian[m]![n]!;
      hessian[n]![n]! += n === 0 ? 1e-6 : PENALTY;
      if (n > 0) gradient[n]! -= PENALTY * parameters[n]!;
    }
    const step = solve(hessian, gradient);
    parameters = parameters.map((value, n) => value + step[n]!);
    if (Math.max(...step.map(Math.abs)) < 1e-6) break;
  }
  const [intercept, ...features] = parameters;
  return { intercept: intercept!, features, threshold };
}

/** Solves a symmetric positive system of linear equations by elimination. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const rows = matrix.map((row, n) => Float64Array.of(...row, right[n]!));
  const size = rows.length;
  for (let n = 0; n < size; n++) {
    const pivot = rows[n]!;
    for (let m = n + 1; m < size; m++) {
      const factor = rows[m]![n]! / pivot[n]!;
      for (let k = n; k <= size; k++) rows[m]![k]! -= factor * pivot[k]!;
    }
  }
  const solution = new Float64Array(size);
  for (let n = size - 1; n >= 0; n--) {
    let sum = rows[n]![size]!;
    for (let k = n + 1; k < size; k++) sum -= rows[n]![k]! * solution[k]!;
    solution[n] = sum / rows[n]![n]!;
  }
  return solution;
}
