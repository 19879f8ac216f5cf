import type { Country } from "../contract/vocabulary.ts";
import type { Choose } from "./demo_random.ts";
import { SECTOR_WORDS } from "./demo_sectors.ts";
import {
  AMERICAN_PLACES,
  CANADIAN_PLACES,
  FRENCH_STEMS,
  type Place,
  QUEBEC_PLACES,
  type SectorWords,
  STEMS,
} from "./demo_words.ts";

export const DEMO_COMPANIES = 300;
const COMPANIES_IN_A_SECTOR = DEMO_COMPANIES / SECTOR_WORDS.length;

/** An invented company. */
export interface DemoCompany {
  number: number;
  name: string;
  /** The first is its main one. A second one is its own too, except where `shares_hostname`. */
  hostnames: string[];
  shares_hostname: boolean;
  words: SectorWords;
  place: Place;
  country: Country;
  language: "en" | "fr";
  /** Known from the source "demo" alone. */
  single_source: boolean;
  /** Last observed more than 180 days ago. */
  stale: boolean;
}

/** 15 companies in each of the 20 sectors: 3 of Quebec, 5 of the rest of Canada, 7 American. */
export function inventCompanies(choose: Choose): DemoCompany[] {
  const taken = new Set<string>();
  const companies: DemoCompany[] = [];
  for (const words of SECTOR_WORDS) {
    for (let index = 0; index < COMPANIES_IN_A_SECTOR; index++) {
      companies.push(inventCompany(words, { index, number: companies.length, taken, choose }));
    }
  }
  shareHostnames(companies);
  return companies;
}

function inventCompany(words: SectorWords, { index, number, taken, choose }: {
  index: number;
  number: number;
  taken: Set<string>;
  choose: Choose;
}): DemoCompany {
  const language = index < 3 ? "fr" : "en";
  const place = choose.from(
    index < 3 ? QUEBEC_PLACES : index < 8 ? CANADIAN_PLACES : AMERICAN_PLACES,
  );
  let name: string;
  do {
    name = language === "fr"
      ? `${choose.from(words.french.names)} ${choose.from(FRENCH_STEMS)}`
      : `${choose.from(STEMS)} ${choose.from(words.names)}`;
  } while (taken.has(slug(name)));
  taken.add(slug(name));
  const hostnames = [`${slug(name)}.example`];
  // Every ninth has a second address, under its name in short or as a subdomain.
  if (number % 9 === 4) hostnames.push(`shop.${slug(name)}.example`);
  if (number % 9 === 8) hostnames.push(`${slug(name)}-group.example`);
  return {
    number,
    name,
    hostnames,
    shares_hostname: false,
    words,
    place,
    country: place.country,
    language,
    single_source: number % 10 === 7,
    stale: number % 20 === 11,
  };
}

/** Two pairs of sister companies that share an address: a lookup of it is ambiguous. */
function shareHostnames(companies: DemoCompany[]) {
  for (const [first, second, hostname] of SHARED) {
    for (const number of [first, second]) {
      const company = companies[number]!;
      company.hostnames = [company.hostnames[0]!, hostname];
      company.shares_hostname = true;
      // The press does not tell the sisters apart, so it is not asked about them.
      company.single_source = true;
    }
  }
}

const SHARED = [[66, 67, "sister-mills.example"], [128, 129, "twin-harbour.example"]] as const;

/** A name as it stands in addresses. */
export function slug(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}
