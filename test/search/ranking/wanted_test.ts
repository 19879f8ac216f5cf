import assert from "node:assert/strict";
import type { QuestionPart } from "../../support/questions.ts";
import { companiesFor, cranes, createIndex, ranked } from "./ranked.ts";

const words = ["crane"];

Deno.test("rankCompanies() ranks a named company first, whatever its words", () => {
  const index = createIndex(
    "supernus pharmaceuticals names another supernus pharmaceuticals officer",
    { facets: ["name:supernuspharmaceuticals"], text: { observed_fact: "officer" } },
    { facets: ["ticker:supn"], text: { observed_fact: "roof" } },
  );
  const words = ["supernus", "pharmaceuticals", "officer"];
  const names = ["name:supernuspharmaceuticals"];
  assert.deepEqual(ranked(index, { words, names }), [2, 1]);
  assert.deepEqual(ranked(index, { words: ["supn"], names: ["ticker:supn"] }), [3]);
});

Deno.test("rankCompanies() lists the records of the requested kind first for a named company", () => {
  const index = createIndex(
    { company_id: 1, kind: "job_posting", facets: ["name:acme"] },
    { company_id: 1, kind: "leadership_change", facets: ["name:acme"] },
    { company_id: 2, kind: "leadership_change", text: { observed_fact: "acme" } },
  );
  const part: QuestionPart = {
    words: ["acme"],
    kinds: ["leadership_change"],
    names: ["name:acme"],
  };
  assert.deepEqual(companiesFor(index, part), [[1, 2, 1], [2, 3]]);
});

Deno.test("rankCompanies() does not deliver a named company that filters exclude or that has expired", () => {
  const index = createIndex(
    { facets: ["name:acme"] },
    { facets: ["name:late"], expires_at: "2026-06-15T12:00:00.000000Z" },
  );
  const part: QuestionPart = { words: ["acme"], names: ["name:acme"] };
  assert.deepEqual(ranked(index, part), [1]);
  assert.deepEqual(ranked(index, part, { filters: { company_ids: [2] } }), []);
  assert.deepEqual(ranked(index, part, { filters: { countries: ["US"] } }), []);
  assert.deepEqual(ranked(index, { words: ["late"], names: ["name:late"] }), []);
});

Deno.test("rankCompanies() ranks the company of a hostname first", () => {
  const index = cranes(
    {},
    { hostnames: ["acme.example"] },
    { hostnames: ["late.example"], expires_at: "2026-06-16T00:00:00.000000Z" },
  );
  assert.deepEqual(ranked(index, { words, hostnames: ["acme.example"] }), [2, 1, 3]);
  assert.deepEqual(ranked(index, { words, hostnames: ["late.example"] }), [3, 1, 2]);
});

Deno.test("rankCompanies() omits companies if half of their records contain excluded words", () => {
  const index = createIndex(
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
  // All forms of the word are excluded, in both languages.
  assert.deepEqual(ranked(index, { words, excluded: [["entrepot"]] }).sort((a, b) => a - b), [
    1,
    2,
    4,
  ]);
  assert.deepEqual(ranked(index, { words, excluded: [["absent"]] }), ranked(index, { words }));
});

Deno.test("rankCompanies() lists all other records for a question that only excludes", () => {
  const index = createIndex("cold storage", "crane", "roof");
  assert.deepEqual(ranked(index, { excluded: [["cold", "storage"]] }).sort((a, b) => a - b), [
    2,
    3,
  ]);
});

Deno.test("rankCompanies() omits records with an excluded facet", () => {
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

Deno.test("rankCompanies() does not exclude a company because of one mention of a partner", () => {
  const index = createIndex(
    { company_id: 1, text: { observed_fact: "crane" } },
    { company_id: 1, text: { observed_fact: "harbour" } },
    { company_id: 1, text: { observed_fact: "partner of Acme Roofing" } },
    { company_id: 2, text: { observed_fact: "crane roofing" } },
    { company_id: 2, text: { observed_fact: "harbour" } },
    { company_id: 2, text: { observed_fact: "quay" } },
  );
  assert.deepEqual(ranked(index, { words, excluded: [["roofing"]] }), [1]);
});

Deno.test("rankCompanies() also excludes synonyms of excluded words", () => {
  const index = createIndex(
    { company_id: 1, text: { observed_fact: "crane" } },
    { company_id: 1, text: { observed_fact: "la réfection de la toiture de la ville" } },
    { company_id: 2, text: { observed_fact: "crane" } },
  );
  assert.deepEqual(ranked(index, { words, excluded: [["roofing"]] }), [2]);
});

Deno.test("rankCompanies() omits records of an excluded kind or country", () => {
  const index = cranes({ kind: "job_posting" }, { country: "US" }, {});
  assert.deepEqual(ranked(index, { words, excluded_kinds: ["job_posting"] }), [2, 3]);
  assert.deepEqual(ranked(index, { words, excluded_countries: ["US"] }), [1, 3]);
});
