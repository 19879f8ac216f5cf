/** What all filings with the U.S. Securities and Exchange Commission (EDGAR) have in common. */
import { normalizeInstant } from "../../contract/instant.ts";
import type { Country } from "../../contract/vocabulary.ts";

/** The number that EDGAR gives a filing: who sent it, the year, a running number. */
export const ACCESSION = /^\d{10}-\d{2}-\d{6}$/;

/** The number of a filer, with or without leading zeros. */
export const CIK = /^\d{1,10}$/;

/** Where EDGAR shows a filing. */
export function filingPage(cik: string, accession: string): string {
  const folder = `${Number(cik)}/${accession.replaceAll("-", "")}`;
  return `https://www.sec.gov/Archives/edgar/data/${folder}/${accession}-index.htm`;
}

/** The 50 states, the District of Columbia, the territories that have a code, and X1 for the whole. */
const UNITED_STATES = new Set(
  ("AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ " +
    "NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR VI GU X1").split(" "),
);
/** The provinces, the Yukon, and Z4 for the whole; B2 to B9 are countries from Afghanistan on. */
const CANADA = new Set("A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 B0 Z4".split(" "));

/**
 * @param code of EDGAR's own table of states and countries, in which CA is California.
 * @returns nothing where it is a third country's.
 */
export function countryOfEdgarCode(code: string): Country | undefined {
  const upper = code.toUpperCase();
  return UNITED_STATES.has(upper) ? "US" : CANADA.has(upper) ? "CA" : undefined;
}

const MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");

/**
 * Brings a day as EDGAR writes it (2024-01-11, 20240111, 11-JAN-2024) into ISO form; a time behind
 * it is dropped.
 *
 * @returns nothing where it is no day of the calendar
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
  return iso !== undefined && normalizeInstant(startOfDay(iso)) !== undefined ? iso : undefined;
}

/**
 * EDGAR's days are those of its office: Eastern time. The offset of winter is taken all the year, so
 * that a day begins on that day in summer too, if an hour late.
 */
export function startOfDay(isoDay: string): string {
  return `${isoDay}T00:00:00-05:00`;
}
