import assert from "node:assert/strict";
import type { Sector } from "../../../src/contract/vocabulary.ts";
import { sectorMask } from "../../../src/search/index/document.ts";
import { alternativesOf } from "../../../src/search/trades/alternatives.ts";
import { facet, type QuestionPart } from "../../support/questions.ts";
import {
  companiesFor,
  cranes,
  createIndex,
  type Part,
  ranked,
  rankedObservations,
} from "./ranked.ts";

const words = ["crane"];

const period = (after: string | null, before: string | null = null) => ({ after, before });

Deno.test("rankCompanies() ranks met before unknown conditions, and omits what contradicts one", () => {
  const index = cranes(
    { kind: "funding_round" },
    { country: "US" },
    { demand_class: "structural" },
    { occurred_at: "2026-05-01T00:00:00.000000Z" },
    { occurred_at: null },
    { sectors: sectorMask(["21"]) },
    { sectors: sectorMask(["72"]) },
    { amount: 5_000_000 },
    { amount: 90_000_000 },
    { closes_at: "2026-07-01T00:00:00.000000Z" },
    { facets: ["round:series_a"] },
    { facets: ["round:series_b"] },
  );
  const first = (part: QuestionPart) => ranked(index, { words, ...part });
  assert.deepEqual(first({}), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  assert.deepEqual(first({ kinds: ["funding_round"] }), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  assert.deepEqual(first({ countries: ["US"] }), [2]);
  assert.deepEqual(
    first({ demand_classes: ["structural"] }),
    [3, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  );
  assert.deepEqual(
    first({ occurred: period("2026-05-01T00:00:00.000000Z") }),
    [4, 5],
  );
  assert.deepEqual(
    first({ occurred: period(null, "2026-05-01T00:00:00.000000Z") }),
    [1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 5],
  );
  assert.deepEqual(first({ sectors: ["21"] }), [6, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 7]);
  // A company whose amount is outside of the bounds is omitted.
  assert.deepEqual(
    first({ amount: { min: 10_000_000, max: null } }),
    [9, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12],
  );
  assert.deepEqual(
    first({ closes: period("2026-06-20T00:00:00.000000Z") }),
    [10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12],
  );
  assert.deepEqual(
    first({ facets: [facet(["round:series_a"])] }),
    [11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
});

Deno.test("rankCompanies() ranks companies that meet more conditions first", () => {
  const index = cranes(
    { country: "CA", kind: "job_posting" },
    { country: "US", kind: "job_posting" },
    { country: "US", kind: "funding_round" },
    { country: "CA", kind: "funding_round" },
  );
  const part: QuestionPart = { words, countries: ["US"], kinds: ["funding_round"] };
  assert.deepEqual(ranked(index, part), [3, 2]);
  assert.deepEqual(rankedObservations(index, part), [3, 2]);
});

Deno.test("rankCompanies() omits companies of another kind if the others fill the page", () => {
  const index = cranes(
    { kind: "job_posting" },
    { kind: "funding_round" },
    { kind: "job_posting" },
  );
  const part: QuestionPart = { words, kinds: ["funding_round"] };
  assert.deepEqual(ranked(index, part, { companies: 1 }), [2]);
  assert.deepEqual(ranked(index, part), [2, 1, 3]);
});

Deno.test("rankCompanies() requires a word of the question besides kind, country, sector or facet", () => {
  const index = createIndex(
    { kind: "procurement_request", facets: ["round:seed"], sectors: sectorMask(["23"]) },
    { kind: "procurement_request", text: { observed_fact: "crane" } },
  );
  const conditions: QuestionPart = {
    kinds: ["procurement_request"],
    countries: ["CA"],
    sectors: ["23"],
    facets: [facet(["round:seed"])],
  };
  assert.deepEqual(ranked(index, { words: ["zzzqqq"], ...conditions }), []);
  assert.deepEqual(rankedObservations(index, { words: ["zzzqqq"], ...conditions }), []);
  assert.deepEqual(ranked(index, { words, ...conditions }), [2]);
});

Deno.test("rankCompanies() counts a word without records as not met", () => {
  const index = createIndex("crane", "crane", "roof", "snow");
  assert.deepEqual(ranked(index, { words: ["crane", "zzzqqq"] }), []);
  // A rare word has a higher weight, so one of two words can be more or less than half.
  assert.deepEqual(ranked(index, { words: ["crane", "roof"] }), [3]);
  assert.deepEqual(ranked(index, { words: ["snow", "roof"] }), [3, 4]);
});

Deno.test("rankCompanies() finds records by kind, place, time and facet if there are no words", () => {
  const index = createIndex(
    { kind: "funding_round", facets: ["round:series_a", "region:US-CA"] },
    { kind: "funding_round", facets: ["round:series_b", "region:US-CA"] },
    { kind: "job_posting", occurred_at: "2026-05-02T00:00:00.000000Z" },
    { kind: "job_posting", country: "US", amount: 7 },
  );
  assert.deepEqual(ranked(index, { kinds: ["job_posting"] }), [3, 4]);
  assert.deepEqual(ranked(index, { countries: ["US"] }), [4]);
  assert.deepEqual(ranked(index, { facets: [facet(["region:US-CA"])] }), [1, 2]);
  const rounds = [facet(["region:US-CA"]), facet(["round:series_a"])];
  // The record with another round contradicts the question.
  assert.deepEqual(ranked(index, { facets: rounds }), [1]);
  assert.deepEqual(ranked(index, { kinds: ["funding_round"], facets: rounds }), [1]);
  assert.deepEqual(ranked(index, { occurred: period("2026-05-01T00:00:00.000000Z") }), [3]);
  assert.deepEqual(ranked(index, { kinds: ["partnership"] }), []);
});

Deno.test("rankCompanies() finds nothing for an empty question", () => {
  const index = createIndex("crane", "roof");
  assert.deepEqual(ranked(index, {}), []);
  assert.deepEqual(rankedObservations(index, {}), []);
  assert.deepEqual(ranked(index, {}, { filters: { kinds: ["facility_expansion"] } }), []);
});

Deno.test("rankCompanies() requires phrases, and prefers adjacent words", () => {
  const index = createIndex(
    { text: { texts: ["storage site of a battery"] } },
    { text: { texts: ["site for battery storage"] } },
    { text: { texts: ["battery storage site"] } },
  );
  const phrase = ["battery", "storage", "site"];
  assert.deepEqual(ranked(index, { words: phrase }), [1, 2, 3]);
  assert.deepEqual(ranked(index, { words: phrase, phrases: [phrase] }), [3]);
  assert.deepEqual(
    ranked(index, { words: phrase, pairs: [["battery", "storage"], ["storage", "site"]] }),
    [3, 1, 2],
  );
  const series = createIndex(
    "It raised a Series B round of the money",
    "It raised a Series A round of the money",
  );
  const pairs: [string, string][] = [["series", "a"]];
  assert.deepEqual(ranked(series, { words: ["series"], pairs }), [2, 1]);
});

Deno.test("rankCompanies() finds synonyms, and ranks them below the word itself", () => {
  const index = createIndex("janitorial services", "custodial services", "service de conciergerie");
  const words = ["custodial"];
  const alternatives = alternativesOf(words);
  assert.deepEqual(ranked(index, { words }), [2]);
  assert.equal(ranked(index, { words, alternatives })[0], 2);
  assert.deepEqual(ranked(index, { words, alternatives }).sort((a, b) => a - b), [1, 2, 3]);
});

Deno.test("rankCompanies() finds records by a facet that covers all words", () => {
  const index = createIndex(
    { facets: ["industry:software"] },
    "software for accountants",
    { facets: ["industry:web"] },
  );
  const part: QuestionPart = { words: ["software"], facets: [facet(["industry:software"], [0])] };
  // A record with the words but without the facet does not contradict the facet.
  assert.deepEqual(ranked(index, part), [1, 2]);
});

Deno.test("rankCompanies() finds a record if another record of its company names the subject", () => {
  const index = createIndex(
    { company_id: 1, kind: "company_profile", text: { observed_fact: "frozen food" } },
    { company_id: 1, kind: "job_posting", text: { observed_fact: "welder" } },
    { company_id: 2, kind: "job_posting", text: { observed_fact: "welder" } },
    { company_id: 3, kind: "company_profile", text: { observed_fact: "frozen food" } },
    { company_id: 4, kind: "job_posting", text: { observed_fact: "frozen food" } },
  );
  const part: QuestionPart = { words: ["frozen", "food"], kinds: ["job_posting"] };
  assert.deepEqual(companiesFor(index, part), [[4, 5], [1, 2, 1], [3, 4]]);
  // Each observation is ranked only by its own texts.
  assert.deepEqual(rankedObservations(index, part), [5, 1, 4]);
});

Deno.test("rankCompanies() finds a record that meets a condition below 100 better matches", () => {
  const better = Array.from({ length: 150 }, (): Part => "crane");
  const index = createIndex(...better, {
    kind: "funding_round",
    text: { observed_fact: "a crane among many other words that make it a lesser match" },
  });
  assert.equal(ranked(index, { words }).includes(151), false);
  const found = ranked(index, { words, kinds: ["funding_round"] });
  assert.equal(found[0], 151);
  assert.equal(found.length, 100);
});

Deno.test("rankCompanies() lists the records of a company that meet the conditions first", () => {
  const index = cranes(
    ...[1, 2, 3, 4].map(() => ({ company_id: 1, kind: "funding_round" as const })),
    { company_id: 1, kind: "job_posting" },
  );
  assert.deepEqual(companiesFor(index, { words, kinds: ["job_posting"] }), [[1, 5, 1, 2]]);
});

Deno.test("rankCompanies() never widens filters by the conditions of a question", () => {
  const index = cranes({ kind: "procurement_request" }, { kind: "facility_expansion" });
  const part: QuestionPart = { words, kinds: ["procurement_request"] };
  assert.deepEqual(ranked(index, part, { filters: { kinds: ["facility_expansion"] } }), [2]);
  assert.deepEqual(
    ranked(index, { kinds: ["procurement_request"] }, {
      filters: { kinds: ["facility_expansion"] },
    }),
    [],
  );
});

const trade = (sector: Sector, words: number[]): QuestionPart => ({
  sectors: [sector],
  facets: [{ any: [], sectors: [sector], words, names_companies: true }],
});

Deno.test("rankCompanies() delivers only companies of the sector if a question names only a sector", () => {
  const [building, food] = [sectorMask(["23"]), sectorMask(["72"])];
  const construction = { observed_fact: "construction" };
  const index = createIndex(
    { sectors: building },
    { sectors: food, text: construction },
    { text: construction },
    { sectors: building, kind: "job_posting" },
  );
  const part = { words: ["construction"], ...trade("23", [0]) };
  assert.deepEqual(ranked(index, part), [1, 4, 3]);
  // A company of the sector also needs a record of the kind.
  assert.deepEqual(ranked(index, { ...part, kinds: ["job_posting"] }), [4]);
});

Deno.test("rankCompanies() judges the trade of a buyer by other records of the company", () => {
  const [building, food] = [sectorMask(["23"]), sectorMask(["72"])];
  const text = { observed_fact: "builders" };
  const kind = "procurement_request";
  const index = createIndex(
    { company_id: 1, kind, sectors: food, text },
    { company_id: 1, kind: "job_posting", sectors: building },
    { company_id: 2, kind, sectors: food, text },
    { company_id: 2, kind: "job_posting", sectors: food },
    { company_id: 3, kind, sectors: food, text },
  );
  const part: QuestionPart = { words: ["builders"], kinds: [kind], ...trade("23", [0]) };
  assert.deepEqual(ranked(index, part).sort(), [1, 3]);
});

Deno.test("rankCompanies() ranks companies of other sectors last if a question has other words, too", () => {
  const [making, food] = [sectorMask(["31-33"]), sectorMask(["72"])];
  const text = { observed_fact: "welding supervisor" };
  const index = createIndex(
    { kind: "job_posting", sectors: food, text },
    { kind: "job_posting", sectors: making, text },
    { kind: "job_posting", text },
    ...Array.from({ length: 9 }, () => "roof"),
  );
  const words = ["manufacturers", "welding", "supervisor"];
  const part: QuestionPart = { words, kinds: ["job_posting"], ...trade("31-33", [0]) };
  assert.deepEqual(ranked(index, part), [2, 3, 1]);
});

Deno.test("rankCompanies() omits companies of the trade in other places", () => {
  const sectors = sectorMask(["31-33"]);
  const kind = "facility_expansion";
  const index = createIndex(
    { kind, sectors, country: "CA" },
    { kind, sectors, country: "US" },
    { kind: "job_posting", sectors, country: "US" },
  );
  const part: QuestionPart = { words: ["manufacturers"], kinds: [kind], countries: ["US"] };
  assert.deepEqual(ranked(index, { ...part, ...trade("31-33", [0]) }), [2]);
});
