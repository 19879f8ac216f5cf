/** Reads the fields that all filings with the U.S. Securities and Exchange Commission have. */
import { FACET_LIMITS, type Place } from "../../../contract/facets.ts";
import type { Country } from "../../../contract/vocabulary.ts";
import { normalizeName } from "../../record/company_name.ts";
import { TERRITORIES } from "../../classify/gazetteer.ts";
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

/** Codes of the 50 states and the District of Columbia, and X1 for the whole country. */
const UNITED_STATES = new Set(
  ("AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ " +
    "NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY X1").split(" "),
);
/** Region codes of the territories, by their codes. */
const TERRITORY_CODES: ReadonlyMap<string, string> = new Map(
  Object.entries(TERRITORIES).map(([code, { edgar }]) => [edgar, code]),
);
/**
 * Provinces and the Yukon by their codes. The next codes, from B2, are those of other countries and
 * of American Samoa.
 */
const PROVINCES: Readonly<Record<string, string>> = {
  A0: "AB",
  A1: "BC",
  A2: "MB",
  A3: "NB",
  A4: "NL",
  A5: "NS",
  A6: "ON",
  A7: "PE",
  A8: "QC",
  A9: "SK",
  B0: "YT",
};
/** Codes of the two countries as a whole. */
const WHOLE_CANADA = "Z4";
const WHOLE_UNITED_STATES = "X1";

/**
 * Returns the country of a code, or undefined if it is neither Canada nor the United States. Codes
 * are from EDGAR's table of states and countries, in which CA is California.
 */
export function countryOfEdgarCode(code: string): Country | undefined {
  const upper = code.toUpperCase();
  if (UNITED_STATES.has(upper) || TERRITORY_CODES.has(upper)) return "US";
  return upper === WHOLE_CANADA || Object.hasOwn(PROVINCES, upper) ? "CA" : undefined;
}

/** Returns the region ("CA", "QC") of a code of EDGAR's table, or undefined if it has none. */
function regionOfEdgarCode(code: string): string | undefined {
  const upper = code.toUpperCase();
  if (upper === WHOLE_UNITED_STATES) return undefined;
  return UNITED_STATES.has(upper) ? upper : TERRITORY_CODES.get(upper) ?? PROVINCES[upper];
}

/** Returns the place of an address in Canada or the United States. */
export function placeOfEdgar(city: string, code: string): Place {
  const country = countryOfEdgarCode(code);
  const region = regionOfEdgarCode(code);
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
      [...UNITED_STATES, ...Object.values(PROVINCES)].join("|")
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
