/**
 * Reads the gazetteer of Canada and the United States, gazetteer.tsv. Each line is a state, province
 * or territory. Its columns are separated by tabs, and the names in a column by `|`:
 *
 * 1. ISO 3166-2 code
 * 2. names, the English one first. A name with a `*` before it is also that of a country or a city,
 *    so it counts only next to a consistent name, such as that of a city in the region. A name with a
 *    `=` before it counts only in a field for regions
 * 3. abbreviations in lower case
 * 4. well-known cities. Further names of a city follow after `=`. A name with a `*` is also that of
 *    a place elsewhere, so it counts only next to its region or country. Abbreviations such as "SF"
 *    count only in capitals
 * 5. further cities with at least 15,000 people, with the same mark. further_cities.py writes them
 */
import type { Country } from "../../contract/vocabulary.ts";
import table from "./gazetteer.tsv" with { type: "text" };

/** A column of the table by country and region code: names separated by `|`. */
export type RegionTable = Readonly<Record<Country, Readonly<Record<string, string>>>>;

const ROWS = table.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"));

/** Names of states and provinces in texts. */
export const REGION_NAMES: RegionTable = columnOf(1, (names) => namesIn(names, false).join("|"));

/** Abbreviations of states and provinces. */
export const REGION_ABBREVIATIONS: RegionTable = columnOf(2);

/** Well-known cities by state or province. */
export const CITY_NAMES: RegionTable = columnOf(3);

/** Further cities by state or province. */
export const FURTHER_CITIES: RegionTable = columnOf(4);

/** Codes of regions by their folded codes and names, after the country: "CA quebec". */
const CODES = new Map(
  ROWS.flatMap(([id, names]) => {
    const [country, code] = id!.split("-");
    return [code!, ...namesIn(names!, true)]
      .map((name) => [`${country} ${foldedOf(name)}`, code!] as const);
  }),
);

const ENGLISH_NAMES = new Map(ROWS.map(([id, names]) => [id!, namesIn(names!, true)[0]!]));

/**
 * Returns the code of a province, territory or state ("QC", "NY") from a field with its code or one
 * of its names. Returns undefined if the country has no such region.
 */
export function regionOf(country: Country, text: string): string | undefined {
  return CODES.get(`${country} ${foldedOf(text)}`);
}

/**
 * Returns the English name of a region: "Quebec" for CA and QC. Returns an unknown code unchanged.
 */
export function regionName(country: Country, code: string): string {
  return ENGLISH_NAMES.get(`${country}-${code}`) ?? code;
}

function columnOf(column: number, valueOf = (cell: string) => cell): RegionTable {
  const columns: Record<Country, Record<string, string>> = { US: {}, CA: {} };
  for (const row of ROWS) {
    const [country, code] = row[0]!.split("-") as [Country, string];
    if (row[column] !== "") columns[country][code] = valueOf(row[column]!);
  }
  return columns;
}

/** Returns the names of a cell of column 2. @param inFields whether those of fields count */
function namesIn(cell: string, inFields: boolean): string[] {
  const names = cell.split("|");
  return inFields
    ? names.map((name) => name.replace(/^[=*]/, ""))
    : names.filter((name) => !name.startsWith("="));
}

function foldedOf(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[-–]/g, " ").trim().toLowerCase();
}

/**
 * A territory of the United States, as fields for countries name it. Every source counts it as a
 * part of the United States, because a company there is one of the United States.
 */
interface Territory {
  /** Code of ISO 3166-1 with three letters. */
  alpha_3: string;
  /** Code of EDGAR's table of states and countries. */
  edgar: string;
}

/** Territories by their codes, which are equal in ISO 3166-1 and in ISO 3166-2:US. */
export const TERRITORIES: Readonly<Record<string, Territory>> = {
  PR: { alpha_3: "PRI", edgar: "PR" },
  VI: { alpha_3: "VIR", edgar: "VI" },
  GU: { alpha_3: "GUM", edgar: "GU" },
  AS: { alpha_3: "ASM", edgar: "B5" },
  MP: { alpha_3: "MNP", edgar: "1V" },
};

const TERRITORY_CODES: ReadonlyMap<string, string> = new Map(
  Object.entries(TERRITORIES).flatMap(([code, { alpha_3 }]) =>
    [code, alpha_3, ...REGION_NAMES.US[code]!.split("|")]
      .map((name) => [foldedCountry(name), code] as const)
  ),
);

/**
 * Returns the code of a territory ("PR") from a field for a country: an ISO code of two or three
 * letters, or a name. Returns undefined for any other text.
 */
export function territoryOf(country: string): string | undefined {
  return TERRITORY_CODES.get(foldedCountry(country));
}

/** Folds case, accents and punctuation. */
function foldedCountry(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[^a-z]+/g, " ").trim().replace(/^the /, "").replace(/\bu s\b/, "us");
}
