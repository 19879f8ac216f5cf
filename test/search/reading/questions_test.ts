import assert from "node:assert/strict";
import { readQuery } from "../../../src/search/reading/read_query.ts";
import { resolve } from "../../../src/search/reading/resolve.ts";
import { NOW, readsAll } from "./asked.ts";
import { KNOWN } from "./known_terms.ts";

Deno.test("resolve() reads rounds, industries and places", () => {
  readsAll({
    "Series A mobile Texas":
      "mobile; round:series_a; region:US-TX; industry:mobile→0; funding_round; US",
    "e-commerce startups in Boston that raised a Series C round":
      "commerce ecommerce; round:series_c|round:series_c_plus; city:boston|metro:boston; " +
      "industry:ecommerce→0,1; funding_round; US",
    "angel enterprise software New York":
      "enterprise software; round:angel; city:new york|metro:new york|region:US-NY; " +
      "industry:enterprise→0,1; funding_round; US",
    "série A biotechnologie au Québec":
      "biotechnologie; round:series_a; region:CA-QC; industry:biotech→0; funding_round; CA",
    "real estate deals in the SF Bay Area":
      "real estate; metro:san francisco bay area; industry:realestate|sector 53→0,1; US",
    "capital de risque, jeux vidéo, Montréal":
      "jeux video; round:venture; city:montreal|metro:montreal; industry:gamesvideo→0,1; " +
      "funding_round; CA",
    "seed suppliers in Iowa": "seed suppliers; region:US-IA; US",
  });
});

Deno.test("resolve() reads an industry only if all words of its span belong to it", () => {
  readsAll({
    "accounting software": "accounting software",
    "web or mobile companies": "web mobile; industry:web|industry:mobile→0,1",
    "network hosting": "network hosting; industry:networkhosting→0,1",
  });
});

Deno.test("resolve() distinguishes places from words of the same spelling", () => {
  readsAll({
    "mobile startups in Mobile, Alabama":
      "mobile; city:mobile|metro:mobile; region:US-AL; industry:mobile→0; US",
    "web companies in CA": "web; region:US-CA; industry:web→0; US",
    "tenders in the US and CA": "procurement_request; CA+US",
    "biotech Portland, OR":
      "biotech; city:portland|metro:portland; region:US-OR; industry:biotech→0; US",
    "software or mobile": "software mobile; industry:software|industry:mobile→0,1",
    "Washington biotech": "biotech; region:US-WA; industry:biotech→0; US",
    "biotech Washington DC":
      "biotech; city:washington|metro:washington dc|region:US-DC; industry:biotech→0; US",
    "biotech in Woburn": "biotech; city:woburn; industry:biotech→0; US",
    "fonderie à Laval": "fonderie; city:laval",
    "startups montréalaises": "city:montreal|metro:montreal",
    "companies in Texas and Ohio": "region:US-TX|region:US-OH; US",
    "GTA snow removal": "snow removal; metro:toronto; CA",
  });
});

Deno.test("resolve() reads periods, closing dates and amounts", () => {
  readsAll({
    "biotech funded in May 2013":
      "biotech; industry:biotech→0; funding_round; occurred 2013-05-01..2013-06-01",
    "biotech 2012": "biotech; industry:biotech→0; occurred 2012-01-01..2013-01-01",
    "biotech after 2010": "biotech; industry:biotech→0; occurred 2011-01-01..",
    "web 2008-2010": "web; industry:web→0; occurred 2008-01-01..2011-01-01",
    "tenders open until 2027-01-15": "procurement_request; closes ..2027-01-16",
    "biotech entre 2008 et 2010": "biotech; industry:biotech→0; occurred 2008-01-01..2011-01-01",
    "web Q2 2012": "web; industry:web→0; occurred 2012-04-01..2012-07-01",
    "web last spring": "web; industry:web→0; occurred 2026-03-21..2026-06-21",
    "web since June": "web; industry:web→0; occurred 2026-06-01..",
    "tenders closing before December 15": "procurement_request; closes ..2026-12-15",
    "tenders due by January 31": "procurement_request; closes ..2027-02-01",
    "tenders closing within 30 days": "procurement_request; closes 2026-11-22..2026-12-22",
    "appels d'offres qui ferment avant le 15 décembre": "procurement_request; closes ..2026-12-15",
    "tenders closing next month": "procurement_request; closes 2026-12-01..2027-01-01",
    "web companies that raised at least $20 million":
      "web; industry:web→0; funding_round; 20000000..",
    "web 10 M$ ou plus": "web; industry:web→0; 10000000..",
    "entre 5 et 10 millions de dollars, biotech": "biotech; industry:biotech→0; 5000000..10000000",
    "biotech under 500k": "biotech; industry:biotech→0; ..499999.99",
    "web over $1.5B": "web; industry:web→0; 1500000000.01..",
  });
});

Deno.test("resolve() reads roles, documents, technologies and sectors", () => {
  readsAll({
    "new CFO in Texas": "role:cfo; region:US-TX; leadership_change; US",
    "nouveau chef des finances": "role:cfo; leadership_change",
    "new chair of the board": "role:chair; leadership_change",
    "RFPs for janitorial services": "janitorial services; document:rfp; procurement_request",
    "demandes de propositions en Ontario": "document:rfp; region:CA-ON; procurement_request; CA",
    "who uses Kubernetes": "kubernetes; technology:kubernetes→0; technology_use",
    "companies using React or Vue.js":
      "react vue js vue.js; technology:react|technology:vuejs→0,1,2,3; technology_use",
    "remote companies that use data":
      "remote data; technology:data→1; workplace:remote→0; technology_use",
    "officers who resigned": "officers; leadership_change",
    "avis d'appel d'offres": "procurement_request",
    "hospitals hiring nurses": "hospitals nurses; job_posting",
  });
});

Deno.test("resolve() reads names first, and nothing else inside them", () => {
  readsAll({
    "Supernus Pharmaceuticals new CFO":
      "supernus pharmaceuticals; role:cfo; leadership_change; name:supernuspharmaceuticals",
    "SUPN": "supn; ticker:supn",
    "Linked In": "linked; name:linkedin",
    "Jet Blue": "jet blue; name:jetblue",
    "Boulder Wind Power": "boulder wind power; name:boulderwindpower",
    "Aliments Québec": "aliments quebec; name:alimentsquebec",
    "3M": "3m; name:3m",
    "New York Times": "york times; name:newyorktimes",
    "companies like Fastly": "fastly; name:fastly",
    "mobile software": "mobile software; industry:mobile→0,1",
    "Software": "software; industry:software→0; name:software",
  });
});

Deno.test("resolve() only corrects words that the index does not know", () => {
  readsAll({
    "Envisoin Healthcare": "envision healthcare; name:envisionhealthcare; envisoin>envision",
    "SplitScend": "splitscend; name:splitsecnd; splitscend>splitsecnd",
    "Totus-Solutinos": "totus solutions; name:totussolutions; solutinos>solutions",
    "zzzqqq tenders": "zzzqqq; procurement_request",
    "hopsital tenders": "hopsital; procurement_request",
  });
});

Deno.test("resolve() corrects neither common words, nor words of a trade, nor forms of known words", () => {
  const known = { ...KNOWN, nearestWord: (word: string) => `${word}x` };
  const corrected = (query: string) =>
    resolve(readQuery(query, NOW), known).corrections.map(({ from }) => from);
  for (const word of ["weather", "ruisseau", "carpenters", "removals"]) {
    assert.deepEqual(corrected(word), [], word);
  }
  assert.deepEqual(corrected("qwertyz"), ["qwertyz"]);
});

Deno.test("resolve() reads excluded facets and words", () => {
  readsAll({
    "biotech not in California": "biotech; industry:biotech→0; not region:US-CA",
    "software except Series A": "software; industry:software→0; not round:series_a",
    "tenders not in Texas or Ohio": "procurement_request; not region:US-TX|region:US-OH",
    "startups en Ontario sauf Toronto": "region:CA-ON; CA; not city:toronto|metro:toronto",
    "construction, without frozen meals": "construction; sector 23→0; not frozen meals",
  });
});

Deno.test("resolve() drops generic words unless nothing else is left", () => {
  readsAll({
    "largest software deals": "software; industry:software→0",
    "companies": "companies",
    "entreprises qui cherchent": "entreprises cherchent",
    "software Inc.": "software; industry:software→0; name:software",
    "2012": "occurred 2012-01-01..2013-01-01",
  });
});

Deno.test("readQuery() pairs adjacent words, and counts repeated words", () => {
  const { question } = readQuery("vitamin D snow removal, snow storage", NOW);
  assert.deepEqual(question.pairs, [
    ["vitamin", "d"],
    ["d", "snow"],
    ["snow", "removal"],
    ["snow", "storage"],
  ]);
  assert.deepEqual(question.words.map(({ text, count }) => [text, count]), [
    ["vitamin", 1],
    ["snow", 2],
    ["removal", 1],
    ["storage", 1],
  ]);
});
