import assert from "node:assert/strict";
import { KINDS } from "../../../src/contract/vocabulary.ts";
import { Failure } from "../../../src/failures.ts";
import { normalizeFilters, normalizeQuery } from "../../support/inputs.ts";
import { refuseUnsupported } from "../../../src/search/unsupported.ts";
import { readQuery } from "../../../src/search/reading/read_query.ts";
import { asksAll, MONDAY, textsOf } from "./asked.ts";

Deno.test("readQuery() reads excluded words", () => {
  asksAll<[string[], string[][]]>({
    "builders, not roofing": [["builders"], [["roofing"]]],
    "hotels except catering": [["hotels"], [["catering"]]],
    "plants excluding cold storage": [["plants"], [["cold", "storage"]]],
    "bridges without steel or timber": [["bridges"], [["steel"], ["timber"]]],
    "builders that are not in plastics": [["builders"], [["plastics"]]],
    "hotels, not catering companies": [["hotels"], [["catering"]]],
    "hotels, not companies": [["hotels"], [["companies"]]],
    "hôtels sauf les traiteurs": [["hotels"], [["traiteurs"]]],
    "ponts sans acier": [["ponts"], [["acier"]]],
    "ponts, mais pas d'acier": [["ponts"], [["acier"]]],
    "ponts à l'exception des viaducs": [["ponts"], [["viaducs"]]],
  }, (question) => [textsOf(question), question.excluded]);
});

Deno.test("readQuery() excludes quoted words after a negation", () => {
  asksAll<[string[], string[][], string[][]]>({
    'cranes, not "tower cranes rental"': [["cranes"], [], [["tower", "cranes", "rental"]]],
    "ponts sauf « en acier »": [["ponts"], [], [["acier"]]],
    'bridges without the "steel" or "timber"': [["bridges", "timber"], [["timber"]], [["steel"]]],
    'with or without "steel"': [["without", "steel"], [["steel"]], []],
    'not "construction"': [[], [], [["construction"]]],
    'not in a hurry: "steel" bridges': [["steel", "bridges"], [["steel"]], [["hurry"]]],
  }, (question) => [textsOf(question), question.phrases, question.excluded]);
});

Deno.test("readQuery() excludes neither actions nor words that the query searches for", () => {
  asksAll<string[][]>({
    "bridge not started": [],
    "bridge that is not painted": [],
    "with or without cranes": [],
    "mice without teeth are hungry": [],
    "clinics not available": [],
    "internet sans fil": [],
    "essence sans plomb": [],
    "doctors without borders": [],
    "Sans Souci Hotel": [],
    "pas de calais": [],
    "without walls": [],
    "Not Impossible Labs": [],
    "Hotel Sans Souci": [],
    "médecins sans frontières": [],
    "bière sans alcool": [],
    "the project did not begin": [],
    "snow plows, not snow": [],
    "snow plows, not plow": [],
    "bridges, not": [],
    "steel, no steel, not steel": [],
  }, ({ excluded }) => excluded);
});

Deno.test("readQuery() replaces excluded countries and kinds by all others", () => {
  asksAll<[string[], string[]]>({
    "cranes, not in the United States": [["CA"], []],
    "cranes outside": [[], []],
    "grues sauf au Canada": [["US"], []],
    "cranes, except job postings": [
      [],
      KINDS.filter((kind) => kind !== "job_posting"),
    ],
  }, ({ countries, kinds }) => [countries, kinds]);
});

Deno.test("readQuery() reads queries that only exclude", () => {
  asksAll<[string[], string[][], string[], string[]]>({
    "not construction": [[], [["construction"]], [], []],
    "companies that are not in construction": [[], [["construction"]], [], []],
    "sauf la construction ou l'acier": [[], [["construction"], ["acier"]], [], []],
    "not in Canada": [[], [], [], ["US"]],
    "everything except job postings": [
      [],
      [],
      KINDS.filter((kind) => kind !== "job_posting"),
      [],
    ],
    "in Canada, not construction": [[], [["construction"]], [], ["CA"]],
    "the of": [[], [], [], []],
  }, (question) => [
    textsOf(question),
    question.excluded,
    question.kinds,
    question.countries,
  ]);
});

Deno.test("readQuery() searches for words after a weak negation if no rule knows them", () => {
  asksAll<[string[], string[][], string[]]>({
    "companies without ERP": [["without", "erp"], [], []],
    "not your average joe's": [["average", "joe"], [], []],
    "ponts sans acier": [["ponts"], [["acier"]], []],
    "Not Canada": [[], [], ["US"]],
    "pas au Québec": [[], [], []],
    "pas de calais": [["calais"], [], []],
  }, (question) => [textsOf(question), question.excluded, question.countries]);
});

Deno.test("readQuery() excludes a state or province, but not its country", () => {
  asksAll<string[]>({
    "pas au Québec": ["region:CA-QC"],
    "cranes, not in Ohio": ["region:US-OH"],
    "cranes, not in Canada": [],
  }, ({ excluded_facets }) => excluded_facets);
});

Deno.test("refuseUnsupported() refuses queries that only exclude, unless filters select records", () => {
  const refusal = (query: string, filters = {}) => {
    try {
      refuseUnsupported(readQuery(normalizeQuery(query), MONDAY), normalizeFilters(filters));
    } catch (error) {
      assert(error instanceof Failure);
      return [error.code, error.message];
    }
  };
  const refused = [
    "unsupported_request",
    "This search only excludes. Also say what the companies should do or need, such as " +
    '"tenders, not construction", or filter by kind, country, time, company or domain. ' +
    "Put a name between quotation marks.",
  ];
  const only = [
    "not construction",
    "sauf les traiteurs",
    "not in Canada",
    'not "steel"',
    "not in plastics",
    "Not Canada",
    "pas de construction",
    "everything except steel",
  ];
  for (const query of only) {
    assert.deepEqual(refusal(query), refused, query);
    assert.deepEqual(refusal(query, { exclude_company_ids: [1] }), refused, query);
    assert.equal(refusal(query, { kinds: ["procurement_request"] }), undefined, query);
    assert.equal(refusal(query, { occurred_after: "2026-01-01T00:00:00Z" }), undefined, query);
  }
  const searched = [
    "tenders, not construction",
    "not",
    "the",
    "hospitals not hospitals",
    "companies without ERP",
    "entreprises sans site web",
    "not your average joe's",
    "Not Impossible Labs",
    '"not impossible labs"',
    "SANS Institute",
    "sans souci hotel",
    "Pas de Calais",
    "no frills",
  ];
  for (const query of searched) assert.equal(refusal(query), undefined, query);
});
