import assert from "node:assert/strict";
import { resolved } from "./asked.ts";

/** Returns the words of each operand of each choice of a query. */
function choices(query: string): string[][] {
  const question = resolved(query);
  return question.choices.map(({ operands }) =>
    operands.map((words) => words.map((word) => question.words[word]!.text).join(" "))
  );
}

Deno.test("resolve() makes a choice of words that are joined by and, or and commas", () => {
  assert.deepEqual(choices("tenders for forklifts or reach trucks"), [[
    "forklifts",
    "reach trucks",
  ]]);
  assert.deepEqual(choices("museums, theatres and arenas in Ontario"), [
    ["museums", "theatres", "arenas"],
  ]);
  assert.deepEqual(choices("services de traduction et de correction d'épreuves"), [
    ["traduction", "correction epreuves"],
  ]);
});

Deno.test("resolve() makes no choice without a conjunction, or of words that rules have read", () => {
  assert.deepEqual(choices("snow removal"), []);
  assert.deepEqual(choices("snow removal, cold storage"), []);
  assert.deepEqual(choices("snow removal in Texas and Ohio"), []);
});

Deno.test("resolve() finds terms only in adjacent words", () => {
  const spans = (query: string) =>
    resolved(query).alternatives.map(({ from, to }) => `${from}-${to}`);
  assert.deepEqual(spans("tenders for security cameras"), ["0-2"]);
  // "security companies hiring cameras" is not about security cameras.
  assert(!spans("security companies hiring cameras").includes("0-2"));
});

Deno.test("resolve() drops synonyms that replace a word of the query by a word that fits any trade", () => {
  const forms = (query: string) =>
    resolved(query).alternatives.flatMap(({ forms }) => forms.map(({ words }) => words.join(" ")));
  const guards = forms("security guards");
  assert(!guards.includes("security services"));
  assert(guards.includes("patrol"));
  assert(guards.includes("guard services"));
  // A form that only omits a word of the query is kept.
  assert(forms("simulateurs de vol").includes("simulateur"));
});

Deno.test("resolve() distinguishes companies of a sector from the sector itself", () => {
  const names = (query: string) =>
    resolved(query).facets.some(({ names_companies }) => names_companies === true);
  for (
    const query of [
      "construction companies",
      "retailers hiring",
      "entreprises du secteur de la construction",
    ]
  ) assert(names(query), query);
  assert(!names("construction in Texas"));
});
