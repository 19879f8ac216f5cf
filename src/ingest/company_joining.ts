/** Computes by what a company may be joined with one of another source: name, place and business. */
import { sectorsOfIndustry } from "./company_business.ts";
import { legalFormOf, normalizeName } from "./company_name.ts";
import { GENERIC_WORDS, ORDINARY_WORDS } from "./company_words.ts";
import type { NormalFacets } from "./facets.ts";

/** Statement of a record about its company, as join_by_name.sql compares it. */
export interface Joining {
  names: { name: string; form: string; is_current: boolean; is_ordinary: boolean }[];
  /** "US-CA", and with the city "US-CA/santa clara"; "US" if a profile states no region. */
  places: string[];
  /** Sectors of NAICS that the source states, or its words stand for. */
  sectors: string[];
  /** Sectors that are only likely. Two sources never differ by them. */
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

/** Kinds whose places are those of the work, and need not be those of the company. */
const KINDS_ELSEWHERE = new Set(["procurement_request", "job_posting", "facility_expansion"]);

/** A company that lists what its developers use makes software, or much of it for itself. */
const SECTORS_OF_DEVELOPERS = ["51", "54"];

/**
 * Returns what a record states for joins. Returns null if the source gives no identifier, if the name
 * is no evidence, or if an event says neither region nor business.
 */
export function joiningOf(record: Described): Joining | null {
  if (record.company_external_id === null || KINDS_ELSEWHERE.has(record.kind)) return null;
  const { industry, technologies } = record.facets;
  const sectors = new Set([...record.categories, ...sectorsOfIndustry(industry ?? "")]);
  const regions = placesOf(record.facets);
  const isProfile = record.kind === "company_profile";
  if (!isProfile && regions.length === 0 && sectors.size === 0 && technologies == null) return null;
  const current = nameOf(record.normalized_name, record.legal_form, true);
  const former = (record.facets.former_names ?? []).map((name) =>
    nameOf(normalizeName(name), legalFormOf(name), false)
  );
  const names = [current, ...former].filter((name) => name !== undefined);
  const distinct = new Map(names.toReversed().map((name) => [name.name, name]));
  if (distinct.size === 0) return null;
  return {
    names: [...distinct.values()].reverse(),
    places: regions.length === 0 && isProfile ? [record.country] : regions,
    sectors: [...sectors].sort(),
    likely_sectors: technologies == null ? [] : SECTORS_OF_DEVELOPERS,
  };
}

function nameOf(
  normalized: string,
  form: string,
  isCurrent: boolean,
): Joining["names"][number] | undefined {
  const telling = normalized.split(/[ &]+/).filter((word) =>
    !GENERIC_WORDS.has(word) && !/^[\d+]*$/.test(word)
  );
  if (telling.length === 0) return undefined;
  return {
    name: normalized.replace(/[ &]/g, ""),
    form,
    is_current: isCurrent,
    is_ordinary: telling.every(isOrdinary),
  };
}

function isOrdinary(word: string): boolean {
  return word.length <= 3 || ORDINARY_WORDS.has(word) || ORDINARY_WORDS.has(word.replace(/s$/, ""));
}

function placesOf({ places = [] }: NormalFacets): string[] {
  const codes = (places as { country?: string; region?: string; city?: string }[])
    .filter(({ country, region }) => country !== undefined && region !== undefined)
    .flatMap(({ country, region, city }) => {
      const code = `${country}-${region}`;
      return city === undefined ? [code] : [code, `${code}/${folded(city)}`];
    });
  return [...new Set(codes)].sort();
}

function folded(city: string): string {
  return city.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
