/**
 * Sixty questions about the real records of all sources, in English and French. Each has a rule
 * about the columns of the raw records. A company answers a question if one of its records meets
 * the rule. Closing dates in questions are twenty years later than in the records (see
 * bench/relevance/sets.ts).
 */
import type { NamedQuestion } from "../../../bench/relevance/sets.ts";
import {
  readEntities,
  readFilings,
  readIssuers,
  readPostings,
  readRemote,
  readRounds,
  readTenders,
  type Tender,
} from "./raw_records.ts";

type Rules<Row> = readonly (readonly [query: string, meets: (row: Row) => boolean])[];

/**
 * Reads the raw records, and returns the questions with the names of the companies that answer
 * them.
 */
export async function ownQuestions(): Promise<NamedQuestion[]> {
  const filings = readFilings();
  const kinds = [
    questions("tender", await readTenders(), TENDERS),
    questions("officer", filings.filter(({ item }) => item === "5.02"), OFFICERS),
    questions("agreement", filings.filter(({ item }) => item === "1.01"), AGREEMENTS),
    questions("filing", readIssuers(), ISSUERS),
    questions("posting", readPostings(), POSTINGS),
    questions("technology", readRemote(), TECHNOLOGIES),
    questions("entity", readEntities(), ENTITIES),
    questions("round", await readRounds(), ROUNDS),
  ];
  return kinds.flat();
}

function questions<Row extends { name: string }>(
  kind: string,
  rows: readonly Row[],
  rules: Rules<Row>,
): NamedQuestion[] {
  return rules.map(([query, meets], index) => ({
    id: `${kind}-${index + 1}`,
    kind,
    query,
    relevant: [...new Set(rows.filter(meets).map(({ name }) => name))],
  }));
}

const says = (pattern: RegExp) => ({ text }: Tender) => pattern.test(text);
const from = (source: Tender["source"], pattern: RegExp) => (tender: Tender) =>
  tender.source === source && pattern.test(tender.text);

const TENDERS: Rules<Awaited<ReturnType<typeof readTenders>>[number]> = [
  ["hazardous waste disposal services RFP", from("canadabuys", /^hazardous waste/i)],
  ["reverse osmosis desalination chemicals for ships", says(/desalination/i)],
  ["recyclage de navires, demande de propositions", says(/vessel recycling/i)],
  ["engrais agricoles", says(/fertilizer/i)],
  ["sacs à dos pour cadets", says(/backpacks/i)],
  ["local internet access supply arrangements", from("canadabuys", /^(local )?internet/i)],
  [
    "fire hydrant inspection closing in September 2046",
    (tender) => says(/fire hydrant inspection/i)(tender) && tender.closes.startsWith("2026-09"),
  ],
  ["services de traduction et de correction d'épreuves", says(/proofreading/i)],
  ["VIA Rail crisis management consulting", says(/crisis management/i)],
  [
    "appels d'offres qui ferment avant mars 2030",
    ({ closes }) => closes !== "" && closes < "2010-03-01",
  ],
  ["playground construction tenders", from("toronto", /playground/i)],
  ["supply and delivery of sodium hypochlorite", says(/sodium hypochlorite/i)],
  [
    "child care centre renovation tenders issued in 2022",
    (tender) => from("toronto", /child ?care/i)(tender) && tender.published.startsWith("2022"),
  ],
  ["RFQ for security guards", says(/security guard/i)],
  ["splash pads", says(/splash pad/i)],
  ["data scraping for short term rentals", says(/data scraping/i)],
  ["geotechnical and hydrogeological services", says(/geotechnical/i)],
  [
    "small business set-aside renovation in Colorado",
    ({ state, set_aside }) => state === "CO" && set_aside === "SBA",
  ],
  ["Navy ball valves", from("sam", /valve,ball/i)],
  ["fire retardant for the Forest Service in Idaho", from("sam", /retardant/i)],
];

type Filing = ReturnType<typeof readFilings>[number];

const OFFICERS: Rules<Filing> = [
  [
    "Californian companies that changed officers or directors in 2025",
    ({ state, reported }) => state === "CA" && reported.startsWith("2025"),
  ],
  ["new executives at semiconductor makers", ({ industry }) => /semiconductor/i.test(industry)],
  [
    "changements de direction dans l'industrie pharmaceutique en 2025",
    ({ industry, reported }) => /pharmaceutical/i.test(industry) && reported.startsWith("2025"),
  ],
  ["who left Wolfspeed", ({ name }) => /wolfspeed/i.test(name)],
  [
    "nouveaux dirigeants au Texas depuis septembre 2025",
    ({ state, reported }) => state === "TX" && reported >= "2025-09-01",
  ],
  ["AAPL officers", ({ tickers }) => tickers.includes("AAPL")],
];

const AGREEMENTS: Rules<Filing> = [
  [
    "material agreements of real estate investment trusts",
    ({ industry }) => /real estate investment trusts/i.test(industry),
  ],
  ["material definitive agreements signed in 2026", ({ reported }) => reported.startsWith("2026")],
  [
    "ententes importantes de fabricants de semi-conducteurs",
    ({ industry }) => /semiconductor/i.test(industry),
  ],
  ["Celsion agreements", ({ former_names }) => former_names.some((one) => /celsion/i.test(one))],
];

const ISSUERS: Rules<{ name: string }> = [
  ["Shepherds Finance notes offering", ({ name }) => /^shepherd/i.test(name)],
  ["Difusion Pharmaceuticals private placement", ({ name }) => /^diffusion pharm/i.test(name)],
];

const POSTINGS: Rules<ReturnType<typeof readPostings>[number]> = [
  [
    "administrative job in Palo Alto",
    ({ title, location }) => /administrative/i.test(title) && /palo alto/i.test(location),
  ],
  ["hiring a software engineer for a data platform", ({ title }) => /data platform/i.test(title)],
  ["remote clinical coding specialist jobs", ({ title }) => /clinical coding/i.test(title)],
  ["offres d'emploi chez SmarterDx", ({ name }) => name === "SmarterDx"],
];

const uses = (...names: string[]) => ({ technologies }: { technologies: string[] }) =>
  names.every((name) => technologies.includes(name));

const TECHNOLOGIES: Rules<ReturnType<typeof readRemote>[number]> = [
  ["companies using Elixir", uses("elixir")],
  ["who works with Rust?", uses("rust")],
  ["entreprises qui utilisent GraphQL", uses("graphql")],
  ["qui programme en PHP ?", uses("php")],
  [".NET shops", uses("dotnet")],
  ["Ruby teams", uses("ruby")],
  ["sociétés qui se servent de Scala", uses("scala")],
  ["Linux in production", uses("linux")],
];

const ENTITIES: Rules<ReturnType<typeof readEntities>[number]> = [
  [
    "credit unions in Texas",
    ({ name, region }) => /credit union/i.test(name) && region === "US-TX",
  ],
  ["banks in Louisiana", ({ name, region }) => /\bbank\b/i.test(name) && region === "US-LA"],
  ["groupement d'achat à Québec", ({ name }) => /^groupement d'achat/i.test(name)],
  [
    "BD Energy Services",
    ({ other_names }) => other_names.some((one) => /^bd energy services/i.test(one)),
  ],
  [
    "caisses d'épargne et de crédit au Missouri : Great Plains",
    ({ name, region }) => /^great plains/i.test(name) && region === "US-MO",
  ],
  ["Catalyst Fund Limited Partnership", ({ name }) => /^catalyst fund/i.test(name)],
];

const ROUNDS: Rules<Awaited<ReturnType<typeof readRounds>>[number]> = [
  [
    "game studios in Seattle with angel money",
    ({ category, city, type }) =>
      category === "games_video" && city === "Seattle" && type === "angel",
  ],
  [
    "Colorado cleantech, series B",
    ({ category, state, type }) =>
      category === "cleantech" && state === "CO" && type === "series-b",
  ],
  [
    "biotech financings in Massachusetts in the first quarter of 2012",
    ({ category, state, funded }) =>
      category === "biotech" && state === "MA" && /^2012-0[123]/.test(funded),
  ],
  [
    "sociétés de sécurité en Virginie qui ont levé au moins 10 M$",
    ({ category, state, amount }) => category === "security" && state === "VA" && amount >= 1e7,
  ],
  ["crowdfunding rounds", ({ type }) => type === "crowdfunding"],
  [
    "semiconductor startups around Austin",
    ({ category, region }) => category === "semiconductor" && region === "Austin",
  ],
  [
    "commerce électronique à San Francisco, levées de moins de 1 million de dollars en 2012",
    ({ category, city, funded, amount }) =>
      category === "ecommerce" && city === "San Francisco" && funded.startsWith("2012") &&
      amount < 1e6,
  ],
  [
    "tours de série A dans le voyage à New York",
    ({ category, state, type }) => category === "travel" && state === "NY" && type === "series-a",
  ],
  [
    "cleantech in California: more than $100M in one round",
    ({ category, state, amount }) => category === "cleantech" && state === "CA" && amount > 1e8,
  ],
  ["post-IPO financings", ({ type }) => type === "post-ipo"],
];
