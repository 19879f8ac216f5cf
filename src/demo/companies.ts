import { type Country, type Sector, SECTOR_CODES } from "../contract/vocabulary.ts";
import type { Choose } from "./random.ts";
import { de, type DemoLanguage } from "./texts.ts";
import { type Trade, tradesOf } from "./trades.ts";
import {
  AMERICAN_PLACES,
  CANADIAN_PLACES,
  type DemoPlace,
  FRENCH_STEMS,
  QUEBEC_PLACES,
  STEMS,
} from "./words.ts";

/** Number of companies. */
const DEMO_COMPANIES = 300;
const COMPANIES_IN_A_SECTOR = DEMO_COMPANIES / SECTOR_CODES.length;
const FRENCH_IN_A_SECTOR = 3;
const CANADIAN_IN_A_SECTOR = 8;

/** An invented company. */
export interface DemoCompany {
  number: number;
  name: string;
  /**
   * Hostnames, the main one first. If `shares_hostname` is true, another company also has the
   * second one.
   */
  hostnames: string[];
  shares_hostname: boolean;
  sector: Sector;
  trade: Trade;
  place: DemoPlace;
  country: Country;
  language: DemoLanguage;
  /** True if only the source "demo", and not the press, has observations of the company. */
  single_source: boolean;
  /** True if the company was last observed more than 180 days ago. */
  stale: boolean;
}

/**
 * Invents 15 companies in each of the 20 sectors: 3 from Quebec, 5 from the rest of Canada and 7
 * from the United States.
 */
export function inventCompanies(choose: Choose): DemoCompany[] {
  const slugs = new Set<string>();
  const companies: DemoCompany[] = [];
  for (const sector of SECTOR_CODES) {
    for (let index = 0; index < COMPANIES_IN_A_SECTOR; index++) {
      companies.push(inventCompany(sector, { index, number: companies.length, slugs, choose }));
    }
  }
  shareHostnames(companies);
  return companies;
}

function inventCompany(sector: Sector, { index, number, slugs, choose }: {
  index: number;
  number: number;
  slugs: Set<string>;
  choose: Choose;
}): DemoCompany {
  const language = index < FRENCH_IN_A_SECTOR ? "fr" : "en";
  const trades = tradesOf(language, sector);
  // Trades alternate, so that each of them has a company in Canada.
  const trade = trades[(language === "fr" ? index : index - FRENCH_IN_A_SECTOR) % trades.length]!;
  const place = choose.from(
    language === "fr"
      ? QUEBEC_PLACES
      : index < CANADIAN_IN_A_SECTOR
      ? CANADIAN_PLACES
      : AMERICAN_PLACES,
  );
  let name: string;
  do {
    name = language === "fr"
      ? frenchName(trade, choose.from(FRENCH_STEMS))
      : `${choose.from(STEMS)} ${trade.name}`;
  } while (slugs.has(slug(name)));
  slugs.add(slug(name));
  const hostnames = [`${slug(name)}.example`];
  // Some companies have a second hostname: a subdomain or a variant of the name.
  if (number % 9 === 4) hostnames.push(`shop.${slug(name)}.example`);
  if (number % 9 === 8) hostnames.push(`${slug(name)}-group.example`);
  return {
    number,
    name,
    hostnames,
    shares_hostname: false,
    sector,
    trade,
    place,
    country: place.country,
    language,
    single_source: number % 10 === 7,
    stale: number % 20 === 11,
  };
}

/** Joins a trade and a stem into a French name: "Vergers Boisclair", "Ville d'Estran". */
function frenchName({ name }: Trade, stem: string): string {
  return name.endsWith(" de") ? name.slice(0, -"de".length) + de(stem) : `${name} ${stem}`;
}

/** Gives two pairs of sister companies a common hostname, so that its lookup is ambiguous. */
function shareHostnames(companies: DemoCompany[]) {
  for (const [first, second, hostname] of SISTERS) {
    for (const number of [first, second]) {
      const company = companies[number]!;
      company.hostnames = [company.hostnames[0]!, hostname];
      company.shares_hostname = true;
      // Records of the press identify companies by hostnames, so they would merge the sisters.
      company.single_source = true;
    }
  }
}

/** Numbers of the two pairs of sister companies, each with the hostname that both have. */
const SISTERS = [[260, 262, "sister-mills.example"], [290, 292, "twin-harbour.example"]] as const;

/** Returns a text in a form for hostnames and paths. */
export function slug(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}
