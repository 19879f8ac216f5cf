import assert from "node:assert/strict";
import { mean, meanCells, measure } from "../../bench/relevance/measures.ts";
import type { JudgedQuestion } from "../../bench/relevance/sets.ts";

/** Records 1 to 6. Records 1 and 2 are of company 1, and the others of a company each. */
const companyOf = (record: number) => Math.max(1, record - 1);

const QUESTION: JudgedQuestion = {
  id: "q",
  type: "place",
  query: "cranes in Ontario",
  has_answer: true,
  about: new Set([1, 2, 3, 4]),
  meets: new Set([1, 3]),
  at_place: new Set([1, 3, 5]),
};

const page = (...records: number[]) =>
  records.map((record) => ({ company_id: companyOf(record), records: [record] }));

function assertClose(actual: number | undefined, expected: number) {
  assert.ok(Math.abs(actual! - expected) < 1e-12, `${actual}, not ${expected}`);
}

Deno.test("measure() gives the best answer 1 in each figure", () => {
  const best = { ndcg: 1, about: 1, meets: 1, place: 1, recall: 1 };
  assert.deepEqual(measure(QUESTION, page(1, 3), companyOf), best);
  assert.deepEqual(measure(QUESTION, page(3, 1), companyOf), best);
});

Deno.test("measure() counts companies that show a record about the subject, at the place, or right", () => {
  const { about, meets, place, recall } = measure(QUESTION, page(1, 4, 5, 6), companyOf);
  assert.deepEqual({ about, meets, place, recall }, {
    about: 0.5,
    meets: 0.25,
    place: 0.5,
    recall: 0.5,
  });
});

Deno.test("measure() divides the grade of a company by the logarithm of its rank + 1", () => {
  const grades = new Map([[1, 1], [2, 2], [3, 1], [4, 1]]);
  // Ranks 2 and 4: 2 / log2(3) + 1 / log2(5). Ideal: 2 / log2(2) + 1 / log2(3) + 1 / log2(4).
  const found = 2 / 1.584962500721156 + 1 / 2.321928094887362;
  const ideal = 2 + 1 / 1.584962500721156 + 0.5;
  const { ndcg } = measure({ ...QUESTION, grades }, page(5, 2, 6, 3), companyOf);
  assertClose(ndcg, found / ideal);
});

Deno.test("measure() judges only the first ten companies by nDCG", () => {
  const others = Array.from({ length: 10 }, (_, index) => index + 10);
  assert.equal(measure(QUESTION, page(...others, 1), companyOf).ndcg, 0);
});

Deno.test("measure() counts a question without an answer by whether it delivers anything", () => {
  const nothing = { ...QUESTION, has_answer: false };
  assert.deepEqual(measure(nothing, [], companyOf), { charges_nothing: 0 });
  assert.deepEqual(measure(nothing, page(6), companyOf), { charges_nothing: 1 });
});

Deno.test("meanCells() leaves out undefined figures", () => {
  const empty = measure({ ...QUESTION, at_place: undefined }, [], companyOf);
  assert.deepEqual(empty, {
    ndcg: 0,
    about: undefined,
    meets: undefined,
    place: undefined,
    recall: 0,
  });
  const cells = meanCells([empty, { ndcg: 1, about: 1 }, { charges_nothing: 1 }]);
  assert.deepEqual(cells, ["0.500", "1.000", "", "", "0.000", "1 of 1"]);
  assert.equal(mean([1, undefined, 0]), 0.5);
});
