import assert from "node:assert/strict";
import type { Kind } from "../../../src/contract/vocabulary.ts";
import { type FacetRecord, facetTermsOf } from "../../../src/search/facets/facet_terms.ts";
import { termsOfRound } from "../../../src/search/facets/rounds.ts";

function termsOf(record: Partial<FacetRecord>): string[] {
  return facetTermsOf({
    company: "Acme Inc.",
    kind: "company_profile",
    country: "US",
    observed_fact: "",
    facets: {},
    ...record,
  });
}

Deno.test("facetTermsOf() returns terms of the columns of a record", () => {
  const terms = termsOf({
    company: "The Jet Blue Co., Ltd.",
    facets: {
      places: [{ country: "US", region: "CA", city: "Palo Alto", metro: "SF Bay" }],
      round: "series_c_or_later",
      industry: "network hosting",
      technologies: ["Postgres", "C++", "Node.js"],
      role: "VP Finance & Chief Financial Officer",
      former_names: ["Blue Jet, LLC"],
      tickers: ["JBLU"],
    },
  });
  assert.deepEqual(terms, [
    "name:jetblue",
    "name:bluejet",
    "ticker:jblu",
    "region:US-CA",
    "city:palo alto",
    "metro:san francisco bay area",
    "round:series_c_plus",
    "role:cfo",
    "role:vice_president",
    "technology:postgresql",
    "technology:c++",
    "technology:nodejs",
    "industry:networkhosting",
  ]);
});

Deno.test("facetTermsOf() normalizes cities, and adds their metropolitan areas", () => {
  const placed = (region: string, city: string) =>
    termsOf({ facets: { places: [{ country: "US", region, city }] } }).slice(1);
  assert.deepEqual(placed("NY", "NYC"), ["region:US-NY", "city:new york", "metro:new york"]);
  assert.deepEqual(placed("MO", "St. Louis"), [
    "region:US-MO",
    "city:saint louis",
    "metro:saint louis",
  ]);
  assert.deepEqual(placed("ME", "Portland"), ["region:US-ME", "city:portland"]);
  assert.deepEqual(placed("MD", "Rockville"), [
    "region:US-MD",
    "city:rockville",
    "metro:washington dc",
  ]);
});

Deno.test("facetTermsOf() returns the same key for all spellings of a name", () => {
  const keyOf = (company: string) => termsOf({ company })[0];
  for (const name of ["Linked In", "LinkedIn, Inc.", "LINKEDIN CORPORATION", "Linked-In /DE/"]) {
    assert.equal(keyOf(name), "name:linkedin", name);
  }
  assert.equal(keyOf("Les Aliments Québec Ltée"), "name:alimentsquebec");
  assert.equal(keyOf("A & W and Sons L.L.C."), "name:awsons");
  assert.equal(keyOf("Limited"), "name:limited");
  assert.deepEqual(termsOf({ company: "***" }), []);
});

Deno.test("facetTermsOf() reads the sentence of the fact if a column is missing", () => {
  const read = (kind: Kind, observed_fact: string, facets: FacetRecord["facets"] = {}) =>
    termsOf({ kind, observed_fact, facets }).slice(1);
  const raised = "Acme raised $5M in a Series B round.";
  assert.deepEqual(read("funding_round", raised), ["round:series_b"]);
  assert.deepEqual(read("funding_round", raised, { round: "venture" }), ["round:venture"]);
  const backed = "Venture-backed Acme of Angel Street raises a seed round.";
  assert.deepEqual(read("funding_round", backed), ["round:seed"]);
  const named = "Acme named a Chief Financial Officer.";
  assert.deepEqual(read("leadership_change", named), ["role:cfo"]);
  assert.deepEqual(read("leadership_change", named, { role: "Treasurer" }), ["role:treasurer"]);
});

Deno.test("facetTermsOf() adds the region of a well-known city whose record states none", () => {
  const place = (city: string) => ({ country: "US" as const, region: null, city, metro: null });
  assert.deepEqual(termsOf({ facets: { places: [place("San Francisco")] } }), [
    "name:acme",
    "region:US-CA",
    "city:san francisco",
    "metro:san francisco bay area",
  ]);
  assert.deepEqual(termsOf({ facets: { places: [place("Springfield")] } }), [
    "name:acme",
    "city:springfield",
  ]);
});

Deno.test("termsOfRound() also finds Series C or later from Series C on", () => {
  assert.deepEqual(termsOfRound("series_b"), ["round:series_b"]);
  assert.deepEqual(termsOfRound("series_c"), ["round:series_c", "round:series_c_plus"]);
});
