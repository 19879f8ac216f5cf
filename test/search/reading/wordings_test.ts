import { readsAll } from "./asked.ts";

Deno.test('resolve() includes the named amount, except after "more than" and "less than"', () => {
  readsAll({
    "web, more than $100M": "web; industry:web→0; 100000000.01..",
    "web, at least $100M": "web; industry:web→0; 100000000..",
    "web below 2.5 million dollars": "web; industry:web→0; ..2499999.99",
    "web, no more than US$5m": "web; industry:web→0; ..5000000",
    "web, plus d'un million d'euros": "web; industry:web→0; 1000000.01..",
    "web, exactly $2 million": "web; industry:web→0; 2000000..2000000",
    "web, 3 M€ ou plus": "web; industry:web→0; 3000000..",
  });
});

Deno.test("resolve() reads number words only before a magnitude", () => {
  readsAll({
    "web, less than half a million dollars": "web; industry:web→0; ..499999.99",
    "web, between five and ten million": "web; industry:web→0; 5000000..10000000",
    "web, at least twenty million": "web; industry:web→0; 20000000..",
    "web, deux millions": "web; industry:web→0; 1800000..2200000",
    "four wheel drive": "four wheel drive",
  });
});

Deno.test("resolve() reads past and future closing dates of tenders", () => {
  readsAll({
    "tenders closed in May": "procurement_request; closes 2026-05-01..2026-06-01",
    "tenders closing in May": "procurement_request; closes 2027-05-01..2027-06-01",
    "bids that closed last month": "procurement_request; closes 2026-10-01..2026-11-01",
    "RFPs closed before June 2012": "document:rfp; procurement_request; closes ..2012-06-01",
    "tenders closed since March 2012": "procurement_request; closes 2012-03-01..",
    "tenders closed in May 2046": "procurement_request; closes 2046-05-01..2046-06-01",
    "appels d'offres fermés en mai 2012": "procurement_request; closes 2012-05-01..2012-06-01",
    "tenders published in Q3 2015": "procurement_request; occurred 2015-07-01..2015-10-01",
  });
});

Deno.test("resolve() reads periods in colloquial notations", () => {
  readsAll({
    "web Q1/2012": "web; industry:web→0; occurred 2012-01-01..2012-04-01",
    "web Q1'12": "web; industry:web→0; occurred 2012-01-01..2012-04-01",
    "web 05/2011": "web; industry:web→0; occurred 2011-05-01..2011-06-01",
    "web during May, 2008": "web; industry:web→0; occurred 2008-05-01..2008-06-01",
    "web Jan-Mar 2012": "web; industry:web→0; occurred 2012-01-01..2012-04-01",
    "web from Oct 2011 to Feb 2012": "web; industry:web→0; occurred 2011-10-01..2012-03-01",
    "web, first three months of 2012": "web; industry:web→0; occurred 2012-01-01..2012-04-01",
    "web, 2009 or later": "web; industry:web→0; occurred 2009-01-01..",
    "web, 2009 or earlier": "web; industry:web→0; occurred ..2010-01-01",
    "web in the 2000s": "web; industry:web→0; occurred 2000-01-01..2010-01-01",
    "web over the past five years": "web; industry:web→0; occurred 2021-11-22..",
    "web in the last 2 yrs": "web; industry:web→0; occurred 2024-11-22..",
  });
});

Deno.test("resolve() reads rounds with hyphens, in lists and in reversed order", () => {
  const both = "web; round:series_a|round:series_b; industry:web→0; funding_round";
  readsAll({
    "Series A or B, web": both,
    "web series A/B": both,
    "web with Series As and Series Bs": both,
    "B-series web": "web; round:series_b; industry:web→0; funding_round",
    "preseed web": "web; round:pre_seed; industry:web→0; funding_round",
    "web PE deals": "web; round:private_equity; industry:web→0; funding_round",
    "crowdfunding of games": "games; round:crowdfunding; industry:gamesvideo→0; funding_round",
    "a series of concerts": "series concerts",
  });
});

Deno.test("resolve() reads states by codes in small letters and by abbreviations", () => {
  readsAll({
    "web in tx": "web; region:US-TX; industry:web→0; US",
    "web ny": "web; region:US-NY; industry:web→0; US",
    "mobile or web": "mobile web; industry:mobile|industry:web→0,1",
    "web in Mass.": "web; region:US-MA; industry:web→0; US",
    "mass transit": "mass transit",
    "web in N.Y.": "web; region:US-NY; industry:web→0; US",
    "web, L.A.": "web; city:los angeles|metro:los angeles; industry:web→0; US",
    "web around the Bay Area": "web; metro:san francisco bay area; industry:web→0; US",
    "web in St. Louis": "web; city:saint louis|metro:saint louis; industry:web→0; US",
    "web in New York, 2008 or later":
      "web; city:new york|metro:new york|region:US-NY; industry:web→0; US; occurred 2008-01-01..",
  });
});

Deno.test("resolve() drops commands and words for raising money", () => {
  readsAll({
    "could you please find me bakeries": "bakeries",
    "search for bakeries": "bakeries",
    "search engines": "search engines; industry:search→0,1",
    "web startups that took in Series A money":
      "web; round:series_a; industry:web→0; funding_round",
    "stores closed": "stores closed",
  });
});

Deno.test('resolve() adds words such as "shops" to an adjacent technology or industry', () => {
  readsAll({
    "React shops": "react shops; technology:react→0,1",
    "firms that work with React": "work react; technology:react→1,0",
    "React antennas": "react antennas",
    "game studios": "game studios; industry:gamesvideo→0,1",
    "online retail companies": "online retail; industry:ecommerce→0,1",
  });
});

Deno.test("resolve() replaces spelling variants without reporting a correction", () => {
  readsAll({
    "frozen maels": "frozen meals; maels>meals",
    "organized storage": "organized storage",
    "organised storage": "organized storage",
  });
});

Deno.test("resolve() reads an everyday word as a city only if the index has the city", () => {
  readsAll({ "power in boulder": "power boulder", "power in Woburn": "power; city:woburn; US" });
});
