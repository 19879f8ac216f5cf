/** Reads the fields, sections and places of a company's page. */
import { FACET_LIMITS, type Place } from "../../../contract/facets.ts";
import type { Country } from "../../../contract/vocabulary.ts";
import { textOfMarkdown } from "../../text/markdown.ts";
import { maskedParagraphs } from "../../masking/mask_text.ts";
import { countryOfPlace, distinctPlaces, readPlaces } from "../../classify/places.ts";
import { cutAtWord, withoutEnding } from "../../text/clean_text.ts";
import { textOf, valueIn } from "../../mapping/template.ts";
import { isOfSharedHost } from "../../record/company_name.ts";

/** A company's page, with the fields that were checked. */
export interface ListingPage {
  value: unknown;
  sections: ReadonlyMap<string, string>;
  name: string;
  slug: string;
  hostnames: string[];
  instant: string | undefined;
  country: Country;
}

const FIELDS = [
  ...["title", "slug", "website", "updatedAt", "addedAt"],
  ...["remote_policy", "company_size", "technologies"],
];

/** Returns the members of a page that are read, except its body. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return Object.fromEntries(FIELDS.map((field) => [field, valueIn(value, field)]));
}

/** Returns a text member, trimmed; an empty text if it is none. */
export function textIn(value: unknown, name: string): string {
  return textOf(valueIn(value, name));
}

/**
 * Returns the hostnames of a company's own site, and none for a shared host. Returns undefined if
 * the text is not an address.
 */
export function hostnamesOf(website: string, companyName: string): string[] | undefined {
  const url = URL.parse(website);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const { hostname } = url;
  if (isOfSharedHost(hostname, companyName)) return [];
  const bare = hostname.replace(/^www\.(?=[^.]+\.)/, "");
  return bare === hostname ? [hostname] : [bare, hostname];
}

/** Returns the address of the page of a company. */
export function pageOf(slug: string): string {
  return `https://remoteintech.company/companies/${encodeURIComponent(slug)}/`;
}

/** Sections that are searched. "How to apply" is left out, because it names persons. */
const SEARCHED_SECTIONS = [
  "company blurb",
  "company size",
  "remote status",
  "region",
  "company technologies",
  "office locations",
];

/** Returns the searched text of a page: the name and the sections that are searched. */
export function textOfPage({ name, sections }: ListingPage): string {
  const parts = SEARCHED_SECTIONS.map((heading) =>
    maskedParagraphs(textOfMarkdown(sections.get(heading) ?? ""))
  );
  return [name, ...parts].filter((part) => part !== "").join("\n\n");
}

/** Returns a section as one line, with semicolons between its lines and list items. */
export function sectionInOneLine({ sections }: ListingPage, heading: string, max: number): string {
  const lines = maskedParagraphs(textOfMarkdown(sections.get(heading) ?? "")).split("\n")
    .map((line) => withoutEnding(line, /[\s.;,!]/)).filter((line) => line !== "");
  return cutAtWord(lines.join("; ").replaceAll(":; ", ": "), max);
}

/**
 * Returns the offices that are clearly in Canada or the United States, or the country if there are
 * none.
 */
export function placesOf({ sections, country }: ListingPage): Place[] {
  const offices = textOfMarkdown(sections.get("office locations") ?? "").split("\n");
  const places = distinctPlaces(offices.flatMap((office) => readPlaces(office).places));
  return places.length === 0 ? [{ country }] : places.slice(0, FACET_LIMITS.list);
}

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
