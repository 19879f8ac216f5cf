import assert from "node:assert/strict";
import fc from "fast-check";
import type { Hit } from "../../src/search/engine/observation_index.ts";
import { shortlist } from "../../src/search/shortlist.ts";
import { observationDocument } from "../support/documents.ts";

const hit = (observation_id: number, company_id: number, score: number): Hit => ({
  document: observationDocument(observation_id, { company_id }),
  score,
});

const LIMITS = { companies: 100, observations_per_company: 3 };

Deno.test("shortlist() groups by company: the best observation first, the best company first", () => {
  assert.deepEqual(
    shortlist([hit(1, 7, 1), hit(2, 8, 5), hit(3, 7, 4), hit(4, 7, 2), hit(5, 7, 3)], LIMITS),
    [
      { company_id: 8, observation_ids: [2] },
      { company_id: 7, observation_ids: [3, 5, 4] },
    ],
  );
  assert.deepEqual(shortlist([], LIMITS), []);
});

Deno.test("shortlist() lets support decide between alike, not outweigh a better match", () => {
  const weak = [1, 2, 3, 4, 5, 6].map((id) => hit(id, 1, 3));
  assert.deepEqual(
    shortlist([...weak, hit(7, 2, 4), hit(8, 3, 3)], LIMITS).map(({ company_id }) => company_id),
    [2, 1, 3],
  );
});

Deno.test("shortlist() orders ties by id and cuts them there", () => {
  const hits = [5, 3, 9, 1, 7].map((id) => hit(id * 10, id, 2));
  const limits = { companies: 3, observations_per_company: 1 };
  assert.deepEqual(shortlist(hits, limits).map(({ company_id }) => company_id), [1, 3, 5]);
  const one = [12, 11, 14, 13].map((id) => hit(id, 1, 2));
  assert.deepEqual(shortlist(one, LIMITS), [{ company_id: 1, observation_ids: [11, 12, 13] }]);
});

Deno.test("shortlist() does not depend on the order of hits and agrees with a plain sort", () => {
  const hits = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 500 }),
      company: fc.integer({ min: 1, max: 20 }),
      score: fc.integer({ min: 1, max: 6 }),
    }).map(({ id, company, score }) => hit(id, company, score)),
    { selector: ({ document }) => document.observation_id, maxLength: 120 },
  );
  const limits = fc.record({
    companies: fc.integer({ min: 1, max: 20 }),
    observations_per_company: fc.integer({ min: 1, max: 5 }),
  });
  fc.assert(fc.property(hits, limits, (hits, limits) => {
    const byCompany = Map.groupBy(hits, ({ document }) => document.company_id);
    const expected = [...byCompany].map(([company_id, own]) => {
      const sorted = own.toSorted((a, b) =>
        b.score - a.score || a.document.observation_id - b.document.observation_id
      );
      const [first = 0, second = 0, third = 0] = sorted.map(({ score }) => score);
      return { company_id, sorted, score: first + second / 4 + third / 16 };
    }).sort((a, b) => b.score - a.score || a.company_id - b.company_id)
      .slice(0, limits.companies)
      .map(({ company_id, sorted }) => ({
        company_id,
        observation_ids: sorted.slice(0, limits.observations_per_company)
          .map(({ document }) => document.observation_id),
      }));
    assert.deepEqual(shortlist(hits, limits), expected);
    assert.deepEqual(shortlist(hits.toReversed(), limits), expected);
  }));
});
