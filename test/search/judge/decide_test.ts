import assert from "node:assert/strict";
import { decide, silentLast } from "../../../src/search/judge/decide.ts";
import { FEATURES } from "../../../src/search/judge/features.ts";
import { compareJudged } from "../../../src/search/judge/judge.ts";

Deno.test("decide() keeps companies and observations up to their limits and the threshold", () => {
  const judged = [[11, 1], [12, 1], [13, 1], [21, 2], [31, 3], [14, 1]].map(
    ([observation_id, company_id], place) => ({
      observation_id: observation_id!,
      company_id: company_id!,
      probability: 0.9 - 0.1 * place,
    }),
  );
  const decided = (companies: number, threshold: number) =>
    decide(judged, { threshold, companies, observations: 2 })
      .map(({ company_id, observation_ids }) => [company_id, ...observation_ids]);
  assert.deepEqual(decided(3, 0.1), [[1, 11, 12], [2, 21], [3, 31]]);
  assert.deepEqual(decided(2, 0.1), [[1, 11, 12], [2, 21]]);
  assert.deepEqual(decided(3, 0.85), [[1, 11]]);
  assert.deepEqual(decided(3, 0.9), [[1, 11]]);
});

Deno.test("silentLast() puts records that leave a condition open after all others", () => {
  const judged = [[7, 1], [8, 0], [9, 1], [5, 0]].map(([id, silent]) => ({
    id,
    features: FEATURES.map((name) => name === "silent" ? silent! : 0),
  }));
  assert.deepEqual(silentLast(judged).map(({ id }) => id), [8, 5, 7, 9]);
});

Deno.test("compareJudged() orders equally probable records by their ids", () => {
  const [first, second] = [1, 2].map((observation_id) => ({
    observation_id,
    company_id: 1,
    probability: 0.5,
    features: [],
  }));
  assert.ok(compareJudged(first!, second!) < 0);
  assert.ok(compareJudged(first!, { ...second!, probability: 0.6 }) > 0);
});
