import assert from "node:assert/strict";
import fc from "fast-check";
import { normalizeQuery, planSearch } from "../../../src/search/planning.ts";
import { PARTS_MAX, PHRASE_WORDS_MAX, type Plan } from "../../../src/search/planning/plan.ts";
import { readQuery } from "../../../src/search/planning/rules.ts";
import { soon } from "../../support/soon.ts";

/** A Monday. */
const NOW = new Date("2026-06-15T12:00:00Z");

const plan = (query: string): Plan => planSearch(normalizeQuery(query), NOW);

/** Each query with what is read from it. */
function readsAll<Value>(cases: Record<string, Value>, read: (plan: Plan) => Value): void {
  const found = Object.fromEntries(Object.keys(cases).map((query) => [query, read(plan(query))]));
  assert.deepEqual(found, cases);
}

Deno.test("planSearch() reads kinds in English", () => {
  readsAll<string[]>({
    "tenders for snow removal": ["procurement_request"],
    "open RFP, mobile cranes": ["procurement_request"],
    "who is looking for suppliers of steel": ["procurement_request"],
    "cold storage expansion": ["facility_expansion"],
    "opening a plant": ["facility_expansion"],
    "building a new distribution warehouse": ["facility_expansion"],
    "startups that raised funding": ["funding_round"],
    "raised 30 million": ["funding_round"],
    "clinics hiring nurses": ["job_posting"],
    "new chief executive officer": ["leadership_change"],
    "product launches": ["product_launch"],
    "joint ventures of ports": ["partnership"],
    "who uses Kubernetes": ["technology_use"],
    "company profiles": ["company_profile"],
    "tenders and job postings": ["procurement_request", "job_posting"],
    "roof trusses": [],
    "raised floors": [],
  }, ({ preferences }) => preferences.kinds);
});

Deno.test("planSearch() reads kinds in French", () => {
  readsAll<string[]>({
    "appels d’offres pour le déneigement": ["procurement_request"],
    "demandes de propositions": ["procurement_request"],
    "qui cherche un fournisseur d'acier": ["procurement_request"],
    "agrandissement d'un centre": ["facility_expansion"],
    "ouvrent une nouvelle usine": ["facility_expansion"],
    "levée de fonds": ["funding_round"],
    "offres d'emploi": ["job_posting"],
    "cliniques qui embauchent": ["job_posting"],
    "nouveau PDG": ["leadership_change"],
    "nouveaux produits": ["product_launch"],
    "coentreprises": ["partnership"],
    "qui utilise des drones": ["technology_use"],
    "poutres de toit": [],
  }, ({ preferences }) => preferences.kinds);
});

Deno.test("planSearch() reads countries from names, adjectives, provinces and states", () => {
  readsAll<string[]>({
    "bridges in Canada": ["CA"],
    "Canadian bridges": ["CA"],
    "ponts au Canada": ["CA"],
    "entreprises québécoises": ["CA"],
    "plants in Ontario": ["CA"],
    "usines en Colombie-Britannique": ["CA"],
    "bridges in the United States": ["US"],
    "US bridges": ["US"],
    "bridges in the U.S.": ["US"],
    "entreprises américaines": ["US"],
    "ponts aux États-Unis": ["US"],
    "bridges in the us": ["US"],
    "plants in New York": ["US"],
    "mills, Fresno, CA": ["US"],
    "mills, Guelph, ON": ["CA"],
    "Canada and the US": ["CA", "US"],
    "tell us about bridges": [],
    "bridges near us": [],
    "TELL US ABOUT BRIDGES": [],
    "bridges in CA": [],
    "North American bridges": [],
    "Amérique du Nord": [],
    "Ontarian": [],
  }, ({ preferences }) => preferences.countries);
});

Deno.test("planSearch() names the kinds that are asked for, not those that are left", () => {
  readsAll<string[]>({
    "embauche de soudeurs": ["job_posting"],
    "companies that broke ground or raised capital": ["facility_expansion", "funding_round"],
    "steel": [],
    "steel, except job postings": [],
    "tenders, except contracts": [],
  }, ({ named_kinds }) => named_kinds);
});

Deno.test("planSearch() reads sectors by their titles and by everyday words", () => {
  readsAll<string[]>({
    "farms": ["11"],
    "exploitations agricoles": ["11"],
    "mining": ["21"],
    "minières": ["21"],
    "construction": ["23"],
    "manufacturers": ["31-33"],
    "fabricants de meubles": ["31-33"],
    "grossistes": ["42"],
    "retailers": ["44-45"],
    "camionnage": ["48-49"],
    "credit unions": ["52"],
    "assureurs": ["52"],
    "real estate": ["53"],
    "hospitals": ["62"],
    "soins de santé": ["62"],
    "hotels": ["72"],
    "municipalités": ["92"],
    "farmed out": [],
  }, ({ preferences }) => preferences.sectors);
});

Deno.test("planSearch() searches for a sector by the words of the query alone", () => {
  assert.deepEqual(plan("fermes laitières").terms, ["fermes", "laitieres"]);
});

Deno.test("planSearch() reads classes of demand", () => {
  readsAll<string[]>({
    "actively asking for steel": ["explicit_request"],
    "demandes explicites d'acier": ["explicit_request"],
    "growth signals": ["proxy"],
    "signaux d'achat": ["proxy"],
    "steel": [],
  }, ({ preferences }) => preferences.demand_classes);
  assert.deepEqual(plan("actively asking for steel").terms, ["steel"]);
});

Deno.test("planSearch() takes quoted words as a phrase that means nothing else", () => {
  const read = ({ terms, phrases, preferences }: Plan) => ({
    terms,
    phrases,
    kinds: preferences.kinds,
    after: preferences.occurred_after,
  });
  readsAll({
    '"open tenders since March"': {
      terms: ["open", "tenders", "since", "march"],
      phrases: [["open", "tenders", "since", "march"]],
      kinds: [],
      after: null,
    },
    "« offres d'emploi » acier": {
      terms: ["offres", "emploi", "acier"],
      phrases: [["offres", "emploi"]],
      kinds: [],
      after: null,
    },
    "“the of” steel": { terms: ["steel"], phrases: [], kinds: [], after: null },
    '5" pipe': { terms: ["pipe"], phrases: [], kinds: [], after: null },
  }, read);
});

Deno.test("planSearch() tells hostnames from other names with dots", () => {
  readsAll<string[]>({
    "tenders of Acme.COM": ["acme.com"],
    "see https://www.acme.ca/tenders and shop.acme.example.": ["www.acme.ca", "shop.acme.example"],
    "node.js developers": [],
    "e.g. cranes": [],
    "buyer@acme.com": [],
    "tenders, not from acme.com": [],
    "U.S. cranes": [],
  }, ({ hostnames }) => hostnames);
  readsAll<string[]>({
    "https://acme.ca/cranes": ["acme", "acme.ca", "cranes"],
    "HTTP://acme.xyz": ["acme", "xyz", "acme.xyz"],
    "https servers": ["https", "servers"],
  }, ({ terms }) => terms);
});

Deno.test("planSearch() leaves out words that only say where and when", () => {
  readsAll<string[]>({
    "cranes in Canada since March": ["cranes"],
    "grues au Canada depuis le mois dernier": ["grues"],
    "cranes in the US": ["cranes"],
    "Canadian cranes in Ontario": ["canadian", "cranes", "ontario"],
    "in Canada": ["canada"],
    "since March": ["since", "march"],
  }, ({ terms }) => terms);
});

const FRAGMENTS = [
  "not ",
  "sauf ",
  "without ",
  '"',
  "«",
  "»",
  "since ",
  "last 30 days ",
  "in ",
  "US ",
  "CA ",
  "tender ",
  "acme.com ",
  "é",
  "İ",
  "ﬁ",
  "\u0301",
  "construction ",
  "or ",
  "99999 ",
  "2026-13-41 ",
  "march ",
];
const anyQuery = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 500 }),
  fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 60 }).map((own) =>
    own.join("").slice(0, 500)
  ),
);

Deno.test("readQuery() never throws, soon comes to an end, and stays within its bounds", () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      const reading = soon(1_000, () => readQuery(query.normalize("NFC"), NOW));
      const { phrases, excluded, hostnames, preferences } = reading;
      for (const parts of [phrases, excluded]) {
        assert(parts.length <= PARTS_MAX);
        assert(parts.every(({ length }) => length > 0 && length <= PHRASE_WORDS_MAX));
      }
      assert(hostnames.length <= PARTS_MAX);
      for (const instant of [preferences.occurred_after, preferences.occurred_before]) {
        assert(instant === null || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(instant), query);
      }
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("readQuery() answers hostile repetitions soon", () => {
  for (
    const part of [
      "not ",
      "new a ",
      "a-",
      "depuis le ",
      "raised 1 ",
      "a.",
      "open the ",
      "due in May ",
      '"',
    ]
  ) {
    soon(1_000, () => readQuery(part.repeat(500).slice(0, 500), NOW));
  }
});
