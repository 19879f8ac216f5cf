/** Reads the fields that all filings with the U.S. Securities and Exchange Commission have. */
import { FACET_LIMITS, type Place } from "../../../contract/facets.ts";
import type { Country } from "../../../contract/vocabulary.ts";
import { normalizeName } from "../../record/company_name.ts";
import { REGION_NAMES, TERRITORIES } from "../../classify/gazetteer.ts";
import { EASTERN_TIME, instantInZone } from "../../formats/local_time.ts";
import { cleanLine, cutAtWord } from "../../text/clean_text.ts";
import { cityWithoutRegion } from "./field.ts";

/** Matches the accession number of a filing: sender, year and serial number. */
export const ACCESSION = /^\d{10}-\d{2}-\d{6}$/;

/** Matches the number of a filer, with or without leading zeros. */
export const CIK = /^\d{1,10}$/;

/** Returns the address at which EDGAR shows a filing. */
export function filingPage(cik: string, accession: string): string {
  const folder = `${Number(cik)}/${accession.replaceAll("-", "")}`;
  return `https://www.sec.gov/Archives/edgar/data/${folder}/${accession}-index.htm`;
}

/** Provinces and the Yukon, in the order of their codes A0 to A9 and B0. */
const PROVINCES = "AB BC MB NB NL NS ON PE QC SK YT".split(" ");

/**
 * Places by their codes in EDGAR's table of states and countries, in which CA is California. The
 * codes from B2 are those of other countries and of American Samoa.
 */
const PLACES = new Map<string, { country: Country; region?: string }>([
  ["X1", { country: "US" }],
  ["Z4", { country: "CA" }],
  ...Object.keys(REGION_NAMES.US)
    .map((region) => [TERRITORIES[region]?.edgar ?? region, { country: "US", region }] as const),
  ...PROVINCES.map((region, at) => [at < 10 ? `A${at}` : "B0", { country: "CA", region }] as const),
]);

/** Returns the country of a code, or undefined if it is neither Canada nor the United States. */
export function countryOfEdgarCode(code: string): Country | undefined {
  return PLACES.get(code.toUpperCase())?.country;
}

/** Returns the place of an address in Canada or the United States. */
export function placeOfEdgar(city: string, code: string): Place {
  const { country, region } = PLACES.get(code.toUpperCase()) ?? {};
  const name = cutAtWord(cleanLine(city), FACET_LIMITS.text_characters);
  return { country, region, city: cityWithoutRegion(name, country, region) || undefined };
}

/** Describes a place in a sentence: "CUPERTINO, CA", "OTTAWA, ON, Canada". */
export function describePlace({ city, region, country }: Place): string {
  return [city, region, country === "CA" && "Canada"].filter(Boolean).join(", ");
}

/**
 * Matches a suffix that distinguishes two conformed names (EDGAR's form of names): a state ("/DE/",
 * "/CA"), "/NEW", "/ADR", or a slash alone.
 */
const NAME_SUFFIX = new RegExp(
  [
    String.raw`\s*[/\\][a-z ]{2,14}[/\\]`,
    // A suffix without a second slash may be any short word if a space precedes or follows the
    // slash. Otherwise it must be a known suffix.
    String.raw`\s+[/\\]\s?[a-z]{2,4}`,
    String.raw`[/\\]\s[a-z]{2,4}`,
    String.raw`\s*[/\\]\s?(?:${
      [...PLACES.keys(), ...PROVINCES].join("|")
    }|ADR|CAN|CN|DEL|FI|NEW|OLD|UK|Canada|Cayman|Delaware)`,
    String.raw`\s*[/\\]`,
  ].map((suffix) => `${suffix}$`).join("|"),
  "i",
);
/** Matches the legal form of a Belgian company, which ends like the suffix for Nevada. */
const BELGIAN_FORM = /\bSA\/NV$/i;

/** Drops EDGAR's suffixes from a conformed name: "ONEOK INC /NEW/" gives "ONEOK INC". */
export function displayNameOf(conformed: string): string {
  let name = cleanLine(conformed);
  // A name can have two suffixes.
  for (let removed = 0; removed < 2 && !BELGIAN_FORM.test(name); removed++) {
    name = name.replace(NAME_SUFFIX, "").trim() || name;
  }
  return name;
}

/**
 * Returns the former names, without spellings that differ only in form from the company's name or
 * from another former name.
 */
export function formerNamesOf(name: string, former: readonly string[]): string[] {
  const names = former.map((one) => cutAtWord(displayNameOf(one), FACET_LIMITS.text_characters))
    .filter((one) => one !== "" && !/^none$/i.test(one));
  const distinct = new Map(names.map((one) => [normalizeName(one), one]));
  distinct.delete(normalizeName(name));
  return [...distinct.values()].slice(0, FACET_LIMITS.list);
}

const MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");

/**
 * Converts a day of EDGAR (2024-01-11, 20240111, 11-JAN-2024) to ISO form. A time after the day is
 * dropped. Returns undefined if there is no such day.
 */
export function isoDayOf(text: string): string | undefined {
  const numbers = /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[T ].*)?$/.exec(text);
  const named = /^(\d\d)-([A-Z]{3})-(\d{4})$/i.exec(text);
  let iso;
  if (numbers !== null) iso = `${numbers[1]}-${numbers[3]}-${numbers[4]}`;
  if (named !== null) {
    const month = MONTHS.indexOf(named[2]!.toUpperCase()) + 1;
    iso = `${named[3]}-${String(month).padStart(2, "0")}-${named[1]}`;
  }
  return iso !== undefined && startOfDay(iso) !== "" ? iso : undefined;
}

/**
 * Returns the instant at which a day begins in Eastern time, or an empty text if there is no such
 * day.
 */
export function startOfDay(isoDay: string): string {
  return instantInZone(EASTERN_TIME.US, isoDay, "00:00:00") ?? "";
}
