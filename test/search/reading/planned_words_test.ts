import assert from "node:assert/strict";
import { resolve } from "../../../src/search/reading/resolve.ts";
import { type Planned, readQuery } from "../../../src/search/reading/read_query.ts";
import { NOW } from "./asked.ts";
import { KNOWN } from "./known_terms.ts";

/** Returns the question of a query whose plan has these words. */
function planned(query: string, words: readonly string[], part: Partial<Planned> = {}) {
  const reading = readQuery(query, NOW);
  const { phrases, excluded, hostnames, kinds, countries } = reading.question;
  const { demand_classes, sectors, occurred } = reading.question;
  const plan = {
    ...{ phrases, excluded, hostnames, kinds, countries, demand_classes, sectors, occurred },
    words: words.map((text) => ({ text, count: 1 })),
    ...part,
  };
  return resolve({ ...reading, planned: plan }, KNOWN);
}

Deno.test("resolve() marks the words that a planner adds to those of the query", () => {
  assert.deepEqual(planned("freezers for hospitals", ["freezer", "congelateur"]).words, [
    { text: "freezer", count: 1 },
    { text: "congelateur", count: 1, added: true },
  ]);
});

Deno.test("resolve() does not mark a planner's words as added if the query has none of them", () => {
  assert.deepEqual(planned("freezers", ["dairy", "butter"]).words, [
    { text: "dairy", count: 1 },
    { text: "butter", count: 1 },
  ]);
});

Deno.test("resolve() uses the parts of a plan, and reads all other parts by the rules", () => {
  const question = planned("tenders for software in Texas, over $5M", ["software"], {
    kinds: ["job_posting"],
    countries: ["CA"],
  });
  assert.deepEqual(question.kinds, ["job_posting"]);
  assert.deepEqual(question.countries, ["CA"]);
  assert.deepEqual(question.amount, { min: 5_000_000.01, max: null });
  assert(question.facets.some(({ any }) => any.includes("region:US-TX")));
});

Deno.test("resolve() keeps the words of a plan if the query contains a name", () => {
  const question = planned("New York Times software", ["software"]);
  assert.deepEqual(question.names, ["name:newyorktimes"]);
  assert.deepEqual(question.words.map(({ text }) => text), ["software"]);
});

Deno.test("resolve() corrects a planner's words as it corrects those of the query", () => {
  const question = planned("Totus-Solutinos", ["totus", "solutinos"]);
  assert.deepEqual(question.words.map(({ text }) => text), ["totus", "solutions"]);
});
