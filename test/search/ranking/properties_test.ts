/** Tests properties of the ranking on generated documents, questions and filters. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Country, Kind, Sector } from "../../../src/contract/vocabulary.ts";
import { type ObservationDocument, sectorMask } from "../../../src/search/index/document.ts";
import { ObservationIndex } from "../../../src/search/index/observation_index.ts";
import { normalizeFilters } from "../../support/inputs.ts";
import { rankCompanies, rankObservations } from "../../../src/search/ranking/rank.ts";
import type { Question } from "../../../src/search/reading/question.ts";
import { questionOf } from "../../support/questions.ts";
import { document, FACETS, follow, NOW, question as narrowing, step } from "../engine/histories.ts";

const WORDS = ["steel", "mill", "paper", "roof", "snow", "crane", "usine", "zzzqqq"];
const moment = fc.option(
  fc.integer({ min: 1, max: 5 }).map((n) => `2026-03-0${n}T00:00:00.000000Z`),
);
const period = fc.record({ after: moment, before: moment });
const bound = fc.option(fc.integer({ min: 1, max: 5 }));

/** Generates a question with few conditions. */
const question: fc.Arbitrary<Question> = fc.record({
  words: fc.subarray(WORDS, { maxLength: 4 }),
  kinds: fc.subarray<Kind>(["procurement_request", "facility_expansion"]),
  countries: fc.subarray<Country>(["CA", "US"]),
  sectors: fc.subarray(["11" as const, "21" as const]),
  facets: fc.array(
    fc.record({
      any: fc.subarray(FACETS, { minLength: 1 }),
      sectors: fc.constant<Sector[]>([]),
      words: fc.constant<number[]>([]),
    }),
    { maxLength: 2 },
  ),
  excluded: fc.array(fc.subarray(WORDS, { minLength: 1, maxLength: 2 }), { maxLength: 1 }),
  excluded_facets: fc.subarray(FACETS, { maxLength: 1 }),
  hostnames: fc.subarray(["a.example", "b.example"]),
  names: fc.subarray(["round:seed"]),
  occurred: period,
  closes: period,
  amount: fc.option(fc.record({ min: bound, max: bound })),
}, { requiredKeys: [] }).map((part) => questionOf(part));

const filters = narrowing.map(({ filters }) => filters ?? normalizeFilters({}));
const steps = fc.array(step, { minLength: 5, maxLength: 60 });
const documents = fc.uniqueArray(document, {
  minLength: 3,
  maxLength: 30,
  selector: ({ observation_id }) => observation_id,
});

/** Returns the ranked companies and observations for a question, with their scores. */
function answers(index: ObservationIndex, question: Question, admitted = normalizeFilters({})) {
  const request = { question, filters: admitted, now: NOW };
  const { companies } = rankCompanies(index, {
    ...request,
    companies: 5,
    observations_per_company: 3,
  });
  return { companies, ...rankObservations(index, { ...request, observations: 10 }) };
}

function createIndex(documents: readonly ObservationDocument[]): ObservationIndex {
  const index = new ObservationIndex();
  for (const one of documents) index.put(one);
  return index;
}

Deno.test("a question never widens the filters", () => {
  fc.assert(fc.property(documents, question, filters, (documents, question, admitted) => {
    const index = createIndex(documents);
    const isAdmitted = index.admitted({ filters: admitted, now: NOW });
    const { companies, observations } = answers(index, question, admitted);
    for (const { observation_id } of [...observations, ...companies.flatMap(shownOf)]) {
      assert(isAdmitted(observation_id) !== undefined, `observation ${observation_id}`);
    }
  }));
});

Deno.test("answers do not depend on segments or history", () => {
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 1, max: 9 }),
      question,
      filters,
      (steps, tail, ...rest) => {
        const { index, documents } = follow(steps, tail);
        const fresh = createIndex(
          documents.toSorted((a, b) => b.observation_id - a.observation_id),
        );
        assert.deepEqual(answers(index, ...rest), answers(fresh, ...rest));
      },
    ),
  );
});

Deno.test("companies and observations are unique, and equal ones are sorted by id", () => {
  fc.assert(fc.property(documents, question, (documents, question) => {
    const { companies, observations } = answers(createIndex(documents), question);
    const ids = companies.map(({ company_id }) => company_id);
    assert.equal(new Set(ids).size, ids.length);
    for (const { company_id, observations: shown } of companies) {
      assert(shown.length >= 1 && shown.length <= 3);
      assert(shown.every((hit) => hit.company_id === company_id));
    }
    const shown = observations.map(({ observation_id }) => observation_id);
    assert.equal(new Set(shown).size, shown.length);
  }));
  const alike = [7, 3, 9, 1].map((id) => ({ ...documentOf(id), company_id: id }));
  const { companies, observations } = answers(createIndex(alike), questionOf({ words: ["crane"] }));
  assert.deepEqual(companies.map(({ company_id }) => company_id), [1, 3, 7, 9]);
  assert.deepEqual(observations.map(({ observation_id }) => observation_id), [1, 3, 7, 9]);
});

Deno.test("a company that contradicts a condition never ranks above one that meets all", () => {
  fc.assert(
    fc.property(documents, question, (documents, question) => {
      const plain = { ...question, names: [], hostnames: [] };
      const byId = new Map(documents.map((one) => [one.observation_id, one]));
      const { companies, observations } = answers(createIndex(documents), plain);
      const levels = (shown: readonly { observation_id: number }[]) =>
        shown.map(({ observation_id }) => levelOf(byId.get(observation_id)!, plain));
      assertDescending(levels(companies.map((company) => shownOf(company)[0]!)));
      assertDescending(levels(observations));
    }),
    { numRuns: 300 },
  );
});

Deno.test("records with excluded facets are not delivered", () => {
  fc.assert(fc.property(documents, question, (documents, question) => {
    const byId = new Map(documents.map((one) => [one.observation_id, one]));
    const { companies, observations } = answers(createIndex(documents), question);
    for (const { observation_id } of [...observations, ...companies.flatMap(shownOf)]) {
      const { facets } = byId.get(observation_id)!;
      assert(!facets.some((facet) => question.excluded_facets.includes(facet)));
    }
  }));
});

const shownOf = ({ observations }: { observations: { observation_id: number }[] }) => observations;

function documentOf(id: number): ObservationDocument {
  const [sample] = fc.sample(document, { numRuns: 1, seed: 1 });
  return {
    ...sample!,
    observation_id: id,
    expires_at: null,
    text: { company: "", observed_fact: "crane", why_it_may_matter: "", texts: [] },
  };
}

function assertDescending(levels: readonly number[]): void {
  assert.deepEqual(levels, levels.toSorted((a, b) => b - a));
}

/**
 * Returns 0 if a document contradicts a condition, 1 if it leaves one unknown, and 2 if it meets
 * all.
 */
function levelOf(document: ObservationDocument, question: Question): number {
  const judgements = [
    oneOf(question.kinds, document.kind),
    oneOf(question.countries, document.country),
    question.sectors.length === 0
      ? 2
      : document.sectors === 0
      ? 1
      : within((document.sectors & sectorMask(question.sectors)) !== 0),
    inPeriod(question.occurred, document.occurred_at),
    inPeriod(question.closes, document.closes_at),
    question.amount === null ? 2 : document.amount === null ? 1 : within(
      document.amount >= (question.amount.min ?? 0) &&
        document.amount <= (question.amount.max ?? 99),
    ),
    ...question.facets.map(({ any }) => {
      if (any.some((term) => document.facets.includes(term))) return 2;
      const spaces = new Set(any.map(spaceOf));
      const contradicts = ["round", "region"].some((space) =>
        spaces.has(space) && document.facets.some((term) => spaceOf(term) === space)
      );
      return contradicts ? 0 : 1;
    }),
  ];
  return Math.min(2, ...judgements);
}

const spaceOf = (term: string) => term.slice(0, term.indexOf(":"));
const within = (meets: boolean) => meets ? 2 : 0;

function oneOf<Value>(values: readonly Value[], value: Value): number {
  return values.length === 0 ? 2 : within(values.includes(value));
}

function inPeriod({ after, before }: Question["occurred"], instant: string | null): number {
  if (after === null && before === null) return 2;
  if (instant === null) return 1;
  return within((after === null || instant >= after) && (before === null || instant < before));
}
