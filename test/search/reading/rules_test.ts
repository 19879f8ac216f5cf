import assert from "node:assert/strict";
import { KINDS } from "../../../src/contract/vocabulary.ts";
import type { Question } from "../../../src/search/reading/question.ts";
import { ask, asksAll, textsOf } from "./asked.ts";

Deno.test("readQuery() reads kinds in English", () => {
  asksAll<string[]>({
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
  }, ({ kinds }) => kinds);
});

Deno.test("readQuery() reads kinds in French", () => {
  asksAll<string[]>({
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
  }, ({ kinds }) => kinds);
});

Deno.test("readQuery() reads countries from names, adjectives, provinces and states", () => {
  asksAll<string[]>({
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
    "bridges in CA": ["US"],
    "North American bridges": [],
    "Amérique du Nord": [],
    "Ontarian": ["CA"],
  }, ({ countries }) => countries);
});

Deno.test("readQuery() reads the named kinds, or all except the excluded ones", () => {
  asksAll<string[]>({
    "embauche de soudeurs": ["job_posting"],
    "companies that broke ground or raised capital": ["facility_expansion", "funding_round"],
    "steel": [],
    "steel, except job postings": KINDS.filter((kind) => kind !== "job_posting"),
    "tenders, except contracts": [],
  }, ({ kinds }) => kinds);
});

Deno.test("readQuery() reads a sector from words for the whole sector, not for a part of it", () => {
  asksAll<string[]>({
    "farms": ["11"],
    "exploitations agricoles": ["11"],
    "mining": ["21"],
    "minières": ["21"],
    "construction": ["23"],
    "manufacturers": ["31-33"],
    "fabricants de meubles": ["31-33"],
    "grossistes": ["42"],
    "retailers": ["44-45"],
    "camionnage": [],
    "credit unions": [],
    "financial services": ["52"],
    "real estate": ["53"],
    "hospitals": [],
    "soins de santé": ["62"],
    "hotels": [],
    "municipalités": ["92"],
    "farmed out": [],
  }, ({ sectors }) => sectors);
});

Deno.test("readQuery() adds no words for a sector", () => {
  assert.deepEqual(textsOf(ask("fermes laitières")), ["fermes", "laitieres"]);
});

Deno.test("readQuery() reads classes of demand", () => {
  asksAll<string[]>({
    "actively asking for steel": ["explicit_request"],
    "demandes explicites d'acier": ["explicit_request"],
    "growth signals": ["proxy"],
    "signaux d'achat": ["proxy"],
    "steel": [],
  }, ({ demand_classes }) => demand_classes);
  assert.deepEqual(textsOf(ask("actively asking for steel")), ["steel"]);
});

Deno.test("readQuery() reads quoted words only as a phrase", () => {
  const read = (question: Question) => ({
    terms: textsOf(question),
    phrases: question.phrases,
    kinds: question.kinds,
    after: question.occurred.after,
  });
  asksAll({
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

Deno.test("readQuery() distinguishes hostnames from other names with dots", () => {
  asksAll<string[]>({
    "tenders of Acme.COM": ["acme.com"],
    "see https://www.acme.ca/tenders and shop.acme.example.": ["www.acme.ca", "shop.acme.example"],
    "node.js developers": [],
    "e.g. cranes": [],
    "buyer@acme.com": [],
    "tenders, not from acme.com": [],
    "U.S. cranes": [],
  }, ({ hostnames }) => hostnames);
  asksAll<string[]>({
    "https://acme.ca/cranes": ["acme", "acme.ca", "cranes"],
    "HTTP://acme.xyz": ["acme", "xyz", "acme.xyz"],
    "https servers": ["https", "servers"],
  }, textsOf);
});

Deno.test("readQuery() drops words of places and times", () => {
  asksAll<string[]>({
    "cranes in Canada since March": ["cranes"],
    "grues au Canada depuis le mois dernier": ["grues"],
    "cranes in the US": ["cranes"],
    "Canadian cranes in Ontario": ["cranes"],
    "in Canada": [],
    "since March": [],
  }, textsOf);
});
