/** Properties that hold for any documents, any question and any filters. */
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

/** Questions. Most of them ask for few conditions. */
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

const filters = narrowing.map((asked) => asked.filters ?? normalizeFilters({}));
const steps = fc.array(step, { minLength: 5, maxLength: 60 });
const documents = fc.uniqueArray(document, {
  minLength: 3,
  maxLength: 30,
  selector: ({ observation_id }) => observation_id,
});

/** Returns everything that is delivered for a question, in order and with its scores. */
function answers(index: ObservationIndex, asked: Question, admitted = normalizeFilters({})) {
  const request = { question: asked, filters: admitted, now: NOW };
  const { companies } = rankCompanies(index, {
    ...request,
    companies: 5,
    observations_per_company: 3,
  });
  return { companies, ...rankObservations(index, { ...request, observations: 10 }) };
}

function indexOf(documents: readonly ObservationDocument[]): ObservationIndex {
  const index = new ObservationIndex();
  for (const one of documents) index.put(one);
  return index;
}

Deno.test("no question widens filters", () => {
  fc.assert(fc.property(documents, question, filters, (documents, asked, admitted) => {
    const index = indexOf(documents);
    const isAdmitted = index.admitted({ filters: admitted, now: NOW });
    const { companies, observations } = answers(index, asked, admitted);
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
        const fresh = indexOf(documents.toSorted((a, b) => b.observation_id - a.observation_id));
        assert.deepEqual(answers(index, ...rest), answers(fresh, ...rest));
      },
    ),
  );
});

Deno.test("the order of answers is total: equal companies stand by their ids, none stands twice", () => {
  fc.assert(fc.property(documents, question, (documents, asked) => {
    const { companies, observations } = answers(indexOf(documents), asked);
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
  const { companies, observations } = answers(indexOf(alike), questionOf({ words: ["crane"] }));
  assert.deepEqual(companies.map(({ company_id }) => company_id), [1, 3, 7, 9]);
  assert.deepEqual(observations.map(({ observation_id }) => observation_id), [1, 3, 7, 9]);
});

Deno.test("a company that contradicts never stands before one that meets", () => {
  fc.assert(
    fc.property(documents, question, (documents, asked) => {
      const plain = { ...asked, names: [], hostnames: [] };
      const byId = new Map(documents.map((one) => [one.observation_id, one]));
      const { companies, observations } = answers(indexOf(documents), plain);
      const standings = (shown: readonly { observation_id: number }[]) =>
        shown.map(({ observation_id }) => standingOf(byId.get(observation_id)!, plain));
      assertFalling(standings(companies.map((company) => shownOf(company)[0]!)));
      assertFalling(standings(observations));
    }),
    { numRuns: 300 },
  );
});

Deno.test("nothing is delivered that is not wanted", () => {
  fc.assert(fc.property(documents, question, (documents, asked) => {
    const byId = new Map(documents.map((one) => [one.observation_id, one]));
    const { companies, observations } = answers(indexOf(documents), asked);
    for (const { observation_id } of [...observations, ...companies.flatMap(shownOf)]) {
      const { facets } = byId.get(observation_id)!;
      assert(!facets.some((facet) => asked.excluded_facets.includes(facet)));
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

function assertFalling(standings: readonly number[]): void {
  assert.deepEqual(standings, standings.toSorted((a, b) => b - a));
}

/** Returns 2 if a document meets all conditions, 1 if it does not say, 0 if it contradicts one. */
function standingOf(document: ObservationDocument, asked: Question): number {
  const judgements = [
    oneOf(asked.kinds, document.kind),
    oneOf(asked.countries, document.country),
    asked.sectors.length === 0
      ? 2
      : document.sectors === 0
      ? 1
      : within((document.sectors & sectorMask(asked.sectors)) !== 0),
    inPeriod(asked.occurred, document.occurred_at),
    inPeriod(asked.closes, document.closes_at),
    asked.amount === null ? 2 : document.amount === null ? 1 : within(
      document.amount >= (asked.amount.min ?? 0) && document.amount <= (asked.amount.max ?? 99),
    ),
    ...asked.facets.map(({ any }) => {
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

function oneOf<Value>(asked: readonly Value[], value: Value): number {
  return asked.length === 0 ? 2 : within(asked.includes(value));
}

function inPeriod({ after, before }: Question["occurred"], instant: string | null): number {
  if (after === null && before === null) return 2;
  if (instant === null) return 1;
  return within((after === null || instant >= after) && (before === null || instant < before));
}
