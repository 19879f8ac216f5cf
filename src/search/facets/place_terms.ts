/** Facet terms of places: regions by ISO 3166-2, cities and metropolitan areas by folded names. */
import { COUNTRIES } from "../../contract/vocabulary.ts";
import { CITY_NAMES, FURTHER_CITIES, type RegionTable } from "../../ingest/classify/gazetteer.ts";
import { memoized } from "../../memoized.ts";
import { fold } from "../words/stems.ts";
import table from "./metros.tsv" with { type: "text" };

/** Yields the names of a table of the gazetteer, with the country and code of their regions. */
export function* namesIn(table: RegionTable, separator: string | RegExp = "|") {
  for (const country of COUNTRIES) {
    for (const [code, list] of Object.entries(table[country])) {
      for (const name of list.split(separator)) yield { country, code, name };
    }
  }
}

/**
 * The metropolitan areas of the United States and Canada. A line of metros.tsv has a key, folded
 * names, and cities by state or province, such as "US-CA:oakland|berkeley;…".
 */
export const METROS = table.split("\n").filter((line) => line !== "")
  .map((line) => {
    const [key, names, cities] = line.split("\t") as [string, string, string];
    return {
      key,
      names: names.split("|"),
      cities: cities.split(";").map((group) => {
        const [region, list] = group.split(":") as [string, string];
        return [region, list.split("|")] as const;
      }),
    };
  });

/** Keys of metropolitan areas by all of their names. */
const METRO_OF_NAME = new Map<string, string>();
/** Keys of metropolitan areas by region and city: "US-CA|palo alto". */
const METRO_OF_CITY = new Map<string, string>();
for (const { key, names, cities } of METROS) {
  for (const name of [key, ...names]) METRO_OF_NAME.set(name, key);
  for (const [region, list] of cities) {
    for (const city of list) METRO_OF_CITY.set(`${region}|${city}`, key);
  }
}

const METRO_KEYS: ReadonlySet<string> = new Set(METROS.map(({ key }) => key));

/** Pattern of names of areas that are listed as spellings of a city. */
const AREA = /\b(?:bay|area|metro|greater|grand|valley|research triangle|dallas)\b/;

/** Keys of cities by their other spellings: "nyc" is New York. */
const CITY_OF_SPELLING = new Map<string, string>();
for (const { name: spellings } of namesIn(CITY_NAMES)) {
  const [first, ...further] = spellings.split("=").map((name) => plainKey(name.replace("*", "")));
  if (further.length === 0) continue;
  const city = first!.replace(/^(washington) dc$/, "$1").replace(/^quebec city$/, "quebec");
  for (const spelling of [first!, ...further]) {
    if (spelling !== city && !AREA.test(spelling)) CITY_OF_SPELLING.set(spelling, city);
  }
}
/** Regions of cities by country and city: "CA|toronto". It is empty if several have the name. */
const REGION_OF_CITY = new Map<string, string>();
for (const table of [CITY_NAMES, FURTHER_CITIES]) {
  for (const { country, code, name } of namesIn(table, /[|=]/)) {
    // An asterisk marks a name that several places share.
    if (name.includes("*")) continue;
    const city = plainKey(name);
    const key = `${country}|${CITY_OF_SPELLING.get(city) ?? city}`;
    const region = `${country}-${code}`;
    const known = REGION_OF_CITY.get(key) ?? region;
    REGION_OF_CITY.set(key, known === region ? region : "");
  }
}

CITY_OF_SPELLING.set("new york new york", "new york").set("new york ny", "new york");

function plainKey(name: string): string {
  return fold(name).replace(/[^\p{L}\p{N}]+/gu, " ").trim().replace(/^st (?=\p{L})/u, "saint ");
}

/** Returns the key of a city: its main spelling, folded, with one space between words. */
export const cityKey = memoized((name) => {
  const plain = plainKey(name);
  return CITY_OF_SPELLING.get(plain) ?? plain;
});

/** Returns the key of a metropolitan area from any of its names. */
export const metroKey = memoized((name) => {
  const plain = plainKey(name);
  const bare = plain.replace(/^(?:greater|metro) | (?:metro|metropolitan)?(?: ?area)?$/g, "");
  return METRO_OF_NAME.get(plain) ?? METRO_OF_NAME.get(bare) ?? plain;
});

/**
 * Returns the region of a city whose record states none: "US-CA" of San Francisco. Returns undefined
 * if the country has several places of that name, or none that the gazetteer lists.
 */
export function regionOfCity(country: string, city: string): string | undefined {
  return REGION_OF_CITY.get(`${country}|${city}`) || undefined;
}

/** Returns the key of the metropolitan area of a city. */
export function metroOfCity(region: string, city: string): string | undefined {
  return METRO_OF_CITY.get(`${region}|${city}`);
}

/** Cities whose metropolitan area does not have their name. */
const SUBURBS: ReadonlySet<string> = new Set(
  METROS.flatMap(({ cities }) => cities.flatMap(([, list]) => list))
    .filter((city) => !METRO_KEYS.has(city) && !METRO_KEYS.has(`${city} dc`)),
);

/**
 * Returns the facet terms that meet a question for a city, the most exact first. The name of a city
 * also means the metropolitan area of that name. No area is named San Francisco alone, because its
 * area is the "Bay Area".
 */
export function termsOfCity(city: string): string[] {
  if (SUBURBS.has(city)) return [`city:${city}`];
  const metro = METRO_KEYS.has(`${city} dc`) ? `${city} dc` : city;
  return [`city:${city}`, `metro:${metro}`];
}
