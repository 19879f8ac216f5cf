/** Computes what joins a company with one of another source: name, place and sector. */
import { sectorsOfIndustry } from "../classify/industry_sectors.ts";
import { legalFormOf, normalizeName } from "./company_name.ts";
import { GENERIC_WORDS, ORDINARY_WORDS } from "./company_words.ts";
import type { NormalFacets } from "./facets.ts";

/** A record's statements about its company, in the form that join_by_name.sql compares. */
interface Joining {
  names: { name: string; form: string; is_current: boolean; is_ordinary: boolean }[];
  /** "US-CA" and, with a city, "US-CA/santa clara". "US" if a profile states no region. */
  places: string[];
  /** Sectors of NAICS that the source states in codes or words. */
  sectors: string[];
  /** Sectors that are only likely. They never keep two companies apart. */
  likely_sectors: string[];
}

interface Described {
  normalized_name: string;
  legal_form: string;
  company_external_id: string | null;
  kind: string;
  country: string;
  categories: readonly string[];
  facets: NormalFacets;
}

/** Kinds whose place is that of the work, which need not be that of the company. */
const KINDS_ELSEWHERE = new Set(["procurement_request", "job_posting", "facility_expansion"]);

/** Likely sectors of a company that lists the technologies of its developers. */
const SECTORS_OF_DEVELOPERS = ["51", "54"];

/**
 * Returns what a record states for joins. Returns null if the source gives no identifier, if the
 * name has only generic words, or if an event states neither region nor sector.
 */
export function joiningOf(record: Described): Joining | null {
  if (record.company_external_id === null || KINDS_ELSEWHERE.has(record.kind)) return null;
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

/** Returns the current name, then the former ones, each once. */
function namesOf({ normalized_name, legal_form, facets }: Described): Joining["names"] {
  const current = nameOf(normalized_name, legal_form, true);
  const names = current === undefined ? [] : [current];
  for (const formerName of facets.former_names ?? []) {
    const former = nameOf(normalizeName(formerName), legalFormOf(formerName), false);
    if (former !== undefined && !names.some(({ name }) => name === former.name)) names.push(former);
  }
  return names;
}

/** Matches a number, which many names share. */
const NUMBER = /^[\d+]*$/;

function nameOf(
  normalized: string,
  form: string,
  isCurrent: boolean,
): Joining["names"][number] | undefined {
  const words = normalized.split(/[ &]+/);
  const telling = words.filter((word) => !GENERIC_WORDS.has(word) && !NUMBER.test(word));
  if (telling.length === 0) return undefined;
  return {
    name: words.join(""),
    form,
    is_current: isCurrent,
    is_ordinary: telling.every(isOrdinary),
  };
}

function isOrdinary(word: string): boolean {
  return word.length <= 3 || ORDINARY_WORDS.has(word) ||
    (word.endsWith("s") && ORDINARY_WORDS.has(word.slice(0, -1)));
}

function placesOf({ places = [] }: NormalFacets): string[] {
  const codes = new Set<string>();
  for (const { country, region, city } of places as JoinPlace[]) {
    if (country === undefined || region === undefined) continue;
    codes.add(`${country}-${region}`);
    if (city !== undefined) codes.add(`${country}-${region}/${foldCity(city)}`);
  }
  return [...codes].sort();
}

interface JoinPlace {
  country?: string;
  region?: string;
  city?: string;
}

/** Cache of folded cities, of which records have few. */
const FOLDED_CITIES = new Map<string, string>();
const FOLDED_CITIES_MAX = 10_000;

function foldCity(city: string): string {
  const known = FOLDED_CITIES.get(city);
  if (known !== undefined) return known;
  const folded = city.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  if (FOLDED_CITIES.size >= FOLDED_CITIES_MAX) FOLDED_CITIES.clear();
  FOLDED_CITIES.set(city, folded);
  return folded;
}
