import assert from "node:assert/strict";
import type { QuestionPart } from "../../support/questions.ts";
import { companiesFor, cranes, indexOf, ranked } from "./ranked.ts";

const words = ["crane"];

Deno.test("rankCompanies() puts a named company first, whatever its words", () => {
  const index = indexOf(
    "supernus pharmaceuticals names another supernus pharmaceuticals officer",
    { facets: ["name:supernuspharmaceuticals"], text: { observed_fact: "officer" } },
    { facets: ["ticker:supn"], text: { observed_fact: "roof" } },
  );
  const words = ["supernus", "pharmaceuticals", "officer"];
  const names = ["name:supernuspharmaceuticals"];
  assert.deepEqual(ranked(index, { words, names }), [2, 1]);
  assert.deepEqual(ranked(index, { words: ["supn"], names: ["ticker:supn"] }), [3]);
});

Deno.test("rankCompanies() puts a named company first by what it is asked for", () => {
  const index = indexOf(
    { company_id: 1, kind: "job_posting", facets: ["name:acme"] },
    { company_id: 1, kind: "leadership_change", facets: ["name:acme"] },
    { company_id: 2, kind: "leadership_change", text: { observed_fact: "acme" } },
  );
  const asked: QuestionPart = {
    words: ["acme"],
    kinds: ["leadership_change"],
    names: ["name:acme"],
  };
  assert.deepEqual(companiesFor(index, asked), [[1, 2, 1], [2, 3]]);
});

Deno.test("rankCompanies() names no company that filters do not admit or that has expired", () => {
  const index = indexOf(
    { facets: ["name:acme"] },
    { facets: ["name:late"], expires_at: "2026-06-15T12:00:00.000000Z" },
  );
  const asked: QuestionPart = { words: ["acme"], names: ["name:acme"] };
  assert.deepEqual(ranked(index, asked), [1]);
  assert.deepEqual(ranked(index, asked, { filters: { company_ids: [2] } }), []);
  assert.deepEqual(ranked(index, asked, { filters: { countries: ["US"] } }), []);
  assert.deepEqual(ranked(index, { words: ["late"], names: ["name:late"] }), []);
});

Deno.test("rankCompanies() puts the company that holds a hostname first", () => {
  const index = cranes(
    {},
    { hostnames: ["acme.example"] },
    { hostnames: ["late.example"], expires_at: "2026-06-16T00:00:00.000000Z" },
  );
  assert.deepEqual(ranked(index, { words, hostnames: ["acme.example"] }), [2, 1, 3]);
  assert.deepEqual(ranked(index, { words, hostnames: ["late.example"] }), [3, 1, 2]);
});

Deno.test("rankCompanies() delivers no company of which half of the records are about the unwanted", () => {
  const index = indexOf(
    { text: { observed_fact: "crane", texts: ["cold storage"] } },
    { text: { observed_fact: "crane", texts: ["cold rolling"] } },
    { text: { observed_fact: "crane", texts: ["entrepôts froids de la ville"] } },
    { company_id: 4, text: { observed_fact: "crane" } },
    { company_id: 4, text: { observed_fact: "cold storage" } },
  );
  assert.deepEqual(ranked(index, { words }), [1, 2, 3, 4].sort((a, b) => a - b));
  assert.deepEqual(
    ranked(index, { words, excluded: [["cold", "storage"]] }).sort((a, b) => a - b),
    [2, 3],
  );
  // The word is excluded in any form of either language.
  assert.deepEqual(ranked(index, { words, excluded: [["entrepot"]] }).sort((a, b) => a - b), [
    1,
    2,
    4,
  ]);
  assert.deepEqual(ranked(index, { words, excluded: [["absent"]] }), ranked(index, { words }));
});

Deno.test("rankCompanies() lists what is not unwanted if a question tells nothing else", () => {
  const index = indexOf("cold storage", "crane", "roof");
  assert.deepEqual(ranked(index, { excluded: [["cold", "storage"]] }).sort((a, b) => a - b), [
    2,
    3,
  ]);
});

Deno.test("rankCompanies() delivers no record with an excluded facet", () => {
  const index = cranes(
    { company_id: 1, facets: ["region:US-CA"] },
    { company_id: 2, facets: ["region:US-TX"] },
    { company_id: 3 },
    { company_id: 1, facets: ["region:US-TX"] },
  );
  assert.deepEqual(companiesFor(index, { words, excluded_facets: ["region:US-CA"] }), [
    [1, 4],
    [2, 2],
    [3, 3],
  ]);
});

Deno.test("rankCompanies() does not hold the name of a partner against a company", () => {
  const index = indexOf(
    { company_id: 1, text: { observed_fact: "crane" } },
    { company_id: 1, text: { observed_fact: "harbour" } },
    { company_id: 1, text: { observed_fact: "partner of Acme Roofing" } },
    { company_id: 2, text: { observed_fact: "crane roofing" } },
    { company_id: 2, text: { observed_fact: "harbour" } },
    { company_id: 2, text: { observed_fact: "quay" } },
  );
  assert.deepEqual(ranked(index, { words, excluded: [["roofing"]] }), [1]);
});

Deno.test("rankCompanies() excludes what says the unwanted in other words", () => {
  const index = indexOf(
    { company_id: 1, text: { observed_fact: "crane" } },
    { company_id: 1, text: { observed_fact: "la réfection de la toiture de la ville" } },
    { company_id: 2, text: { observed_fact: "crane" } },
  );
  assert.deepEqual(ranked(index, { words, excluded: [["roofing"]] }), [2]);
});

Deno.test("rankCompanies() delivers no record of an excluded kind or country", () => {
  const index = cranes({ kind: "job_posting" }, { country: "US" }, {});
  assert.deepEqual(ranked(index, { words, excluded_kinds: ["job_posting"] }), [2, 3]);
  assert.deepEqual(ranked(index, { words, excluded_countries: ["US"] }), [1, 3]);
});
