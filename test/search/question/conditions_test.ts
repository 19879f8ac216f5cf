import assert from "node:assert/strict";
import type { Condition } from "../../../src/search/question/question.ts";
import { readQuestion } from "../../../src/search/question/read_question.ts";
import { keyOf } from "../../../src/search/words/terms.ts";
import { asked, indexOf, instant, unitOf, waysOf } from "./asked.ts";

const TORONTO = { country: "CA", region: "CA-ON", city: "toronto", metro: "toronto" };

function cityIn(region: string, city: string) {
  return { city, country: region.slice(0, 2), region, metro: city };
}

/** Queries with the places of their condition. */
const PLACES: readonly [string, unknown[]][] = [
  ["cold storage expansion in Ontario, CA", [{ country: "CA", region: "CA-ON" }]],
  ["cold storage expansion in Ontario", [{ country: "CA", region: "CA-ON" }]],
  ["tenders in Texas or Ohio", ["US-TX", "US-OH"].map((region) => ({ country: "US", region }))],
  ["tenders in Toronto", [TORONTO]],
  ["tenders in Toronto, Canada", [TORONTO]],
  ["tenders in the National Capital Region", [{ country: "CA", metro: "ottawa" }]],
  ["roofing contractors Phoenix, AZ", [cityIn("US-AZ", "phoenix")]],
  ["software in London, Ontario", [cityIn("CA-ON", "london")]],
  ["appels d'offres au Québec", [{ country: "CA", region: "CA-QC" }]],
  ["appels d'offres au Nouveau-Brunswick", [{ country: "CA", region: "CA-NB" }]],
  ["warehouses in Ontario, California", [{ city: "ontario", country: "US", region: "US-CA" }]],
  ["warehouses in Ontario, Canada", [{ country: "CA", region: "CA-ON" }]],
  ["usines à Sept-Îles", [cityIn("CA-QC", "sept iles")]],
  ["trucking in Medicine Hat", [cityIn("CA-AB", "medicine hat")]],
  ["dentists in surprise, az", [cityIn("US-AZ", "surprise")]],
  ["tutors in Reading, PA", [cityIn("US-PA", "reading")]],
  ["roofers in Vancouver, WA", [cityIn("US-WA", "vancouver")]],
  ["tenders in Winnipeg or Toronto", [cityIn("CA-MB", "winnipeg"), TORONTO]],
  ["tenders in Toronto on road salt", [TORONTO]],
  ["bakeries in Toronto and mobile apps", [TORONTO]],
  ["Hamilton or Toronto hospitals", [{ city: "hamilton", metro: "hamilton" }, TORONTO]],
  ["tenders not in Laval since June in Toronto", [TORONTO]],
  ["contrats à Toronto de plus de 1 M$", [TORONTO]],
  ["brewers in Portland OR", [cityIn("US-OR", "portland")]],
  ["contrats à Québec", [cityIn("CA-QC", "quebec")]],
  ["contrats de la mi-novembre", []],
  ["levée de 12 M$ CA", []],
  ["Canadian companies", [{ country: "CA" }]],
  ["Canadian companies opening plants in Texas", [{ country: "US", region: "US-TX" }]],
  ["tax credits in the US", [{ country: "US" }]],
  ["let us paint", []],
  ["Buffalo wings", []],
  ["reading glasses", []],
  ["mobile cranes", []],
  ["interested in mobile companies", []],
  ["angel rounds LA", [cityIn("US-CA", "los angeles")]],
  ["we need a mobile app", []],
  ["emplois à Reading", [{ city: "reading", metro: "reading" }]],
  ["Emplois à NB maintenant", [{ country: "CA", region: "CA-NB" }]],
  ["startups in Central Florida", [{ country: "US", region: "US-FL" }]],
  ["investing in Enterprise Software", []],
  ["demand in Orange juice", []],
  ["bend pipes", []],
  ["startups in commerce", []],
  ["Startups in enterprise software", []],
  ["Surprise parties and normal commerce", []],
  ["money invested in surprise boxes", []],
];

Deno.test("readQuestion() reads places as one condition", () => {
  for (const [query, places] of PLACES) {
    const found = asked(query).conditions.flatMap((one) => one.on === "place" ? one.places : []);
    assert.deepEqual(found, places, query);
  }
  // A doubtful place is a way.
  assert.deepEqual(waysOf(asked("Buffalo wings"), "buffalo", "place"), [
    "city:buffalo metro:buffalo",
  ]);
});

function conditionOf<On extends Condition["on"]>(query: string, on: On) {
  return asked(query).conditions.find((one) => one.on === on);
}

Deno.test("readQuestion() reads times", () => {
  const day = (text: string) => instant(`${text}T00:00:00Z`);
  const cases: [string, string, number, number][] = [
    ["hiring since March 2026", "occurred", day("2026-03-01"), Infinity],
    ["hiring since March 1998", "occurred", day("1998-03-01"), Infinity],
    ["rounds before 15 May 1999", "occurred", -Infinity, day("1999-05-15")],
    ["funding in 2024|FY2024|2024-01..2024-12", "occurred", day("2024-01-01"), day("2025-01-01")],
    ["contrats des 3 premiers mois de 2025", "occurred", day("2025-01-01"), day("2025-04-01")],
    ["levées de fonds depuis mars 2026", "occurred", day("2026-03-01"), Infinity],
    ["contrats jusqu'en mars 2025", "occurred", -Infinity, day("2025-03-01")],
    ["contrats jusqu'au 5 mars 2025", "occurred", -Infinity, day("2025-03-05")],
    ["contrats depuis hier", "occurred", day("2026-06-30"), Infinity],
    ["contracts two weeks ago", "occurred", day("2026-06-15"), day("2026-06-22")],
    ["contracts no more than 2 years ago", "occurred", day("2024-07-01"), Infinity],
    ["raised between 3 and 6 months ago", "occurred", day("2026-01-01"), day("2026-05-01")],
    ["since a year ago|contracts less than a year ago", "occurred", day("2025-07-01"), Infinity],
    ["contrats il y a environ deux ans", "occurred", day("2024-01-01"), day("2025-01-01")],
    ["tenders due within a week", "closes", day("2026-07-01"), day("2026-07-08")],
    ["tenders that were due this year", "closes", day("2026-01-01"), day("2027-01-01")],
    ["contracts 2 to 3 years ago", "occurred", day("2023-01-01"), day("2025-01-01")],
    ["contracts a year ago", "occurred", day("2025-01-01"), day("2026-01-01")],
    ["contrats il y a trois mois", "occurred", day("2026-04-01"), day("2026-05-01")],
    ["less than 2 weeks ago|il y a moins de 2 semaines", "occurred", day("2026-06-17"), Infinity],
    ["more than 2 years ago|2 years ago or earlier", "occurred", -Infinity, day("2024-07-01")],
    ["expansions last month", "occurred", day("2026-06-01"), day("2026-07-01")],
    ["tenders closing before 15 August", "closes", day("2026-07-01"), day("2026-08-15")],
    ["tenders closing prior to 15 August", "closes", day("2026-07-01"), day("2026-08-15")],
    ["tenders closing on or after 15 August", "closes", day("2026-08-15"), Infinity],
    ["tenders closed before 15 May", "closes", -Infinity, day("2026-05-15")],
    ["avis qui ferment avant le 15 août", "closes", day("2026-07-01"), day("2026-08-15")],
    ["avis qui ferment dès le 15 août", "closes", day("2026-08-15"), Infinity],
    ["contrats du deuxième semestre de 2025", "occurred", day("2025-07-01"), day("2026-01-01")],
    ["contrats jusqu'en 2020", "occurred", -Infinity, day("2020-01-01")],
    ["contracts of 2009 or earlier|<=2009", "occurred", -Infinity, day("2010-01-01")],
    ["à partir de mars 2025|>=03/2025|> 02/2025", "occurred", day("2025-03-01"), Infinity],
    ["contracts from November to February 2025", "occurred", day("2024-11-01"), day("2025-03-01")],
    ["contracts in the last 4 months of 2024", "occurred", day("2024-09-01"), day("2025-01-01")],
    ["contracts since the third quarter of 2024", "occurred", day("2024-07-01"), Infinity],
    ["before Q1 2025|avant le premier trimestre 2025", "occurred", -Infinity, day("2025-01-01")],
    ["contracts since the second half of 2024", "occurred", day("2024-07-01"), Infinity],
    ["not later than March 2025|March 2025 or earlier", "occurred", -Infinity, day("2025-04-01")],
    ["contracts after March|after March 2026", "occurred", day("2026-04-01"), Infinity],
    ["in the last quarter|contracts of Q2 '26", "occurred", day("2026-04-01"), day("2026-07-01")],
    ["contrats 2025 T2", "occurred", day("2025-04-01"), day("2025-07-01")],
    ["contrats du 12/31/2025 au 01/02/2026", "occurred", day("2025-12-31"), day("2026-01-03")],
    ["from 01/02/2025 to 31/03/2025", "occurred", day("2025-02-01"), day("2025-04-01")],
    ["contracts of March '98|in Mar. '98", "occurred", day("1998-03-01"), day("1998-04-01")],
    ["contracts back in '98", "occurred", day("1998-01-01"), day("1999-01-01")],
    ["contracts 03/2025|2025-03|2025 March", "occurred", day("2025-03-01"), day("2025-04-01")],
    ["contrats dans les années 1990", "occurred", day("1990-01-01"), day("2000-01-01")],
    ["contracts in recent years", "occurred", day("2023-07-01"), Infinity],
    ["contrats depuis le début de l'année", "occurred", day("2026-01-01"), Infinity],
    ["contracts in winter 2024", "occurred", day("2024-12-21"), day("2025-03-21")],
    ["contracts last winter", "occurred", day("2025-12-21"), day("2026-03-21")],
    ["tenders due tomorrow", "closes", day("2026-07-02"), day("2026-07-03")],
    ["avis fermant le mois prochain", "closes", day("2026-08-01"), day("2026-09-01")],
    ["appels d'offres encore ouverts", "closes", day("2026-07-01"), Infinity],
    ["tenders closing in the next two weeks", "closes", day("2026-07-01"), day("2026-07-15")],
    ["deadline in less than ten days", "closes", day("2026-07-01"), day("2026-07-11")],
    ["date limite dans moins de dix jours", "closes", day("2026-07-01"), day("2026-07-11")],
    ["plans à remettre avant le 15 août", "closes", day("2026-07-01"), day("2026-08-15")],
    ["tenders due within 30 days", "closes", day("2026-07-01"), day("2026-07-31")],
    ["tenders closed in May", "closes", day("2026-05-01"), day("2026-06-01")],
    ["tenders closing in July", "closes", day("2026-07-01"), day("2026-08-01")],
    ["tenders closing on 29 February", "closes", day("2028-02-29"), day("2028-03-01")],
    ["5-Jan-2025..6-Jan-2025|01/05/25-01/06/25", "occurred", day("2025-01-05"), day("2025-01-07")],
    ["du 5/1/2025 au 6/1/2025|2025.1.5-2025.1.6", "occurred", day("2025-01-05"), day("2025-01-07")],
    [">= 2024-01-01 and < 2024-03-01", "occurred", day("2024-01-01"), day("2024-03-01")],
    ["before March 2024 and since 2024", "occurred", day("2024-01-01"), day("2024-03-01")],
    ["between December 5, 2025 and January 10", "occurred", day("2025-12-05"), day("2026-01-11")],
    ["from December 5, 2025 to January 10", "occurred", day("2025-12-05"), day("2026-01-11")],
  ];
  for (const [forms, on, after, before] of cases) {
    for (const query of forms.split("|")) {
      assert.deepEqual(conditionOf(query, on as "occurred"), { on, after, before }, query);
    }
  }
  assert.equal(conditionOf("March Networks tenders", "occurred"), undefined);
  // The year of a foundation is no time of an observation.
  const founded = "startups founded in 2020|entreprises fondées en 2015|" +
    "companies founded before 2010|entreprises fondées entre 2010 et 2015";
  for (const query of founded.split("|")) {
    assert.equal(conditionOf(query, "occurred"), undefined, query);
  }
});

Deno.test("readQuestion() begins weeks on Monday, also on a Sunday", () => {
  const { conditions } = readQuestion("hired last week", new Date("2026-07-05T12:00Z"), indexOf());
  const [after, before] = ["2026-06-22", "2026-06-29"].map((day) => instant(`${day}T00:00:00Z`));
  assert.deepEqual(conditions, [{ on: "occurred", after, before }]);
});

Deno.test("readQuestion() reads months from the 31st on, which some months do not have", () => {
  const at = (query: string, now: string) =>
    readQuestion(query, new Date(`${now}T00:00:00Z`), indexOf()).conditions;
  const day = (text: string) => instant(`${text}T00:00:00Z`);
  assert.deepEqual(at("contracts less than a month ago", "2026-03-31"), [
    { on: "occurred", after: day("2026-02-28"), before: Infinity },
  ]);
  assert.deepEqual(at("tenders closing within 1 month", "2026-01-31"), [
    { on: "closes", after: day("2026-01-31"), before: day("2026-02-28") },
  ]);
});

Deno.test("readQuestion() reads amounts", () => {
  // "Under" and "over" leave out the amount itself, and bounds are inclusive.
  const bounds: [string, number, number][] = [
    ["grants < 5 million US dollars|grants under $5 million", -Infinity, 4_999_999.99],
    ["grants up to $5 million|contrats jusqu'à 5 millions de dollars", -Infinity, 5_000_000],
    ["raised at least $10 million", 10_000_000, Infinity],
    ["entre 5 et 10 millions de dollars", 5_000_000, 10_000_000],
    ["raised 10M|contrats d'environ 10 millions de dollars", 9_000_000, 11_000_000],
    ["grants over $5 million|contrats de plus de 5 millions de dollars", 5_000_000.01, Infinity],
    ["grants ≤USD5M|contrats de 5 millions de dollars ou moins", -Infinity, 5_000_000],
    ["grants over half a million dollars", 500_000.01, Infinity],
    ["grants of exactly $5 million", 5_000_000, 5_000_000],
    ["between $500,000 and $3 million", 500_000, 3_000_000],
    ["between $1 and $3 million", 1_000_000, 3_000_000],
    ["at least 12 M$ CA", 12_000_000, Infinity],
  ];
  for (const [forms, min, max] of bounds) {
    for (const query of forms.split("|")) {
      assert.deepEqual(conditionOf(query, "amount"), { on: "amount", min, max }, query);
    }
  }
  const none = "40 schools|8-K filings|4K video|3M contracts|salary over $90,000".split("|");
  for (const query of none) assert.equal(conditionOf(query, "amount"), undefined, query);
});

Deno.test("readQuestion() reads rounds, and roles of changes, as conditions", () => {
  assert.deepEqual(conditionOf("Series A or B startups", "round"), {
    on: "round",
    keys: [keyOf("round:series_a"), keyOf("round:series_b")],
    text: "round:series_a round:series_b",
  });
  for (
    const [query, role] of [
      ["new CFO", "cfo"],
      ["nouvelle cheffe de la direction financière", "cfo"],
      ["new vice president", "vice_president"],
    ]
  ) {
    const text = `role:${role}`;
    assert.deepEqual(conditionOf(query!, "role"), { on: "role", keys: [keyOf(text)], text }, query);
  }
  const [series] = asked("venture-backed startups with a series B").conditions;
  assert.ok(series?.on === "round" && series.text === "round:series_b");
  assert.equal(conditionOf("raised a round in Atlanta", "round"), undefined);
  // "Series C or later" may be a series C, but it states no series D.
  const [late] = asked("series D through F").conditions;
  assert.ok(late?.on === "round" && late.text === "round:series_d round:series_e round:series_f");
  // A job is not a change of officers.
  assert.equal(conditionOf("Directeur financier", "role"), undefined);
  assert.deepEqual(waysOf(asked("Directeur financier"), "financier", "role"), ["role:cfo"]);
});

Deno.test("readQuestion() adds kinds and sectors as ways", () => {
  const kind = (query: string, word: string) => waysOf(asked(query), word, "kind");
  assert.deepEqual(kind("tenders for road salt", "tenders"), ["kind:procurement_request"]);
  assert.deepEqual(kind("tenders for road salt", "salt"), []);
  assert.deepEqual(kind("job_posting nurses", "job"), ["kind:job_posting"]);
  assert.deepEqual(kind("snow removal contracts", "contracts"), [
    "kind:procurement_request kind:partnership",
  ]);
  assert.deepEqual(kind("embauche de soudeurs", "embauche"), ["kind:job_posting"]);
  assert.deepEqual(kind("startups", "startups"), ["kind:funding_round kind:company_profile"]);
  assert.deepEqual(kind("raised in Texas", "raised"), ["kind:funding_round"]);
  assert.deepEqual(kind("raised since 2020", "raised"), ["kind:funding_round"]);
  assert.deepEqual(kind("raised floor tiles", "raised"), []);
  assert.deepEqual(kind("raised in captivity", "raised"), []);
  assert.deepEqual(kind("hired last month", "hired"), ["kind:leadership_change kind:job_posting"]);
  assert.deepEqual(kind("partnered in June", "partnered"), ["kind:partnership"]);
  assert.deepEqual(kind("facility expansions", "facility"), ["kind:facility_expansion"]);
  // Without a subject, only tenders close.
  assert.deepEqual(kind("closing this week", "closing"), ["kind:procurement_request"]);
  assert.deepEqual(kind("merger closing this year", "closing"), []);
  assert.deepEqual(kind("warehouses being built", "built"), ["kind:facility_expansion"]);
  const sector = unitOf(asked("construction companies"), "construction").ways
    .find(({ origin }) => origin === "sector");
  assert.deepEqual(sector?.keys, [keyOf("sector:23")]);
  assert.equal(sector?.similarity, 1);
});

Deno.test("readQuestion() adds technologies and industries of the index", () => {
  const terms = "technology:salesforce technology:golang industry:biotech industry:museum";
  const index = indexOf(terms.split(" "));
  const ways = (query: string, word: string) =>
    waysOf(asked(query, index), word, "technology", "sector");
  assert.deepEqual(ways("companies using Salesforce", "salesforce"), ["technology:salesforce"]);
  assert.deepEqual(ways("companies using Go", "go"), ["technology:golang"]);
  assert.deepEqual(ways("go karts", "go"), []);
  assert.deepEqual(ways("biotechnology", "biotechnology"), ["industry:biotech"]);
  assert.deepEqual(ways("museums", "museums"), ["industry:museum"]);
});
