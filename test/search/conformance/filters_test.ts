/** Compares filters and grouping with a naive implementation, on generated queries. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Country, DemandClass, Kind } from "../../../src/contract/vocabulary.ts";
import type { DeliveryEntry } from "../../../src/operations/action.ts";
import { instantOf } from "../../../src/contract/instant.ts";
import type { ObservationDocument } from "../../../src/search/index/document.ts";
import { runs } from "../../fuzz/runs.ts";
import { observationDocument } from "../../support/documents.ts";
import { record } from "../../support/factories.ts";
import { normalizeFilters } from "../../support/inputs.ts";
import type { SearchFilters } from "../../../src/contract/filters.ts";
import { findCompanies, findObservations } from "./asking.ts";
import { conformanceTest, type Subject } from "./subjects.ts";

const COMPANIES = 40;
/** Number of observations, below the size of a shortlist, so that all admitted ones are found. */
const OBSERVATIONS = 95;
const CASES = 2_000;

const WORDS = ["crane", "roof", "boiler"];
const HOSTNAMES = ["a.example", "b.example", "c.example", "www.a.example"];
const COUNTRIES: readonly Country[] = ["CA", "US"];
const KINDS: readonly Kind[] = ["procurement_request", "facility_expansion", "job_posting"];
const CLASSES: readonly DemandClass[] = ["explicit_request", "proxy", "structural"];

const day = (n: number) => `2026-03-0${n}T00:00:00.000000Z`;
/** Returns one of several instants in the future. */
const later = (n: number) => `2199-01-0${n}T00:00:00.000000Z`;

/** Generates the values of a record. Its text contains one of three words. */
const part = fc.record({
  company: fc.integer({ min: 1, max: COMPANIES }),
  word: fc.constantFrom(...WORDS),
  country: fc.constantFrom(...COUNTRIES),
  kind: fc.constantFrom(...KINDS),
  demand_class: fc.constantFrom(...CLASSES),
  occurred_at: fc.integer({ min: 1, max: 5 }).map(day),
  observed_at: fc.integer({ min: 1, max: 5 }).map(day),
  expires_at: fc.option(fc.integer({ min: 2, max: 5 }).map(later), { freq: 2 }),
  hostnames: fc.subarray(HOSTNAMES, { maxLength: 2 }),
});

/** Records generated observations, and returns the documents that an index must contain. */
async function fill({ sql }: Subject): Promise<ObservationDocument[]> {
  const parts = fc.sample(part, { numRuns: OBSERVATIONS, seed: 7 });
  const recorded = await record(
    sql,
    parts.map(({ company, word, hostnames, ...facts }) => ({
      ...facts,
      observed_fact: `One ${word} is wanted.`,
      why_it_may_matter: "It needs parts.",
      company: { name: `Buyer ${company + 100}`, external_id: `${company}`, domains: hostnames },
      categories: [],
    })),
  );
  return parts.map(({ company: _, word, ...facts }, index) =>
    observationDocument(recorded[index]!.observation_id, {
      ...facts,
      company_id: recorded[index]!.company_id,
      observed_fact: word,
    })
  );
}

/** Generates queries of one word, with filters by values that records have or lack. */
function queriesOf(documents: readonly ObservationDocument[]) {
  const companies = [...new Set(documents.map(({ company_id }) => company_id))];
  const ids = fc.subarray([...companies.slice(0, 12), 999_999], { maxLength: 8 });
  return fc.record({
    word: fc.constantFrom(...WORDS),
    filters: fc.record({
      countries: fc.subarray([...COUNTRIES]),
      kinds: fc.subarray(["procurement_request", "facility_expansion"]),
      demand_classes: fc.subarray([...CLASSES]),
      occurred_after: fc.integer({ min: 1, max: 5 }).map(day),
      observed_after: fc.integer({ min: 1, max: 5 }).map(day),
      company_ids: ids,
      exclude_company_ids: ids,
      domains: fc.subarray([...HOSTNAMES, "unknown.example"], { maxLength: 2 }),
      exclude_domains: fc.subarray([...HOSTNAMES, "unknown.example"], { maxLength: 2 }),
    }, { requiredKeys: [] }),
    now: fc.option(fc.integer({ min: 1, max: 5 }).map((n) => new Date(later(n))), {
      nil: undefined,
    }),
  });
}

const isAny = (values: readonly unknown[], value: unknown) =>
  values.length === 0 || values.includes(value);

/** Returns the documents that have not expired and that pass the filters. */
function naiveAdmitted(
  documents: readonly ObservationDocument[],
  filters: SearchFilters | undefined,
  now = "",
): ObservationDocument[] {
  const alive = documents.filter(({ expires_at }) => expires_at === null || expires_at > now);
  if (filters === undefined) return alive;
  const holds = (company: number, names: readonly string[]) =>
    alive.some(({ company_id, hostnames }) =>
      company_id === company && hostnames.some((name) => names.includes(name))
    );
  return alive.filter((document) =>
    isAny(filters.countries, document.country) &&
    isAny(filters.kinds, document.kind) &&
    isAny(filters.demand_classes, document.demand_class) &&
    isAny(filters.company_ids, document.company_id) &&
    !filters.exclude_company_ids.includes(document.company_id) &&
    (filters.domains.length === 0 || holds(document.company_id, filters.domains)) &&
    !holds(document.company_id, filters.exclude_domains) &&
    (filters.occurred_after === null || (document.occurred_at ?? "") > filters.occurred_after) &&
    (filters.observed_after === null || document.observed_at > filters.observed_after)
  );
}

/** Returns the observations that pass the filters and contain the word. */
function admitted(
  documents: readonly ObservationDocument[],
  { word, filters, now = new Date() }: { word: string; filters: unknown; now?: Date },
): ObservationDocument[] {
  return naiveAdmitted(documents, normalizeFilters(filters), instantOf(now))
    .filter(({ observed_fact }) => observed_fact === word);
}

const ascending = (a: number, b: number) => a - b;

/** Returns companies with their observations, both sorted by id. */
function grouped(entries: readonly DeliveryEntry[]): [number, number[]][] {
  return entries
    .map(({ company_id, observation_ids }): [number, number[]] => [
      company_id,
      observation_ids.toSorted(ascending),
    ])
    .toSorted(([a], [b]) => a - b);
}

/**
 * Returns the expected groups. All records of a word have equal scores, so the best three of a
 * company are those with the lowest ids.
 */
function expectedGroups(documents: readonly ObservationDocument[]): [number, number[]][] {
  return Map.groupBy(documents, ({ company_id }) => company_id).entries()
    .map(([company_id, of_company]): [number, number[]] => [
      company_id,
      of_company.map(({ observation_id }) => observation_id).toSorted(ascending).slice(0, 3),
    ])
    .toArray()
    .toSorted(([a], [b]) => a - b);
}

conformanceTest("filters and grouping are exact for generated queries", async (subject) => {
  const documents = await fill(subject);
  await using retriever = await subject.open();
  const sizes = new Set<number>();
  await fc.assert(
    fc.asyncProperty(queriesOf(documents), async ({ word, ...options }) => {
      const expected = admitted(documents, { word, ...options });
      sizes.add(expected.length);
      const companies = await findCompanies(retriever, { query: word, ...options });
      assert.deepEqual(grouped(companies), expectedGroups(expected));
      const observations = await findObservations(retriever, { query: word, ...options });
      assert.deepEqual(
        observations.toSorted(ascending),
        expected.map(({ observation_id }) => observation_id).toSorted(ascending),
      );
    }),
    { numRuns: runs(CASES) },
  );
  // The numbers of results range from 0 to nearly all records of a word.
  assert.ok(sizes.has(0) && Math.max(...sizes) > 20 && sizes.size > 15, `${[...sizes]}`);
});
