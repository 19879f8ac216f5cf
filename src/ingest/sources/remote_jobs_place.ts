import type { Country } from "../../contract/vocabulary.ts";
import { textOfMarkdown } from "../text/markdown.ts";
import { countryOfPlace } from "../classify/places.ts";

/** Matches words for a main office: "Our main office is in Paris", "Toronto, Canada (HQ)". */
const MAIN_OFFICE = /\b(?:headquarter(?:s|ed)?|head ?offices?|HQ|main offices?)\b/i;
/** Matches a heading above the address of the main office. */
const HEADING = new RegExp(`^\\W*(?:\\w+ ){0,3}${MAIN_OFFICE.source}\\W*$`, "i");
const ADDRESS_LINES = 5;

const NO_OFFICE =
  /^\W*(?:no(?:ne|t|thing)?\b|n\/a|(?:100 ?% |fully |completely |all )?remote|anywhere|everywhere|wherever|worldwide|virtual|we (?:are|don|do not|have no)|there (?:is|are) no)/i;

/**
 * Matches a postal code of the United States or Canada. If the lines of the section "office
 * locations" contain a postal code, they may form a single address. They are then read together.
 */
const POSTCODE = /(?<!\d)\d{5}(?!\d)|\b[A-Z]\d[A-Z] \d[A-Z]\d\b/;

/**
 * Returns the country of a company, if its page clearly names one. It is the country of the main
 * office, or else of the first office. Without offices, it is the country of the region in which
 * the company hires.
 *
 * @param sections sections of the company's page, as sectionsOf() returns them
 */
export function countryOfCompany(sections: ReadonlyMap<string, string>): Country | undefined {
  const offices = sentencesOf(sections.get("office locations") ?? "");
  const main = offices.findIndex((office) => MAIN_OFFICE.test(office));
  if (main !== -1) return countryOfMainOffice(offices.slice(main));
  if (offices.length > 0 && !NO_OFFICE.test(offices[0]!)) return countryOfFirstOffice(offices);
  return countryOfPlace(sentencesOf(sections.get("region") ?? "").join(" "));
}

function countryOfMainOffice([first, ...next]: string[]): Country | undefined {
  if (!HEADING.test(first!)) return countryOfPlace(first!);
  return next.slice(0, ADDRESS_LINES).map(countryOfPlace).find((country) => country !== undefined);
}

function countryOfFirstOffice(offices: string[]): Country | undefined {
  const joined = offices.join("\n");
  return countryOfPlace(offices[0]!) ??
    (POSTCODE.test(joined) ? countryOfPlace(joined) : undefined);
}

/** Splits a text into lines and sentences. Most of them name one office. */
function sentencesOf(markdown: string): string[] {
  return textOfMarkdown(markdown).split(/\n|(?<=[a-z]{2}\.)\s+(?=[A-Z])/)
    .map((text) => text.trim()).filter((text) => /[\p{L}\p{N}]/u.test(text));
}
