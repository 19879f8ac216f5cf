import assert from "node:assert/strict";
import { withNearness } from "../../../src/search/embeddings/blend.ts";
import { type JudgedRecord, WEIGHTS } from "../../../src/search/judge/judge.ts";

const { threshold } = WEIGHTS;

function judgedAt(...probabilities: number[]): JudgedRecord[] {
  return probabilities.map((probability, index) => ({
    observation_id: index + 1,
    company_id: index + 1,
    probability,
    features: [],
  }));
}

/** Returns the neighbours with these cosines, with the ids 1, 2, …. The median is 0.8. */
function nearAt(...scores: number[]) {
  const all = scores.map((score, index) => ({
    observation_id: index + 1,
    company_id: index + 1,
    score,
  }));
  return {
    nearest: all.toSorted((a, b) => b.score - a.score),
    floor: 0.9,
    middle: 0.8,
    scoresOf: (ids: Iterable<number>) =>
      new Map(
        [...ids].flatMap((id) => scores[id - 1] === undefined ? [] : [[id, scores[id - 1]!]]),
      ),
  };
}

const idsOf = (records: readonly JudgedRecord[]) =>
  records.map(({ observation_id }) => observation_id);

Deno.test("withNearness() orders equally probable records by their nearness", () => {
  const blended = withNearness(judgedAt(0.5, 0.5, 0.5), nearAt(0.7, 0.89, 0.85));
  assert.deepEqual(idsOf(blended), [2, 3, 1]);
  assert.ok(blended[0]!.probability > 0.5 && blended[2]!.probability < 0.5);
});

Deno.test("withNearness() keeps a record without a vector as it is", () => {
  const [record] = judgedAt(0.5);
  assert.deepEqual(withNearness([record!], nearAt()), [record]);
});

Deno.test("withNearness() keeps the higher probability of a near record", () => {
  const [first, second] = withNearness(judgedAt(0.95, 0.4), nearAt(0.92, 0.93));
  assert.deepEqual([first!.observation_id, second!.observation_id], [1, 2]);
  assert.ok(first!.probability > 0.9);
});

Deno.test("withNearness() adds records that only vectors found, from the floor on", () => {
  const blended = withNearness(judgedAt(0.01), nearAt(0.8, 0.89, 0.9, 0.95));
  const charged = blended.filter(({ probability }) => probability >= threshold);
  assert.deepEqual(idsOf(charged), [4, 3]);
  assert.deepEqual(idsOf(blended).at(-1), 1);
});
