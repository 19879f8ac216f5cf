/** Places by their names and codes, with the facet terms that meet each. */
import type { Country } from "../../contract/vocabulary.ts";
import { CITY_NAMES, REGION_NAMES } from "../../ingest/classify/place_names.ts";
import { METROS } from "./metro_words.ts";
import { cityKey, metroKey, termsOfCity } from "./place_terms.ts";
import { wordsOf } from "./passages.ts";

/** Meaning of a place name. */
export interface NamedPlace {
  level: "region" | "city" | "metro";
  /** Facet terms that meet it. */
  any: string[];
  countries: readonly Country[];
  /** Regions that a city of this name lies in, as far as the table knows. */
  regions?: readonly string[];
  /** True for a name that means a place only behind a word such as "in", or beside a region. */
  needs_cue?: true;
}

/** Cities of the table whose names are everyday words, first names or trade words. */
export const ORDINARY: ReadonlySet<string> = new Set(
  ("mobile|golden|bend|gilbert|chandler|rogers|franklin|jackson|lincoln|edison|frederick|henderson|" +
    "richardson|irving|carmel|fishers|meridian|aurora|concord|mesa|paris|sandy|draper|milton|newton|" +
    "bedford|andover|hollywood|trenton|salem|troy|athens|dover|windsor|victoria|regina|brandon|surrey|" +
    "richmond|hamilton|granby|dieppe|peoria|eugene|melbourne|sydney|london|vienna|norfolk|naples|" +
    "lancaster|cambridge|oxford|reading|milan|dublin|buffalo|boulder|phoenix|columbus|orange county|" +
    "reno|providence|paris|marina|markham|golden|york|waterloo|kingston|burlington|alexandria|savannah|" +
    "augusta|long island|columbia|lafayette|springfield|charleston|greenville|brentwood|portsmouth|" +
    "saint george|saint laurent|lexington|bloomington|rochester|syracuse|albany|bangor|quincy|lowell")
    .split("|"),
);
/** Those of them that are the plain name of a large city: capitals are enough. */
export const LARGE: ReadonlySet<string> = new Set(
  ("phoenix|columbus|buffalo|boulder|hamilton|london|windsor|victoria|regina|richmond|surrey|cambridge|" +
    "providence|reno|lexington|rochester|syracuse|albany|burlington|waterloo|kingston|markham|savannah|" +
    "charleston|springfield|greenville|bloomington|columbia").split("|"),
);

/** Demonyms by region code or city. */
const DEMONYMS: Readonly<Record<string, string>> = {
  "CA-QC": "quebecois|quebecoise|quebecoises|quebecer|quebecers",
  "CA-ON": "ontarian|ontarians|ontarien|ontariens|ontarienne|ontariennes",
  "CA-AB": "albertan|albertans|albertain|albertains|albertaine|albertaines",
  "US-CA": "californian|californians|californien|californiens|californienne|californiennes",
  "US-TX": "texan|texans|texane|texanes",
  "US-FL": "floridian|floridians",
  montreal: "montrealais|montrealaise|montrealaises|montrealer|montrealers",
  toronto: "torontois|torontoise|torontoises|torontonian|torontonians",
  "new york": "new yorkais|new yorkaise|new yorkaises|new yorker|new yorkers",
};

function demonyms(): [string, NamedPlace][] {
  return Object.entries(DEMONYMS).flatMap(([place, names]) => {
    const [country, code] = place.split("-") as [Country, string | undefined];
    const meaning: NamedPlace = code === undefined
      ? { level: "city", any: termsOfCity(place), countries: [] }
      : regionOf(country, code);
    return names.split("|").map((name): [string, NamedPlace] => [name, meaning]);
  });
}

/** Names that are more than one place, or that no table of cities has. */
const FURTHER: readonly [string, NamedPlace][] = [
  ["new york", {
    level: "city",
    any: ["city:new york", `metro:${metroKey("new york")}`, "region:US-NY"],
    countries: ["US"],
  }],
  ["la", { level: "city", any: termsOfCity("los angeles"), countries: ["US"], needs_cue: true }],
  ["st louis", { level: "city", any: termsOfCity("saint louis"), countries: ["US"] }],
  ["washington", regionOf("US", "WA")],
  ["washington dc", {
    level: "city",
    any: ["city:washington", "metro:washington dc", "region:US-DC"],
    countries: ["US"],
  }],
  ["washington d c", {
    level: "city",
    any: ["city:washington", "metro:washington dc", "region:US-DC"],
    countries: ["US"],
  }],
  ["quebec", regionOf("CA", "QC")],
  ["quebec city", { level: "city", any: termsOfCity("quebec"), countries: ["CA"] }],
  ["ville de quebec", { level: "city", any: termsOfCity("quebec"), countries: ["CA"] }],
  ["new england", statesOf("CT MA ME NH RI VT")],
  ["west coast", statesOf("CA OR WA")],
  ["east coast", statesOf("CT DC DE FL GA MA MD ME NC NH NJ NY PA RI SC VA VT")],
  ["pacific northwest", statesOf("OR WA")],
  ["socal", regionOf("US", "CA")],
  ["norcal", regionOf("US", "CA")],
  ...demonyms(),
  ["puerto rico", regionOf("US", "PR")],
  ["maritimes", {
    level: "region",
    any: ["NB", "NS", "PE"].map((code) => `region:CA-${code}`),
    countries: ["CA"],
  }],
  ["atlantic canada", {
    level: "region",
    any: ["NB", "NS", "PE", "NL"].map((code) => `region:CA-${code}`),
    countries: ["CA"],
  }],
];

/** Abbreviations of states and provinces that are no codes, with a full stop or behind a city. */
const ABBREVIATED: Readonly<Record<string, string>> = {
  "US-AL": "ala",
  "US-AZ": "ariz",
  "US-AR": "ark",
  "US-CA": "calif|cali",
  "US-CO": "colo",
  "US-CT": "conn",
  "US-DE": "del",
  "US-FL": "fla",
  "US-IL": "ill",
  "US-IN": "ind",
  "US-KS": "kan|kans",
  "US-MA": "mass",
  "US-MI": "mich",
  "US-MN": "minn",
  "US-MS": "miss",
  "US-MT": "mont",
  "US-NE": "neb|nebr",
  "US-NV": "nev",
  "US-ND": "n dak",
  "US-OK": "okla",
  "US-OR": "ore|oreg",
  "US-PA": "penn|penna",
  "US-SD": "s dak",
  "US-TN": "tenn",
  "US-TX": "tex",
  "US-WA": "wash",
  "US-WI": "wis|wisc",
  "US-WY": "wyo",
  "CA-ON": "ont",
  "CA-QC": "que",
  "CA-AB": "alta",
  "CA-SK": "sask",
  "CA-MB": "man",
};

/** States and provinces by their abbreviations. */
export const ABBREVIATIONS: ReadonlyMap<string, NamedPlace> = new Map(
  Object.entries(ABBREVIATED).flatMap(([place, names]) => {
    const [country, code] = place.split("-") as [Country, string];
    return names.split("|").map((name) => [name, regionOf(country, code)] as const);
  }),
);

/** Abbreviations that are hardly ever anything else. */
export const CLEAR_ABBREVIATIONS: ReadonlySet<string> = new Set(
  ["calif", "ariz", "okla", "oreg", "penna", "wyo", "nebr", "sask"],
);

/** States and provinces by code. */
export const REGION_OF_CODE: ReadonlyMap<string, NamedPlace> = regionsByCode();

function regionsByCode(): Map<string, NamedPlace> {
  const codes = new Map<string, NamedPlace>();
  for (const country of ["CA", "US"] as const) {
    for (const code of Object.keys(REGION_NAMES[country])) {
      codes.set(code, regionOf(country, code));
    }
  }
  return codes;
}

function statesOf(codes: string): NamedPlace {
  const any = codes.split(" ").map((code) => `region:US-${code}`);
  return { level: "region", any, countries: ["US"] };
}

function regionOf(country: Country, code: string): NamedPlace {
  return { level: "region", any: [`region:${country}-${code}`], countries: [country] };
}

/** First words of places that are often shortened. */
const SHORT_WORDS: Readonly<Record<string, string>> = {
  fort: "ft",
  mount: "mt",
  mountain: "mtn",
  saint: "st",
};

function placesByName(): Map<string, NamedPlace> {
  const places = new Map<string, NamedPlace>();
  const keyOf = (name: string) =>
    wordsOf(name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase())
      .map(({ text }) => text).join(" ");
  for (const country of ["US", "CA"] as const) {
    for (const [code, list] of Object.entries(CITY_NAMES[country])) {
      for (const spellings of list.split("|")) addCity(places, { country, code, spellings, keyOf });
    }
  }
  for (const country of ["US", "CA"] as const) {
    for (const [code, names] of Object.entries(REGION_NAMES[country])) {
      for (const name of names.split("|")) places.set(keyOf(name), regionOf(country, code));
    }
  }
  for (const { key, names, cities } of METROS) {
    const countries = [
      ...new Set(Object.keys(cities).map((region) => region.slice(0, 2) as Country)),
    ];
    const metro: NamedPlace = { level: "metro", any: [`metro:${key}`], countries };
    for (const name of names.split("|")) places.set(name, metro);
  }
  for (const [name, place] of FURTHER) places.set(name, place);
  for (const [name, place] of [...places]) {
    const short = name.replace(/^(?:fort|mount|saint|mountain)(?= )/, (word) => SHORT_WORDS[word]!);
    if (!places.has(short)) places.set(short, place);
  }
  return places;
}

function addCity(
  places: Map<string, NamedPlace>,
  { country, code, spellings, keyOf }: {
    country: Country;
    code: string;
    spellings: string;
    keyOf(name: string): string;
  },
): void {
  for (const spelling of spellings.split("=")) {
    const name = keyOf(spelling.replace("*", ""));
    const key = cityKey(name);
    const countries = spelling.includes("*") ? [] : [country];
    const isOne = !name.includes(" ");
    const needsCue = isOne && (spelling.includes("*") || ORDINARY.has(name)) ||
      name.length < 3 && name !== "sf";
    const known = places.get(name);
    const regions = [...known?.regions ?? [], `region:${country}-${code}`];
    if (known !== undefined && spelling.includes("*")) {
      places.set(name, { ...known, regions });
      continue;
    }
    places.set(name, {
      regions,
      level: "city",
      any: termsOfCity(key),
      countries: countries as Country[],
      ...needsCue ? { needs_cue: true as const } : {},
    });
  }
}

/** Places by their folded names. */
export const PLACES: ReadonlyMap<string, NamedPlace> = placesByName();

/** The first words of the names of places. */
export const FIRST_WORDS: ReadonlySet<string> = new Set(
  [...PLACES.keys()].map((name) => name.split(" ", 1)[0]!),
);
