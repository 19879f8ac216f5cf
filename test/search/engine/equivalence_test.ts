import assert from "node:assert/strict";
import fc from "fast-check";
import type { ObservationDocument } from "../../../src/search/index/document.ts";
import { ObservationIndex } from "../../../src/search/index/observation_index.ts";
import { normalizeFilters } from "../../support/inputs.ts";
import { observationDocument } from "../../support/documents.ts";
import { document, follow, narrowed, narrows, question, step } from "./histories.ts";
import { naiveSearch, naiveShortlist } from "./naive.ts";

const near = (a: number, b: number) => Math.abs(a - b) < 1e-9;

/** Asserts the expected scores and order. Hits with nearly equal scores may be in either order. */
function assertRanked<Hit extends { score: number }>(
  { found, expected, idOf, limit }: {
    found: Hit[];
    expected: Hit[];
    idOf: (hit: Hit) => number;
    limit: number;
  },
) {
  assert.equal(found.length, Math.min(expected.length, limit));
  const scores = new Map(expected.map((hit) => [idOf(hit), hit.score]));
  found.forEach((hit, rank) => {
    assert(near(hit.score, scores.get(idOf(hit))!), "a score differs");
    assert(near(hit.score, expected[rank]!.score), "the order differs");
    const before = found[rank - 1];
    if (before === undefined) return;
    assert(before.score > hit.score || (before.score === hit.score && idOf(before) < idOf(hit)));
  });
}

Deno.test("ObservationIndex returns the same hits as a naive BM25F with naive filters", () => {
  const steps = fc.array(step, { maxLength: 80 });
  const limits = fc.record({
    limit: fc.integer({ min: 1, max: 50 }),
    companies: fc.integer({ min: 1, max: 9 }),
    observations_per_company: fc.integer({ min: 1, max: 4 }),
    tail_documents: fc.integer({ min: 1, max: 60 }),
  });
  const questions = fc.array(
    fc.oneof(question, narrowed).filter(({ words, ...rest }) => words.length > 0 || !narrows(rest)),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(
      steps,
      questions,
      limits,
      (steps, questions, { limit, tail_documents, ...shown }) => {
        const { index, documents } = follow(steps, tail_documents);
        assert.equal(index.size, documents.length);
        for (const query of questions) {
          assertRanked({
            found: index.searchObservations({ ...query, limit }),
            expected: naiveSearch(documents, query),
            idOf: (hit) => hit.observation_id,
            limit,
          });
          const found = index.shortlist({ ...query, ...shown });
          const expected = naiveShortlist(documents, { ...query, ...shown, companies: 99 });
          const idOf = (hit: { company_id: number }) => hit.company_id;
          assertRanked({ found, expected, idOf, limit: shown.companies });
          for (const { company_id, observations } of found) {
            assertRanked({
              found: observations,
              expected: naiveSearch(documents, query).filter((hit) =>
                hit.company_id === company_id
              ),
              idOf: (hit) => hit.observation_id,
              limit: shown.observations_per_company,
            });
          }
        }
      },
    ),
    { numRuns: 400 },
  );
});

Deno.test("ObservationIndex returns exactly equal scores after different histories", () => {
  const histories = fc.tuple(
    fc.array(step, { maxLength: 60 }),
    fc.array(step, { maxLength: 60 }),
    fc.integer({ min: 1, max: 60 }),
  );
  const kept = fc.uniqueArray(document, {
    selector: ({ observation_id }) => observation_id,
    maxLength: 25,
  });
  fc.assert(
    fc.property(histories, kept, question, ([steps_a, steps_b, tail_documents], kept, query) => {
      const [first, second] = [steps_a, steps_b].map((steps, n) => {
        const { index, documents } = follow(steps, n === 0 ? tail_documents : 7);
        const order = n === 0 ? kept : kept.toReversed();
        for (const document of order) index.put(document);
        const ids = new Set(kept.map(({ observation_id }) => observation_id));
        for (const { observation_id } of documents) {
          if (!ids.has(observation_id)) index.remove(observation_id);
        }
        const limits = { companies: 5, observations_per_company: 3 };
        return [
          index.searchObservations({ ...query, limit: 10 }),
          index.shortlist({ ...query, ...limits }),
        ];
      });
      assert.deepEqual(first, second);
    }),
    { numRuns: 200 },
  );
});

/** Yields uniformly distributed numbers from 0 to 1. fast-check would prefer unusual ones. */
function* chances(seed: number): Generator<number, never> {
  for (let state = seed;;) {
    state = Math.imul(state ^ (state >>> 15), state | 1) + 0x6d2b79f5 | 0;
    yield ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
  }
}

/**
 * Returns so many documents that a search has to skip most of them. The nth word is n times less
 * common than the first.
 */
function manyDocuments(next: () => number): ObservationDocument[] {
  const text = (words: number) =>
    Array.from({ length: Math.floor(next() * words) }, () => zipfWord(next)).join(" ");
  return Array.from({ length: 2_000 }, (_, n) =>
    observationDocument(n + 1, {
      company_id: 1 + Math.floor(400 * next() ** 2),
      country: next() < 0.5 ? "CA" : "US",
      kind: next() < 0.3 ? "procurement_request" : "job_posting",
      text: { company: text(3), observed_fact: text(12), why_it_may_matter: text(9) },
    }));
}

function zipfWord(next: () => number): string {
  return `w${Math.floor(300 ** next())}`;
}

Deno.test("ObservationIndex skips most documents without missing a hit", () => {
  const filters = [
    undefined,
    normalizeFilters({ countries: ["CA"], kinds: ["procurement_request"] }),
    normalizeFilters({ company_ids: [1, 2, 3] }),
    normalizeFilters({ exclude_company_ids: [4, 5, 6] }),
  ];
  for (const seed of [1, 2, 3]) {
    const chance = chances(seed);
    const next = () => chance.next().value;
    const documents = manyDocuments(next);
    const index = new ObservationIndex({ tail_documents: 600, merges: "elsewhere" });
    for (const document of documents) index.put(document);
    for (let round = 0; round < 40; round++) {
      const words = Array.from({ length: 1 + Math.floor(8 * next()) }, () => zipfWord(next));
      const question = { words: [...new Set(words)], filters: filters[round % filters.length] };
      const limit = [1, 5, 30][round % 3]!;
      assertRanked({
        found: index.searchObservations({ ...question, limit }),
        expected: naiveSearch(documents, question),
        idOf: (hit) => hit.observation_id,
        limit,
      });
      const limits = { companies: limit, observations_per_company: 3 };
      const found = index.shortlist({ ...question, ...limits });
      const expected = naiveShortlist(documents, { ...question, ...limits, companies: 999 });
      assertRanked({ found, expected, idOf: (hit) => hit.company_id, limit });
      const shown = new Map(expected.map((hit) => [hit.company_id, hit.observations]));
      for (const { company_id, observations } of found) {
        assertRanked({
          found: observations,
          expected: shown.get(company_id)!,
          idOf: (hit) => hit.observation_id,
          limit: 3,
        });
      }
    }
  }
});
