/**
 * Computes the names, places and sectors by which a company is joined with a company of another
 * source.
 */
import { sectorsOfIndustry } from "../classify/sectors.ts";
import { memoized } from "../../memoized.ts";
import { wordLists } from "../text/word_lists.ts";
import { legalFormOf, normalizeName } from "./company_name.ts";
import lists from "./company_words.txt" with { type: "text" };
import type { NormalFacets } from "./facets.ts";

/** A record's statements about its company, in the form that join_by_name.sql compares. */
interface Joining {
  /** `is_ordinary` is true for a name of only short or common words, which many companies have. */
  names: { name: string; form: string; is_current: boolean; is_ordinary: boolean }[];
  /**
   * Regions ("US-CA") and cities ("US-CA/santa clara"). A profile without a region has only its
   * country ("US").
   */
  places: string[];
  /** NAICS sectors that the source states as codes or words. */
  sectors: string[];
  /** Sectors that are only likely. They can join two companies, but never keep them apart. */
  likely_sectors: string[];
}

/** The fields of a record that are used for joins. */
interface JoinFields {
  normalized_name: string;
  legal_form: string;
  company_external_id: string | null;
  kind: string;
  country: string;
  categories: readonly string[];
  facets: NormalFacets;
}

const LISTS = wordLists<"generic" | "ordinary">(lists);
/** Words that occur in many names of companies. Only the other words identify a company. */
const GENERIC: ReadonlySet<string> = new Set(LISTS.generic);
/** Words of which the names of many companies consist. */
const ORDINARY: ReadonlySet<string> = new Set(LISTS.ordinary);

/** Kinds whose place is the place of the work. The company may be elsewhere. */
const KINDS_WITH_PLACE_OF_WORK = new Set([
  "procurement_request",
  "job_posting",
  "facility_expansion",
]);

/**
 * Likely NAICS sectors of a company with the facet `technologies`, because such a company probably
 * develops software.
 */
const SECTORS_OF_DEVELOPERS = ["51", "54"];

/**
 * Returns a record's statements for joins. Returns null for KINDS_WITH_PLACE_OF_WORK, if the source
 * gives no external id of the company, or if all names consist of generic words and numbers. A
 * record that is not a profile also gives null if it states neither region, sector nor
 * technologies.
 */
export function joiningOf(record: JoinFields): Joining | null {
  if (record.company_external_id === null || KINDS_WITH_PLACE_OF_WORK.has(record.kind)) return null;
  const { industry, technologies } = record.facets;
  const isProfile = record.kind === "company_profile";
  const regions = placesOf(record.facets);
  const sectors = sectorsOf(record.categories, industry ?? "");
  if (!isProfile && regions.length === 0 && sectors.length === 0 && technologies == null) {
    return null;
  }
  const names = namesOf(record);
  if (names.length === 0) return null;
  return {
    names,
    places: regions.length === 0 && isProfile ? [record.country] : regions,
    sectors,
    likely_sectors: technologies == null ? [] : SECTORS_OF_DEVELOPERS,
  };
}

function sectorsOf(categories: readonly string[], industry: string): string[] {
  const sectors = [...categories];
  for (const sector of sectorsOfIndustry(industry)) {
    if (!sectors.includes(sector)) sectors.push(sector);
  }
  return sectors.sort();
}

/** Returns the current name and the former names, without duplicates. */
function namesOf({ normalized_name, legal_form, facets }: JoinFields): Joining["names"] {
  const current = nameOf(normalized_name, legal_form, true);
  const names = current === undefined ? [] : [current];
  for (const formerName of facets.former_names ?? []) {
    const former = nameOf(normalizeName(formerName), legalFormOf(formerName), false);
    if (former !== undefined && !names.some(({ name }) => name === former.name)) names.push(former);
  }
  return names;
}

/**
 * Matches a number. Numbers do not distinguish names, because many names contain the same number.
 */
const NUMBER = /^[\d+]*$/;

function nameOf(
  normalized: string,
  form: string,
  isCurrent: boolean,
): Joining["names"][number] | undefined {
  const words = normalized.split(/[ &]+/);
  const distinctive = words.filter((word) => !GENERIC.has(word) && !NUMBER.test(word));
  if (distinctive.length === 0) return undefined;
  return {
    name: words.join(""),
    form,
    is_current: isCurrent,
    is_ordinary: distinctive.every(isOrdinary),
  };
}

function isOrdinary(word: string): boolean {
  return word.length <= 3 || ORDINARY.has(word) ||
    (word.endsWith("s") && ORDINARY.has(word.slice(0, -1)));
}

function placesOf({ places = [] }: NormalFacets): string[] {
  const codes = new Set<string>();
  for (const { country, region, city } of places) {
    if (country == null || region == null) continue;
    codes.add(`${country}-${region}`);
    if (city != null) codes.add(`${country}-${region}/${foldCity(city)}`);
  }
  return [...codes].sort();
}

const foldCity = memoized((city) =>
  city.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim()
);
