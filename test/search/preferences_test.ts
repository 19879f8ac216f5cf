import assert from "node:assert/strict";
import fc from "fast-check";
import { SECTORS } from "../../src/contract/vocabulary.ts";
import { ObservationIndex } from "../../src/search/engine/observation_index.ts";
import { labelsOf } from "../../src/search/document.ts";
import { normalizeFilters } from "../../src/search/filters.ts";
import { planSearch } from "../../src/search/planning.ts";
import {
  noPreferences,
  type Plan,
  planOfTerms,
  type Preferences,
} from "../../src/search/planning/plan.ts";
import { preferCompanies } from "../../src/search/preferences.ts";
import { shortlistCompanies } from "../../src/search/shortlist.ts";
import { observationDocument } from "../support/documents.ts";

const NOW = "2026-06-15T12:00:00.000000Z";

type Part = NonNullable<Parameters<typeof observationDocument>[1]>;

/** Observations of a company each, both numbered from 1 on, of which all say "crane". */
function indexOf(...parts: Part[]): ObservationIndex {
  const index = new ObservationIndex();
  parts.forEach((part, place) => {
    const text = { observed_fact: "crane", ...part.text };
    index.put(observationDocument(place + 1, { ...part, text }));
  });
  return index;
}

/** Companies in their order. */
function ranked(
  index: ObservationIndex,
  plan: Partial<Plan>,
  filters = {},
  companies = 100,
): number[] {
  return shortlistCompanies(index, {
    plan: { ...planOfTerms(["crane"]), ...plan },
    filters: normalizeFilters(filters),
    now: NOW,
    companies,
    observations_per_company: 3,
  }).companies.map(({ company_id }) => company_id);
}

const preferring = (preferences: Partial<Preferences>) => ({
  preferences: { ...noPreferences(), ...preferences },
});

Deno.test("shortlistCompanies() puts what is preferred first, the rest behind", () => {
  const index = indexOf(
    { kind: "funding_round" },
    { country: "US" },
    { demand_class: "structural" },
    { occurred_at: "2026-05-01T00:00:00.000000Z" },
    { occurred_at: null },
    { text: { english_labels: SECTORS["21"] } },
  );
  const first = (preferences: Partial<Preferences>) => ranked(index, preferring(preferences));
  assert.deepEqual(first({}), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(first({ kinds: ["funding_round"] }), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(first({ countries: ["US"] }), [2, 1, 3, 4, 5, 6]);
  assert.deepEqual(first({ demand_classes: ["structural"] }), [3, 1, 2, 4, 5, 6]);
  assert.deepEqual(first({ occurred_after: "2026-05-01T00:00:00.000000Z" }), [4, 1, 2, 3, 5, 6]);
  assert.deepEqual(first({ occurred_before: "2026-05-01T00:00:00.000000Z" }), [1, 2, 3, 6, 4, 5]);
  assert.equal(first({ sectors: ["21"] })[0], 6);
});

Deno.test("shortlistCompanies() finds nothing by the label of a preferred sector alone", () => {
  const labelled = { english_labels: SECTORS["72"] };
  const index = indexOf(
    {},
    { text: labelled },
    { text: { ...labelled, observed_fact: "accommodation" } },
    { company_id: 2, text: { ...labelled, observed_fact: "beds" } },
  );
  const sector = preferring({ sectors: ["72"] });
  assert.deepEqual(ranked(index, sector), [2, 1]);
  // Where the preferred are asked for apart.
  const { preferences } = preferring({ sectors: ["72"], countries: ["CA"] });
  assert.deepEqual(ranked(index, { preferences }), [2, 1]);
  assert.deepEqual(ranked(index, { ...sector, terms: [] }), []);
  const { companies: [company] } = shortlistCompanies(index, {
    plan: { ...planOfTerms(["crane"]), ...sector },
    filters: normalizeFilters({}),
    now: NOW,
    companies: 10,
    observations_per_company: 3,
  });
  assert.deepEqual(company!.observations.map(({ observation_id }) => observation_id), [2]);
});

Deno.test("shortlistCompanies() finds with preferences whatever it finds without", () => {
  const index = indexOf(
    {},
    { country: "US", text: { english_labels: SECTORS["72"] } },
    { kind: "funding_round", text: { english_labels: SECTORS["21"] } },
    { text: { observed_fact: "beam", english_labels: SECTORS["72"] } },
    { text: { observed_fact: "grues", english_labels: SECTORS["11"] } },
  );
  const some = <Value>(...values: Value[]) => fc.subarray(values);
  const preferences = fc.record({
    kinds: some("funding_round" as const, "job_posting" as const),
    countries: some("US" as const, "CA" as const),
    sectors: some("72" as const, "21" as const, "11" as const, "81" as const),
  });
  const terms = some("crane", "grues", "absent");
  fc.assert(fc.property(terms, preferences, (terms, own) => {
    const found = (plan: Partial<Plan>) => ranked(index, { terms, ...plan }).sort();
    assert.deepEqual(found(preferring(own)), found({}));
  }));
});

Deno.test("shortlistCompanies() prefers what holds a whole phrase", () => {
  const index = indexOf(
    { text: { texts: ["site of a battery"] } },
    { text: { texts: ["battery storage site"] } },
  );
  assert.deepEqual(ranked(index, { phrases: [["battery", "storage", "site"]] }), [2, 1]);
});

Deno.test("shortlistCompanies() puts behind what holds all words of what is excluded", () => {
  const index = indexOf(
    { text: { texts: ["cold storage"] } },
    { text: { texts: ["cold rolling"] } },
    { text: { texts: ["entrepôts froids"] } },
  );
  assert.deepEqual(ranked(index, { excluded: [["cold", "storage"]] }), [2, 3, 1]);
  // In whatever form of either language.
  assert.deepEqual(ranked(index, { excluded: [["entrepot"]] }).at(-1), 3);
  assert.deepEqual(ranked(index, { excluded: [["absent"]] }), ranked(index, {}));
});

Deno.test("shortlistCompanies() prefers the company that holds a hostname", () => {
  const index = indexOf(
    {},
    { hostnames: ["acme.example"] },
    { hostnames: ["late.example"], expires_at: "2026-06-16T00:00:00.000000Z" },
  );
  assert.deepEqual(ranked(index, { hostnames: ["acme.example"] }), [2, 1, 3]);
  assert.deepEqual(ranked(index, { hostnames: ["late.example"] }), [3, 1, 2]);
});

Deno.test("shortlistCompanies() finds the preferred behind a hundred better matches", () => {
  const better = Array.from({ length: 150 }, (): Part => ({}));
  const index = indexOf(...better, {
    kind: "funding_round",
    text: { observed_fact: "a crane among many other words that make it a lesser match" },
  });
  assert.equal(ranked(index, {}).includes(151), false);
  const found = ranked(index, preferring({ kinds: ["funding_round"] }));
  assert.equal(found[0], 151);
  assert.equal(found.length, 100);
});

Deno.test("shortlistCompanies() shows a company by what is preferred of it", () => {
  const index = new ObservationIndex();
  for (let id = 1; id <= 5; id++) {
    index.put(observationDocument(id, {
      company_id: 1,
      kind: id === 5 ? "job_posting" : "funding_round",
      text: { observed_fact: "crane" },
    }));
  }
  const { companies: [company] } = shortlistCompanies(index, {
    plan: { ...planOfTerms(["crane"]), ...preferring({ kinds: ["job_posting"] }) },
    filters: normalizeFilters({}),
    now: NOW,
    companies: 10,
    observations_per_company: 3,
  });
  assert.deepEqual(company!.observations.map(({ observation_id }) => observation_id), [5, 1, 2]);
});

Deno.test("shortlistCompanies() finds the named kinds whatever their words", () => {
  const index = indexOf(
    { kind: "job_posting", text: { ...labelsOf("job_posting", []), observed_fact: "roofer" } },
    { kind: "job_posting", text: labelsOf("job_posting", []) },
    { kind: "funding_round", text: { ...labelsOf("funding_round", []), observed_fact: "job" } },
    { kind: "funding_round", text: labelsOf("funding_round", []) },
  );
  const job_posting = ["job_posting" as const];
  const named = { named_kinds: job_posting, ...preferring({ kinds: job_posting }) };
  assert.deepEqual(ranked(index, named), [2, 1, 4]);
  assert.deepEqual(ranked(index, preferring({ kinds: job_posting })), [2, 4]);
  assert.deepEqual(ranked(index, { ...named, terms: [] }), [1, 2]);
  assert.deepEqual(ranked(index, named, { kinds: ["facility_expansion"] }), []);
  const { found_by_words } = shortlistCompanies(index, {
    plan: { ...planOfTerms(["crane"]), ...named },
    filters: normalizeFilters({}),
    now: NOW,
    companies: 10,
    observations_per_company: 3,
  });
  assert.equal(found_by_words, 2);
});

Deno.test("shortlistCompanies() finds the company of a hostname whatever its words", () => {
  const text = { ...labelsOf("facility_expansion", []), observed_fact: "beam" };
  const index = indexOf(
    {},
    { hostnames: ["acme.example"], text },
    { hostnames: ["other.example"], text },
  );
  const named = { hostnames: ["acme.example"] };
  assert.deepEqual(ranked(index, named), [2, 1]);
  assert.deepEqual(ranked(index, named, { domains: ["other.example"] }), []);
  assert.deepEqual(ranked(index, named, { exclude_domains: ["acme.example"] }), [1]);
});

Deno.test("shortlistCompanies() finds all that filters admit for what only tells the unwanted", () => {
  const index = indexOf(
    { text: { ...labelsOf("facility_expansion", ["23"]) } },
    { text: { ...labelsOf("facility_expansion", ["62"]) } },
    { kind: "job_posting", text: labelsOf("job_posting", []) },
    { country: "US", text: { ...labelsOf("facility_expansion", ["62"]) } },
  );
  const found = (query: string, filters = {}) =>
    ranked(index, planSearch(query, new Date(NOW)), filters);
  assert.deepEqual(found("not construction", { countries: ["CA"] }).toSorted(), [1, 2, 3]);
  assert.equal(found("not construction", { countries: ["CA"] }).at(-1), 1);
  assert.deepEqual(found("except job postings", { countries: ["CA"] }), [1, 2]);
  assert.deepEqual(found("not in Canada", { kinds: ["facility_expansion"] }), [4]);
});

Deno.test("shortlistCompanies() never admits what filters do not, whatever is preferred", () => {
  const index = indexOf(
    { kind: "procurement_request", country: "CA" },
    { kind: "facility_expansion", country: "US" },
    { kind: "funding_round", country: "US", hostnames: ["acme.example"] },
  );
  const plan = {
    hostnames: ["acme.example"],
    ...preferring({ kinds: ["funding_round"], countries: ["US"] }),
  };
  assert.deepEqual(ranked(index, plan, { countries: ["CA"] }), [1]);
  assert.deepEqual(ranked(index, plan, { kinds: ["facility_expansion"] }), [2]);
  assert.deepEqual(ranked(index, plan, { exclude_domains: ["acme.example"] }), [2, 1]);
  assert.deepEqual(ranked(index, plan, { domains: ["none.example"] }), []);
});

Deno.test("preferCompanies() keeps every company and observation, and breaks ties by id", () => {
  const index = indexOf({}, { country: "US" }, {}, { country: "US" });
  const plan = { ...planOfTerms(["crane"]), ...preferring({ countries: ["US"] }) };
  fc.assert(fc.property(fc.shuffledSubarray([1, 2, 3, 4]), fc.boolean(), (ids, absent) => {
    const companies = ids.map((id) => ({
      company_id: id,
      score: 1,
      observations: [{ observation_id: absent ? id + 100 : id, company_id: id, score: 1 }],
    }));
    const found = preferCompanies(companies, { index, plan, now: NOW });
    const best = absent ? [] : [2, 4].filter((id) => ids.includes(id));
    const rest = ids.filter((id) => !best.includes(id)).sort((a, b) => a - b);
    assert.deepEqual(found.map(({ company_id }) => company_id), [...best, ...rest]);
    assert(found.every(({ observations }) => observations.length === 1));
  }));
});

Deno.test("preferences are read alike from segments and from what has just come", () => {
  const parts: Part[] = [
    { text: { texts: ["cold storage"] } },
    { text: { english_labels: SECTORS["21"] } },
    {},
  ];
  const plan = { excluded: [["cold", "storage"]], ...preferring({ sectors: ["21" as const] }) };
  const sealed = indexOf(...parts);
  const fresh = ranked(indexOf(...parts), plan);
  sealed.seal();
  assert.deepEqual(ranked(sealed, plan), fresh);
  assert.deepEqual(fresh, [2, 3, 1]);
});
