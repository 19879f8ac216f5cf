/**
 * The demo dataset: 300 invented companies on .example hostnames, with 1,500 observations in
 * English and French. It covers all kinds, demand classes, sectors and both countries. Its content
 * depends only on the day.
 */
import type { Facets } from "../contract/facets.ts";
import type { SourceRecord } from "../contract/record.ts";
import { type Country, type DemandClass, type Kind, KINDS } from "../contract/vocabulary.ts";
import type { Database, Sql } from "../db/connect.ts";
import { regionOf } from "../ingest/classify/gazetteer.ts";
import type { SourceEntry } from "../ingest/record/entry.ts";
import { normalizeRecord } from "../ingest/record/normalize.ts";
import { BATCH_SIZES, type IngestCounts, ingestEntries } from "../ingest/record/pipeline.ts";
import { type DemoCompany, inventCompanies, slug } from "./companies.ts";
import { type Choose, createChoose } from "./random.ts";
import { type Scene, templatesOf, written } from "./texts.ts";
import { CANADIAN_PLACES, type DemoPlace, namesAround } from "./words.ts";

/** Names of the dataset's sources: the companies themselves, and the press. */
export const DEMO_SOURCES = ["demo", "demo-press"];

/**
 * A record with the facts from which it was made. Benchmarks grade search results by these facts.
 */
export interface DemoObservation {
  record: SourceRecord;
  company: DemoCompany;
  kind: Kind;
  scene: Scene;
}

const SEED = 2_026;
/** Milliseconds of a day. */
const DAY = 86_400_000;
/** Numbers of observations per company. The mean is 5, so the dataset has 1,500 observations. */
const COUNTS = [3, 4, 5, 6, 7];

/** Records the dataset as of `now`. On another day, only the times of the records differ. */
export async function recordDemo({ sql }: Database, now: Date): Promise<IngestCounts> {
  const observations = generateDemo(now);
  async function* entries(): AsyncGenerator<SourceEntry> {
    for (const [index, { record }] of observations.entries()) {
      yield { line: index + 1, raw: record, judged: normalizeRecord(record) };
      // Lets the event loop turn.
      if (index % 100 === 99) await new Promise((resolve) => setTimeout(resolve));
    }
  }
  return await ingestEntries(sql, entries(), {
    batch: BATCH_SIZES.embedded,
    reject({ reason }) {
      throw new Error(`a demo record is not valid: ${reason}`);
    },
  });
}

/** Generates the observations in the order of recording. Times are relative to the day of `now`. */
export function generateDemo(now: Date): DemoObservation[] {
  const today = Math.floor(now.getTime() / DAY) * DAY;
  const choose = createChoose(SEED);
  const companies = inventCompanies(choose);
  return companies.flatMap((company) => {
    const partners = companies.filter((candidate) =>
      candidate.sector === company.sector && candidate.language === company.language &&
      candidate !== company
    );
    const partner = choose.from(partners).name;
    return kindsOf(company, choose).map((kind, index) =>
      observe(company, { kind, index, partner, today, choose })
    );
  });
}

/**
 * Returns the kinds of a company's observations: a profile first, and then other kinds, each once.
 */
function kindsOf(company: DemoCompany, choose: Choose): Kind[] {
  const others = KINDS.filter((kind) =>
    kind !== "company_profile" && !(company.sector === PUBLIC_SECTOR && kind === "funding_round")
  );
  const count = COUNTS[company.number % COUNTS.length]!;
  // The first query of the README finds requests and new facilities of companies with cold storage.
  const first: Kind[] = COLD.test(company.trade.facility)
    ? ["facility_expansion", "procurement_request"]
    : [];
  const rest = choose.shuffled(others.filter((kind) => !first.includes(kind)));
  const kinds = [...first, ...rest].slice(0, count - 1);
  // At least one observation has a kind that the press reports.
  if (!kinds.some((kind) => PRESS_KINDS.has(kind))) kinds[0] = "partnership";
  return ["company_profile", ...kinds];
}

const PUBLIC_SECTOR = "92";
const COLD = /cold storage|frigorifique/;

const PRESS_KINDS = new Set<Kind>([
  "facility_expansion",
  "funding_round",
  "leadership_change",
  "partnership",
]);

/** Demand class, range of confidence in percent, and section of the company's site, by kind. */
const KIND_FACTS: Record<
  Kind,
  readonly [demand: DemandClass, min: number, max: number, section: string]
> = {
  procurement_request: ["explicit_request", 92, 98, "tenders"],
  facility_expansion: ["proxy", 80, 95, "news"],
  funding_round: ["proxy", 75, 92, "investors"],
  leadership_change: ["proxy", 80, 93, "news"],
  product_launch: ["proxy", 82, 95, "products"],
  partnership: ["proxy", 75, 90, "news"],
  technology_use: ["structural", 55, 80, "case-studies"],
  job_posting: ["proxy", 80, 92, "careers"],
  company_profile: ["structural", 85, 95, ""],
};

function observe(company: DemoCompany, { kind, index, partner, today, choose }: {
  kind: Kind;
  index: number;
  partner: string;
  today: number;
  choose: Choose;
}): DemoObservation {
  const { place, scene } = sceneOf(company, { kind, partner, choose });
  const { first, second } = templatesOf(company.language, kind);
  const template = choose.from(first);
  const textOf = (one: string) => written(one, scene, company.language);
  const observed_fact = textOf(template.fact);
  const press = PRESS_KINDS.has(kind) && !company.single_source;
  const day = today - DAY * (company.stale ? choose.integer(200, 500) : choose.integer(2, 170));
  const occurred = day + choose.integer(0, 20) * 1_800_000;
  const observed_at = new Date(Math.min(occurred + choose.integer(1, 47) * 3_600_000, today))
    .toISOString();
  const occurred_at = kind === "company_profile" ? null : new Date(occurred).toISOString();
  const [demand_class, min, max, section] = KIND_FACTS[kind];
  const key = `${company.number}-${index}`;
  const seen = { occurred_at, observed_at };
  const pages = pagesOf(company, { section, press, country: place.country, choose });
  const evidence = [{
    source_uri: pages.first(`${slug(observed_fact).slice(0, 60)}-${key}`),
    excerpt: textOf(template.excerpt),
    ...seen,
  }];
  if (choose.integer(1, 4) === 1) {
    evidence.push({ source_uri: pages.second(key), excerpt: textOf(second), ...seen });
  }
  const record: SourceRecord = {
    source: press ? "demo-press" : "demo",
    external_id: `observation-${key}`,
    company: {
      name: company.name,
      // The press identifies companies only by hostnames.
      ...(press ? {} : { external_id: `company-${company.number}` }),
      domains: company.hostnames,
    },
    kind,
    observed_fact,
    why_it_may_matter: textOf(template.why),
    demand_class,
    country: place.country,
    confidence: choose.integer(min, max) / 100,
    occurred_at,
    observed_at,
    expires_at: expiryOf(kind, { today, company, choose }),
    categories: [company.sector],
    facets: facetsOf(scene, { kind, place }),
    evidence,
  };
  return { record, company, kind, scene };
}

/** Returns the facets that a source would state in separate columns. */
function facetsOf(
  { role, technology, partner, product, millions }: Scene,
  { kind, place: { city, region, country } }: { kind: Kind; place: DemoPlace },
): Facets {
  const place = { country, region: regionOf(country, region), city };
  switch (kind) {
    case "job_posting":
      return { place, role };
    case "technology_use":
      return { place, technologies: [technology] };
    case "partnership":
      return { place, counterpart: partner };
    case "funding_round":
      return { place, amount: { value: millions * 1_000_000, currency: CURRENCIES[country] } };
    case "product_launch":
      return { place, product };
    default:
      return { place };
  }
}

const CURRENCIES: Record<Country, string> = { CA: "CAD", US: "USD" };

/**
 * Returns the place and the subject of an observation. The place is the company's, except that some
 * American companies build in Canada.
 */
function sceneOf(company: DemoCompany, { kind, partner, choose }: {
  kind: Kind;
  partner: string;
  choose: Choose;
}) {
  const abroad = kind === "facility_expansion" && company.country === "US" &&
    choose.integer(1, 6) === 1;
  const place = abroad ? choose.from(CANADIAN_PLACES) : company.place;
  const { trade } = company;
  const [product, second_product] = trade.products;
  const area = company.language === "fr" ? "fr" : company.country;
  const scene: Scene = {
    company: company.name,
    is_public: company.sector === PUBLIC_SECTOR,
    city: place.city,
    region: place.region,
    product: product!,
    second_product: second_product!,
    need: choose.from(trade.needs),
    facility: trade.facility,
    technology: trade.technology,
    role: choose.from(trade.roles),
    partner,
    investor: choose.from(namesAround(area, "investors")),
    lender: choose.from(namesAround(area, "lenders")),
    millions: choose.integer(2, 90),
    count: choose.integer(6, 240),
    square_feet: choose.integer(8, 180) * 1_000,
    months: choose.integer(3, 24),
    years: choose.integer(15, 45),
  };
  return { place, scene };
}

/**
 * Returns functions for the URLs of an observation's first and second page. The pages are on hosts
 * of the press or on the company's own.
 */
function pagesOf(company: DemoCompany, { section, press, country, choose }: {
  section: string;
  press: boolean;
  country: Country;
  choose: Choose;
}): Record<"first" | "second", (page: string) => string> {
  if (press) {
    const hosts = namesAround(company.language === "fr" ? "fr" : country, "press");
    const [firstHost, secondHost] = choose.shuffled(hosts);
    return {
      first: (page) => `https://${firstHost}/articles/${page}`,
      second: (page) => `https://${secondHost}/briefs/${page}`,
    };
  }
  const site = `https://${company.hostnames[0]}`;
  return {
    first: (page) => section === "" ? `${site}/` : `${site}/${section}/${page}`,
    second: (page) => `${site}/documents/${page}`,
  };
}

/**
 * Returns the expiry of a request or posting. Observations of stale companies do not expire,
 * because they would otherwise be hidden.
 */
function expiryOf(kind: Kind, { today, company, choose }: {
  today: number;
  company: DemoCompany;
  choose: Choose;
}): string | null {
  const days = choose.integer(30, 240);
  if (company.stale || (kind !== "procurement_request" && kind !== "job_posting")) return null;
  return new Date(today + days * DAY).toISOString();
}

/** Numbers of rows of the demo. */
interface DemoCounts {
  observations: number;
  /** Id of the demo's account; null if there is none. */
  account_id: number | null;
  /** Number of the account's charged operations. */
  settlements: number;
}

/** Counts the rows that `removeDemo` would delete. */
export async function countDemo(sql: Sql): Promise<DemoCounts> {
  const [row] = await sql<{ demo: DemoCounts }[]>`select count_demo(${DEMO_SOURCES}) as demo`;
  return row!.demo;
}

/** Deletes the demo dataset, and the demo account with its charges. */
export async function removeDemo(sql: Sql): Promise<DemoCounts & { companies: number }> {
  const [row] = await sql<{ demo: DemoCounts & { companies: number } }[]>`
    select remove_demo(${DEMO_SOURCES}) as demo
  `;
  return row!.demo;
}
