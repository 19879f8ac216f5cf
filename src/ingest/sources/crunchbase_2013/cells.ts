/** Reads the cells that both tables of the Crunchbase export have. */
import type { Facets } from "../../../contract/facets.ts";
import type { Country, Sector } from "../../../contract/vocabulary.ts";
import { normalizeInstant } from "../../../contract/instant.ts";
import { regionOf, territoryOf } from "../../classify/gazetteer.ts";
import { cleanLine, cutAtWord, withoutEnding } from "../../text/clean_text.ts";
import type { LeftOut } from "../../record/entry.ts";
import { facetText } from "../../record/facets.ts";
import { cityWithoutRegion, fieldFault } from "../kit/field.ts";

const COUNTRIES: Readonly<Record<string, Country>> = { USA: "US", CAN: "CA" };

/**
 * Returns the country of a three-letter code of ISO 3166, or undefined for a country other than
 * Canada and the United States.
 */
export function countryOf(code: string): Country | undefined {
  return territoryOf(code) === undefined ? COUNTRIES[code.trim()] : "US";
}

/** Matches the error of a spreadsheet that read a name such as "+n" as a formula. */
const SPREADSHEET_ERROR = /^#(?:NAME\?|REF!|VALUE!|N\/A|DIV\/0!|NUM!|NULL!)$/;

/** The cells that name a company. */
type Named = Record<"permalink" | "name" | "country", string>;

/**
 * Returns the reason why a row has no company, with the name of the column, or that the company is
 * left out. Returns undefined if it has one.
 */
export function faultOfCompany(
  row: Named,
  columns: Named,
): { reason: string } | LeftOut | undefined {
  if (row.country.trim() === "") return fieldFault(columns.country, "", "a country");
  if (countryOf(row.country) === undefined) {
    return { left_out: "a company outside Canada and the United States" };
  }
  if (row.permalink.trim() === "") return fieldFault(columns.permalink, "", "a permalink");
  return row.name.trim() === "" ? fieldFault(columns.name, "", "a name") : undefined;
}

/** A company in Canada or the United States, with the members that its records have. */
export type ListedCompany = ReturnType<typeof companyOf>;

/** Returns the company of a row that has one. */
export function companyOf(row: Named & Located) {
  const permalink = row.permalink.trim();
  const country = countryOf(row.country)!;
  // A spreadsheet error can have replaced the name. The name in the permalink is then used.
  const isNameLost = SPREADSHEET_ERROR.test(row.name.trim());
  // The permalink is the former path of the company's page, "/company/NAME".
  const slug = permalink.replace(/^\/company\//, "");
  const name = isNameLost ? slug : cleanLine(row.name);
  return {
    permalink,
    name,
    isNameLost,
    page: `https://www.crunchbase.com/organization/${encodeURIComponent(slug)}`,
    members: {
      source: "crunchbase_2013",
      company: { name, external_id: permalink },
      country,
      // Day of the export, which is the day of its latest round.
      observed_at: "2013-10-01T00:00:00Z",
      expires_at: null,
      categories: sectorsOfCategory(row.category),
    },
    facets: facetsOf(row, country),
  };
}

/** Cells of a company that both tables have. */
type Located = Record<"category" | "country" | "city" | "state" | "region", string>;

/** Describes category and place: "software; Mountain View, CA (SF Bay)". */
export function describe(row: Located): string {
  const { city, state, area } = placeOf(row);
  const town = [city, state].filter((part) => part !== "").join(", ");
  const around = [`${area} area`, state].filter((part) => part !== "").join(", ");
  const parts = [
    industryOf(row),
    area === "" ? town : city === "" ? around : `${town} (${area})`,
  ];
  return parts.filter((part) => part !== "").join("; ");
}

/** Returns the facets of industry and place. The export's "region" is a metropolitan area. */
function facetsOf(row: Located, country: Country): Facets {
  const { city, state, metro } = placeOf(row);
  const region = regionOf(country, state) ?? territoryOf(row.country);
  return {
    industry: facetText(industryOf(row)),
    place: { country, region, city: facetText(city), metro: facetText(metro) },
  };
}

function industryOf({ category }: Located): string {
  return cleanLine(category).replaceAll("_", " ");
}

/** Matches values that do not name a metropolitan area: "unknown", "TBD", "California - Other". */
const NO_AREA = /^(?:unknown|tbd)$| - other$/i;

/** Matches abbreviations of New York. Only this city is abbreviated in many rows. */
const NEW_YORK = /^(?:NY|NYC|N\.Y\.C?\.?)$/i;

/** Matches streets, suites and dates in the column of the city, and damaged letters. */
const NOT_A_CITY = /[\d�]/;

/**
 * Returns city, state and metropolitan area. `area` is the metropolitan area for the sentence,
 * which is empty if the city implies it.
 */
function placeOf(row: Located): Record<"city" | "state" | "metro" | "area", string> {
  const state = cleanLine(row.state);
  const country = countryOf(row.country);
  const region = country && regionOf(country, state);
  // Many cities end in punctuation: "Austin,".
  const stated = withoutEnding(cleanLine(row.city), /[\s,;=`]/);
  const city = NOT_A_CITY.test(stated) || (stated === region && stated !== "NY")
    ? ""
    : NEW_YORK.test(stated)
    ? "New York"
    : cityWithoutRegion(stated, country, region);
  const area = cityWithoutRegion(cleanLine(row.region), country, region);
  const metro = NO_AREA.test(area) || NOT_A_CITY.test(area) ? "" : area;
  return { city, state, metro, area: isSamePlace(metro, city) ? "" : metro };
}

/**
 * Returns whether a city implies the area. The export has both "Pittsburg" and "Pittsburgh", and
 * both "Saint Louis" and "St. Louis". "West Palm Beach" implies "Palm Beach".
 */
function isSamePlace(area: string, city: string): boolean {
  const [wide, narrow] = [area, city].map((name) =>
    name.toLowerCase().replace(/\bsaint\b/, "st").replace(/\bfort\b/, "ft")
      .replace(/[^a-z]/g, "").replace(/(.)\1/g, "$1")
  ) as [string, string];
  if (narrow === "") return wide === "";
  return narrow.includes(wide) || wide.startsWith(narrow);
}

const DOLLARS = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});

/** Formats whole dollars as "$1,750,000". Returns undefined for an empty or damaged cell. */
export function dollarsOf(cell: string): string | undefined {
  return /^\d{1,15}$/.test(cell) ? DOLLARS.format(Number(cell)) : undefined;
}

/** Returns midnight UTC of a date, because the export has neither times nor time zones. */
export function instantOf(date: string): string | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(date) ? normalizeInstant(`${date}T00:00:00Z`) : undefined;
}

/** Lists the cells of a row that are not empty, one per line, with the name of the column. */
export function excerptOf<Columns extends Record<string, string>>(
  columns: Columns,
  row: Record<keyof Columns, string>,
): string {
  return Object.entries(columns)
    .map(([key, column]) => [column, cutAtWord(cleanLine(row[key]!), 200)])
    .filter(([, cell]) => cell !== "")
    .map(([column, cell]) => `${column}: ${cell}`)
    .join("\n");
}

/**
 * Categories by their sectors of NAICS 2022. A category has a sector only if all its companies are
 * in one sector. Categories with both makers and users of a technology have none: "cleantech",
 * "medical", "mobile".
 */
const CATEGORIES = {
  "31-33": "hardware manufacturing semiconductor",
  "44-45": "ecommerce",
  "48-49": "transportation",
  "51": "games_video network_hosting news search social software web",
  "52": "finance",
  "53": "real_estate",
  "54": "advertising consulting design legal public_relations",
  "61": "education",
  "62": "health",
  "71": "sports",
  "72": "hospitality",
  "92": "government",
} satisfies Partial<Record<Sector, string>>;

/** Returns the sector of a category such as "network_hosting", or an empty list. */
export function sectorsOfCategory(category: string): Sector[] {
  return (Object.keys(CATEGORIES) as (keyof typeof CATEGORIES)[])
    .filter((sector) => CATEGORIES[sector].split(" ").includes(category.trim()));
}
