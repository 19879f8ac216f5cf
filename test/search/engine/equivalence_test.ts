import assert from "node:assert/strict";
import fc from "fast-check";
import type { Country, DemandClass, Kind } from "../../../src/contract/vocabulary.ts";
import type { ObservationDocument } from "../../../src/search/document.ts";
import { mergeSegments } from "../../../src/search/engine/merge.ts";
import { ObservationIndex } from "../../../src/search/engine/observation_index.ts";
import { normalizeFilters } from "../../../src/search/filters.ts";
import { observationDocument } from "../../support/documents.ts";
import { naiveSearch, naiveShortlist } from "./naive.ts";

const day = (n: number) => `2026-03-0${n}T00:00:00.000000Z`;
const NOW = day(3);

const WORDS = "steel mill paper roof snow crane usine neige toitures the les des of".split(" ");
const HOSTNAMES = ["a.example", "b.example", "c.example"];

const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...WORDS), { maxLength }).map((words) => words.join(" "));

/** Texts that repeat few words, so that many scores tie or nearly tie. */
const document: fc.Arbitrary<ObservationDocument> = fc.record({
  observation_id: fc.integer({ min: 1, max: 40 }),
  company_id: fc.integer({ min: 1, max: 9 }),
  country: fc.constantFrom<Country>("CA", "US"),
  kind: fc.constantFrom<Kind>("procurement_request", "facility_expansion", "company_profile"),
  demand_class: fc.constantFrom<DemandClass>("explicit_request", "structural"),
  occurred_at: fc.option(fc.integer({ min: 1, max: 5 }).map(day)),
  observed_at: fc.integer({ min: 1, max: 5 }).map(day),
  expires_at: fc.option(fc.integer({ min: 2, max: 5 }).map(day), { freq: 2 }),
  hostnames: fc.subarray(HOSTNAMES, { maxLength: 2 }),
  text: fc.record({
    company: text(2),
    observed_fact: text(6),
    texts: fc.array(text(8), { maxLength: 2 }),
    french_labels: text(2),
  }),
}).map(({ observation_id, ...part }) => observationDocument(observation_id, part));

type Step =
  | { put: ObservationDocument }
  | { remove: number }
  | { act: "seal" | "merge all" | "reload" | "merge late" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: document.map((put) => ({ put })) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 40 }).map((remove) => ({ remove })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("seal", "merge all", "reload", "merge late")
      .map((act) => ({ act }) as Step),
  },
);

const question = fc.record({
  words: fc.subarray(WORDS, { maxLength: 5 }),
  filters: fc.option(
    fc.record({
      countries: fc.subarray(["CA", "US"]),
      kinds: fc.subarray(["procurement_request", "facility_expansion"]),
      demand_classes: fc.subarray(["structural"]),
      occurred_after: fc.integer({ min: 1, max: 4 }).map(day),
      observed_after: fc.integer({ min: 1, max: 4 }).map(day),
      company_ids: fc.subarray([1, 2, 3, 4, 99]),
      exclude_company_ids: fc.subarray([3, 5]),
      domains: fc.subarray(HOSTNAMES, { maxLength: 2 }),
      exclude_domains: fc.subarray(HOSTNAMES, { maxLength: 1 }),
    }, { requiredKeys: [] }).map(normalizeFilters),
    { nil: undefined },
  ),
  now: fc.constantFrom(undefined, NOW),
});

/** An index that has gone through steps, and what must be in it. */
function follow(steps: readonly Step[], tail_documents: number) {
  const expected = new Map<number, ObservationDocument>();
  let index = new ObservationIndex({ tail_documents, merges: "elsewhere" });
  let late: { work: ReturnType<typeof mergeAll>; merged: SharedArrayBuffer } | undefined;
  for (const step of steps) {
    if ("put" in step) {
      index.put(step.put);
      expected.set(step.put.observation_id, step.put);
    } else if ("remove" in step) {
      index.remove(step.remove);
      expected.delete(step.remove);
    } else if (step.act === "seal") index.seal();
    else if (step.act === "reload") {
      index = ObservationIndex.of(structuredClone(index.state()), {
        tail_documents,
        merges: "elsewhere",
      });
      late = undefined;
    } else {
      // What is late was merged before the steps since then, and is swapped in after them.
      if (late !== undefined) index.adopt(late.work, late.merged);
      const work = mergeAll(index);
      late = work.segments.length > 0 ? { work, merged: mergeSegments(work) } : undefined;
      if (step.act === "merge all" && late) index.adopt(late.work, late.merged);
      if (step.act === "merge all") late = undefined;
    }
  }
  return { index, documents: [...expected.values()] };
}

function mergeAll(index: ObservationIndex) {
  const { fields, segments } = index.state();
  return { fields, segments, averages: new Float64Array(fields.length).fill(3) };
}

const near = (a: number, b: number) => Math.abs(a - b) < 1e-9;

/** Asserts equal ids in the same order; nearly equal scores may stand in either order. */
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
  found.forEach((hit, place) => {
    assert(near(hit.score, scores.get(idOf(hit))!), "a score differs");
    assert(near(hit.score, expected[place]!.score), "the order differs");
    const before = found[place - 1];
    if (before === undefined) return;
    assert(before.score > hit.score || (before.score === hit.score && idOf(before) < idOf(hit)));
  });
}

Deno.test("ObservationIndex finds what a naive BM25F with naive filters finds", () => {
  const steps = fc.array(step, { maxLength: 80 });
  const limits = fc.record({
    limit: fc.integer({ min: 1, max: 50 }),
    companies: fc.integer({ min: 1, max: 9 }),
    observations_per_company: fc.integer({ min: 1, max: 4 }),
    tail_documents: fc.integer({ min: 1, max: 60 }),
  });
  const questions = fc.array(question, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      steps,
      questions,
      limits,
      (steps, questions, { limit, tail_documents, ...shown }) => {
        const { index, documents } = follow(steps, tail_documents);
        assert.equal(index.size, documents.length);
        for (const asked of questions) {
          assertRanked({
            found: index.searchObservations({ ...asked, limit }),
            expected: naiveSearch(documents, asked),
            idOf: (hit) => hit.observation_id,
            limit,
          });
          const found = index.shortlist({ ...asked, ...shown });
          const expected = naiveShortlist(documents, { ...asked, ...shown, companies: 99 });
          const idOf = (hit: { company_id: number }) => hit.company_id;
          assertRanked({ found, expected, idOf, limit: shown.companies });
          for (const { company_id, observations } of found) {
            assertRanked({
              found: observations,
              expected: naiveSearch(documents, asked).filter((hit) =>
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

Deno.test("ObservationIndex answers alike after different histories, to the last digit", () => {
  const histories = fc.tuple(
    fc.array(step, { maxLength: 60 }),
    fc.array(step, { maxLength: 60 }),
    fc.integer({ min: 1, max: 60 }),
  );
  const kept = fc.uniqueArray(document, { selector: (own) => own.observation_id, maxLength: 25 });
  fc.assert(
    fc.property(histories, kept, question, ([one, other, tail_documents], kept, asked) => {
      const [first, second] = [one, other].map((steps, place) => {
        const { index, documents } = follow(steps, place === 0 ? tail_documents : 7);
        const order = place === 0 ? kept : kept.toReversed();
        for (const document of order) index.put(document);
        const ids = new Set(kept.map(({ observation_id }) => observation_id));
        for (const { observation_id } of documents) {
          if (!ids.has(observation_id)) index.remove(observation_id);
        }
        const limits = { companies: 5, observations_per_company: 3 };
        return [
          index.searchObservations({ ...asked, limit: 10 }),
          index.shortlist({ ...asked, ...limits }),
        ];
      });
      assert.deepEqual(first, second);
    }),
    { numRuns: 200 },
  );
});

/** Numbers from 0 to 1, evenly: fast-check prefers odd ones. */
function* chances(seed: number): Generator<number, never> {
  for (let state = seed;;) {
    state = Math.imul(state ^ (state >>> 15), state | 1) + 0x6d2b79f5 | 0;
    yield ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** So many that most must be passed over; the nth word is n times less common than the first. */
function manyDocuments(next: () => number): ObservationDocument[] {
  const text = (words: number) =>
    Array.from({ length: Math.floor(next() * words) }, () => zipfWord(next)).join(" ");
  return Array.from({ length: 2_000 }, (_, place) =>
    observationDocument(place + 1, {
      company_id: 1 + Math.floor(400 * next() ** 2),
      country: next() < 0.5 ? "CA" : "US",
      kind: next() < 0.3 ? "procurement_request" : "job_posting",
      text: { company: text(3), observed_fact: text(12), why_it_may_matter: text(9) },
    }));
}

function zipfWord(next: () => number): string {
  return `w${Math.floor(300 ** next())}`;
}

Deno.test("ObservationIndex passes over most documents and misses none", () => {
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
