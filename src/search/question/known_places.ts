/** Places by their names and codes, with the facet terms of their records. */
import type { Country } from "../../contract/vocabulary.ts";
import {
  CITY_NAMES,
  FURTHER_CITIES,
  REGION_ABBREVIATIONS,
  REGION_NAMES,
  TERRITORIES,
} from "../../ingest/classify/gazetteer.ts";
import { readPatterns } from "../facets/patterns.ts";
import { cityKey, METROS, namesIn, termsOfCity } from "../facets/place_terms.ts";
import { fold } from "../words/stems.ts";
import areas from "./areas.tsv" with { type: "text" };
import { cue } from "./cues.ts";
import type { AskedPlace } from "./question.ts";
import ordinary from "./ordinary_places.tsv" with { type: "text" };
import { runsOf } from "./query_text.ts";

/** Meaning of a place name. */
export interface NamedPlace {
  level: "country" | "region" | "city" | "metro";
  /** Places of which a record needs one. */
  places: readonly AskedPlace[];
  /** Regions in which the gazetteer has a city of this name. */
  regions?: readonly string[];
  /** True if the name often means something other than the place: see isMeant() in place_mentions.ts. */
  needs_cue?: true;
  /** True for one of the further cities of the gazetteer. Many of their names are ordinary words. */
  is_minor?: true;
}

const WORDS = readPatterns(ordinary);

/** Names of cities that are also everyday words, first names, trade words or other places. */
export const ORDINARY = new Set(WORDS.get("ordinary")!.flatMap((names) => names.split("|")));

/**
 * Names of large cities that are also ordinary words. If the query has capital letters, such a name
 * means the city only with a capital letter.
 */
export const LARGE = new Set(WORDS.get("large")!.flatMap((names) => names.split("|")));

/** Names that mean several places, and names that the other tables lack. */
const FURTHER: readonly [names: string, NamedPlace][] = [
  ["new york", {
    level: "city",
    places: [...cityOf("new york", "US").places, ...regionOf("US", "NY").places],
  }],
  ["la", { ...cityOf("los angeles", "US", "CA"), needs_cue: true }],
  ["st louis", cityOf("saint louis", "US", "MO")],
  ["washington", regionOf("US", "WA")],
  ["washington dc|washington d c", {
    level: "city",
    places: [...cityOf("washington", "US").places, ...regionOf("US", "DC").places],
  }],
  ["quebec city|ville de quebec", cityOf("quebec", "CA", "QC")],
  ...[...readPatterns(areas)].flatMap(([place, lines]): [string, NamedPlace][] => {
    const [country, ...codes] = place.split(" ");
    const named = /^[A-Z]/.test(place)
      ? regionOf(country as Country, codes.join(" "))
      : cityOf(place);
    return lines.map((names) => [names, named]);
  }),
];

/** States and provinces by their abbreviations, which count before a full stop or after a city. */
export const ABBREVIATIONS: ReadonlyMap<string, NamedPlace> = new Map(
  Array.from(namesIn(REGION_ABBREVIATIONS), ({ country, code, name }) => {
    return [name, regionOf(country, code)];
  }),
);

/** Abbreviations that always count, because they rarely mean anything else. */
export const CLEAR_ABBREVIATIONS: ReadonlySet<string> = new Set(
  ["calif", "ariz", "okla", "oreg", "penna", "wyo", "nebr", "sask"],
);

/**
 * States and provinces by code. Territories are read by name alone, because their codes mean other
 * things in queries: "PR agency".
 */
export const REGION_OF_CODE: ReadonlyMap<string, NamedPlace> = new Map(
  [...namesIn(REGION_NAMES)].filter(({ code }) => !Object.hasOwn(TERRITORIES, code))
    .map(({ country, code }) => [code, regionOf(country, code)]),
);

/** Returns the meaning of a name of states or provinces. A record of any of them matches. */
function regionOf(country: Country, codes: string): NamedPlace {
  const places = codes.split(" ").map((code) => ({ country, region: `${country}-${code}` }));
  return { level: "region", places };
}

/**
 * Returns the meaning of a city's name. A city's area may reach into other regions: then the region
 * is not asked for.
 *
 * @param code region in which the best-known city of this name is; undefined: unknown
 */
function cityOf(city: string, country?: Country, code?: string): NamedPlace {
  const metro = termsOfCity(city).find((term) => term.startsWith("metro:"))?.slice("metro:".length);
  const isWide = METROS.some(({ key, cities }) => key === metro && cities.length > 1);
  return {
    level: "city",
    places: [{
      city,
      ...country !== undefined && { country },
      ...code !== undefined && !isWide && { region: `${country}-${code}` },
      ...metro !== undefined && { metro },
    }],
  };
}

function placesByName(): Map<string, NamedPlace> {
  const places = new Map<string, NamedPlace>();
  for (const city of namesIn(CITY_NAMES, /[|=]/)) addCity(places, city);
  for (const { country, code, name } of namesIn(REGION_NAMES)) {
    const { regions } = places.get(placeKey(name)) ?? {};
    places.set(placeKey(name), { ...regionOf(country, code), regions });
  }
  for (const { key, names, cities } of METROS) {
    const regions = cities.map(([region]) => region);
    const countries = new Set(regions.map((region) => region.slice(0, 2) as Country));
    const metro: NamedPlace = {
      level: "metro",
      places: [{
        metro: key,
        ...countries.size === 1 && { country: [...countries][0]! },
        ...regions.length === 1 && { region: regions[0]! },
      }],
    };
    for (const name of names) places.set(name, metro);
  }
  for (const [names, place] of FURTHER) {
    for (const name of names.split("|")) places.set(name, place);
  }
  for (const [name, place] of [...places]) {
    const short = name.replace(/^fort /, "ft ").replace(/^saint /, "st ")
      .replace(/^mount /, "mt ").replace(/^mountain /, "mtn ");
    if (!places.has(short)) places.set(short, place);
  }
  for (const city of namesIn(FURTHER_CITIES)) addCity(places, city, true);
  return places;
}

/** Returns the folded words of a place's name, by which the gazetteer finds it. */
export function placeKey(name: string): string {
  return runsOf(fold(name)).map(({ text }) => text).join(" ");
}

/**
 * Adds a spelling of a city. An asterisk in the spelling marks a name that other places share. A
 * further city of the gazetteer adds only its region to a better-known place of its name.
 */
function addCity(
  places: Map<string, NamedPlace>,
  { country, code, name: spelling }: { country: Country; code: string; name: string },
  is_minor?: true,
): void {
  const isShared = spelling.includes("*");
  const name = placeKey(spelling);
  const known = places.get(name);
  if (is_minor && (known?.level === "country" || known?.level === "metro")) return;
  const regions = [...known?.regions ?? [], `${country}-${code}`];
  if (known !== undefined && (isShared || is_minor)) {
    places.set(name, { ...known, regions });
    return;
  }
  const needsCue = is_minor || (!name.includes(" ") && (isShared || ORDINARY.has(name))) ||
    (name.length < 3 && name !== "sf");
  places.set(name, {
    regions,
    ...isShared ? cityOf(cityKey(name)) : cityOf(cityKey(name), country, code),
    ...needsCue && { needs_cue: true },
    ...is_minor && { is_minor },
  });
}

/** Places by their folded names. */
export const PLACES: ReadonlyMap<string, NamedPlace> = placesByName();

/** Patterns of countries, and of adjectives that stand for them. */
export const COUNTRY_PATTERNS: Readonly<Record<Country, { name: RegExp; adjective: RegExp }>> = {
  CA: { name: new RegExp(cue("canada"), "gu"), adjective: new RegExp(cue("canadian"), "gu") },
  US: {
    name: new RegExp(cue("united_states"), "gu"),
    adjective: new RegExp(cue("american"), "gu"),
  },
};
