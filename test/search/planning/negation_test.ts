import assert from "node:assert/strict";
import { KINDS } from "../../../src/contract/vocabulary.ts";
import { normalizeQuery, planSearch } from "../../../src/search/planning.ts";
import type { Plan } from "../../../src/search/planning/plan.ts";

/** A Monday. */
const NOW = new Date("2026-06-15T12:00:00Z");

const plan = (query: string): Plan => planSearch(normalizeQuery(query), NOW);

/** Each query with what is read from it. */
function readsAll<Value>(cases: Record<string, Value>, read: (plan: Plan) => Value): void {
  const found = Object.fromEntries(Object.keys(cases).map((query) => [query, read(plan(query))]));
  assert.deepEqual(found, cases);
}

Deno.test("planSearch() reads what is not wanted", () => {
  readsAll<[string[], string[][]]>({
    "builders, not roofing": [["builders"], [["roofing"]]],
    "hotels except catering": [["hotels"], [["catering"]]],
    "plants excluding cold storage": [["plants"], [["cold", "storage"]]],
    "bridges without steel or timber": [["bridges"], [["steel"], ["timber"]]],
    "builders that are not in plastics": [["builders"], [["plastics"]]],
    "hôtels sauf les traiteurs": [["hotels"], [["traiteurs"]]],
    "ponts sans acier": [["ponts"], [["acier"]]],
    "ponts, mais pas d'acier": [["ponts"], [["acier"]]],
    "ponts à l'exception des viaducs": [["ponts"], [["viaducs"]]],
  }, ({ terms, excluded }) => [terms, excluded]);
});

Deno.test("planSearch() takes quoted words behind a negation for what is not wanted", () => {
  readsAll<[string[], string[][], string[][]]>({
    'cranes, not "tower cranes rental"': [["cranes"], [], [["tower", "cranes", "rental"]]],
    "ponts sauf « en acier »": [["ponts"], [], [["acier"]]],
    'bridges without the "steel" or "timber"': [["bridges", "timber"], [["timber"]], [["steel"]]],
    'with or without "steel"': [["without", "steel"], [["steel"]], []],
    'not "construction"': [["construction"], [], []],
    'not in a hurry: "steel" bridges': [["steel", "bridges"], [["steel"]], [["hurry"]]],
  }, ({ terms, phrases, excluded }) => [terms, phrases, excluded]);
});

Deno.test("planSearch() takes no deed and no word of its own for what is not wanted", () => {
  readsAll<string[][]>({
    "bridge not started": [],
    "bridge that is not painted": [],
    "with or without cranes": [],
    "mice without teeth are hungry": [],
    "clinics not available": [],
    "internet sans fil": [],
    "essence sans plomb": [],
    "doctors without borders": [],
    "the project did not begin": [],
    "snow plows, not snow": [],
    "bridges, not": [],
  }, ({ excluded }) => excluded);
});

Deno.test("planSearch() turns countries and kinds that are not wanted into the others", () => {
  readsAll<[string[], string[]]>({
    "cranes, not in the United States": [["CA"], []],
    "cranes outside": [[], []],
    "grues sauf au Canada": [["US"], []],
    "cranes, except job postings": [
      [],
      KINDS.filter((kind) => kind !== "job_posting"),
    ],
  }, ({ preferences }) => [preferences.countries, preferences.kinds]);
});
