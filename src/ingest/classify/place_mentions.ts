/** Finds the names and codes of places in a text, in order, with the possible meanings of each. */
import type { Country } from "../../contract/vocabulary.ts";
import { wordLists } from "../text/word_lists.ts";
import { CITY_NAMES, REGION_NAMES, TERRITORIES, territoryOf } from "./gazetteer.ts";
import table from "./place_names.txt" with { type: "text" };

/** Names of places beside those of the gazetteer. */
const LISTS = wordLists<Country | "cities_elsewhere" | "elsewhere" | "worldwide" | "both">(
  table,
  /[|\n]/,
);

/**
 * State and province codes that employers write after a city in two senses: for the region, and for
 * a country with that code.
 */
const AMBIGUOUS_CODES: ReadonlySet<string> = new Set([
  ..."AR CA CO DE ID IL IN NL PE SK".split(" "),
  ...Object.keys(TERRITORIES),
]);

/** A country other than Canada and the United States, or several countries at once. */
export type Elsewhere = "elsewhere";

/** One meaning of a name. */
export interface MentionMeaning {
  country: Country | Elsewhere;
  /** Part of an ISO 3166-2 code after the country: "QC", "NY". */
  region?: string;
  city?: string;
  /**
   * True if the name has this meaning only next to a consistent name, such as that of its region.
   */
  needs_support?: true;
}

/** One name or code in a text. */
export interface Mention {
  start: number;
  end: number;
  meanings: readonly MentionMeaning[];
  /** True for the name of a city that many cities share. The city can be in any region. */
  is_common?: true;
  /**
   * True for "North America". It means both countries, unless an adjacent name restricts it to one.
   */
  is_both?: true;
  /** True for "Worldwide", which does not name a place. */
  is_worldwide?: true;
}

type PlaceName = Omit<Mention, "start" | "end">;

/**
 * Returns a text without accents, and with plain apostrophes and spaces. Keeps upper and lower
 * case.
 */
export function plainOf(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[’‘]/gu, "'").replace(/\s/gu, " ");
}

/** Finds the mentions of places in a text that plainOf() has folded. */
export function mentionsOf(plain: string): Mention[] {
  const named = [...namedIn(plain), ...tokensIn(plain)].sort((a, b) =>
    a.start - b.start || b.end - a.end
  );
  const mentions: Mention[] = [];
  for (const mention of named) {
    if (mention.start >= (mentions.at(-1)?.end ?? 0)) mentions.push(mention);
  }
  for (const code of codesIn(plain, mentions)) mentions.push(code);
  return mentions.sort((a, b) => a.start - b.start);
}

const EDGE_BEFORE = "(?<![\\p{L}\\p{N}])";
const EDGE_AFTER = "(?![\\p{L}\\p{N}])";

/** Countries and groups of countries by the names that texts use, in English and French. */
export const COUNTRIES_BY_NAME: ReadonlyMap<string, Country | Elsewhere> = countriesByName();

/** Names of places by their folded form in lower case. */
const NAMES: ReadonlyMap<string, PlaceName> = namesByText();
/** Abbreviations that count only in capitals. */
const TOKENS: ReadonlyMap<string, PlaceName> = tokensByText();
/** Codes of states and provinces. */
const CODES: ReadonlyMap<string, PlaceName> = codesByText();

/**
 * Matches names. The longest alternative comes first, so that "New Mexico" is not read as "Mexico".
 */
const NAME = new RegExp(`${EDGE_BEFORE}(?:${alternatives(NAMES.keys())})${EDGE_AFTER}`, "gu");
const TOKEN = new RegExp(`${EDGE_BEFORE}(?:${alternatives(TOKENS.keys())})${EDGE_AFTER}`, "gu");
const CANADIAN_POSTAL_CODE = new RegExp(
  `${EDGE_BEFORE}[ABCEGHJ-NPRSTVXY]\\d[A-Z] ?\\d[A-Z]\\d${EDGE_AFTER}`,
  "gu",
);
const CALIFORNIAN_ZIP_CODE = new RegExp(`${EDGE_BEFORE}CA,? 9[0-6]\\d{3}(?!\\d)`, "gu");
const CODE = new RegExp(`${EDGE_BEFORE}[A-Z]{2}${EDGE_AFTER}`, "gu");

function* namedIn(plain: string): Generator<Mention> {
  const lower = plain.toLowerCase();
  // In a text with capitals, names in small letters are other words: "mobile", "reading".
  const hasCapitals = lower !== plain;
  for (const { 0: text, index: start } of lower.matchAll(NAME)) {
    const name = NAMES.get(text)!;
    const isCity = name.meanings.some(({ city }) => city !== undefined);
    if (isCity && hasCapitals && !/\p{Lu}/u.test(plain[start]!)) continue;
    yield { start, end: start + text.length, ...name };
  }
}

function* tokensIn(plain: string): Generator<Mention> {
  for (const { 0: text, index: start } of plain.matchAll(TOKEN)) {
    yield { start, end: start + text.length, ...TOKENS.get(text)! };
  }
  for (const { 0: text, index: start } of plain.matchAll(CANADIAN_POSTAL_CODE)) {
    yield { start, end: start + text.length, meanings: [{ country: "CA" }] };
  }
  for (const { 0: text, index: start } of plain.matchAll(CALIFORNIAN_ZIP_CODE)) {
    yield { start, end: start + text.length, meanings: [{ country: "US", region: "CA" }] };
  }
}

/**
 * Matches the text that may precede a code. "ON-SITE" and "NY OR LA" do not name Ontario or Oregon.
 */
const CODE_BEFORE = /(?:^|[,;:(/|•&+–—]|\s-|\b(?:USA?|CAN?)-|\b(?:or|and|ou|et))\s*$/;
const CODE_AFTER =
  /^(?:\s*(?:$|[,;:)/|•&+(–—])|\s-|-(?:[A-Z]{2}\b|[A-Z][a-z])|\s+(?:or|and|ou|et|USA?|Canada|United)\b|\s[\dA-Z]\d)/;

function* codesIn(plain: string, mentions: readonly Mention[]): Generator<Mention> {
  const ends = new Set(mentions.map(({ end }) => end));
  for (const { 0: text, index: start } of plain.matchAll(CODE)) {
    const end = start + text.length;
    const name = CODES.get(text);
    if (name === undefined) continue;
    if (mentions.some((mention) => mention.start < end && start < mention.end)) continue;
    const before = plain.slice(0, start);
    const isPreceded = CODE_BEFORE.test(before) || ends.has(before.trimEnd().length);
    if (isPreceded && CODE_AFTER.test(plain.slice(end))) yield { start, end, ...name };
  }
}

function namesByText(): Map<string, PlaceName> {
  const names = new Map<string, PlaceName>();
  const add = (text: string, meaning: MentionMeaning, more: Partial<PlaceName> = {}) => {
    const key = plainOf(text).toLowerCase();
    const { meanings = [], ...known } = names.get(key) ?? {};
    names.set(key, { meanings: [...meanings, meaning], ...known, ...more });
  };
  for (const [name, country] of COUNTRIES_BY_NAME) add(name, { country });
  for (const text of LISTS.both) {
    add(text, { country: "CA" }, { is_both: true });
    add(text, { country: "US" }, { is_both: true });
  }
  for (const text of LISTS.worldwide) {
    add(text, { country: "elsewhere" }, { is_worldwide: true });
  }
  for (const country of ["US", "CA"] as const) {
    for (const text of LISTS[country]) add(text, { country });
    for (const [region, texts] of Object.entries(REGION_NAMES[country])) {
      for (const text of texts.split("|")) {
        if (text.startsWith("*")) {
          add(text.slice(1), { country, region, needs_support: true });
          add(text.slice(1), { country: "elsewhere", needs_support: true });
        } else add(text, { country, region });
      }
    }
    for (const { name, city, region, is_common } of citiesOf(country)) {
      if (isToken(name)) continue;
      if (is_common) add(name, { country, region, city, needs_support: true }, { is_common });
      else add(name, { country, region, city });
    }
  }
  for (const text of LISTS.cities_elsewhere) {
    const city = text.replace("*", "");
    if (city === text) add(city, { country: "elsewhere", city }, { is_common: true });
    else add(city, { country: "elsewhere", city, needs_support: true }, { is_common: true });
  }
  // Three names mean both a city and a region.
  add("New York", { country: "US", region: "NY", needs_support: true });
  add("Washington", { country: "US", region: "WA" });
  add("Washington", { country: "US", region: "DC", city: "Washington" });
  add("Quebec", { country: "CA", region: "QC" });
  add("Quebec", { country: "CA", region: "QC", city: "Québec", needs_support: true });
  return preferLargeCities(names);
}

/**
 * Drops `is_common` from a name with a sure meaning in Canada or the United States, such as Kansas
 * City. Next to a region without a listed city of this name, the name is then not taken for an
 * unlisted city of that region.
 */
function preferLargeCities(names: Map<string, PlaceName>): Map<string, PlaceName> {
  for (const [text, { is_common, ...name }] of names) {
    const sure = name.meanings.find(({ needs_support }) => !needs_support);
    if (is_common && sure !== undefined && sure.country !== "elsewhere") names.set(text, name);
  }
  return names;
}

function tokensByText(): Map<string, PlaceName> {
  const tokens = new Map<string, PlaceName>();
  const add = (texts: string, meaning: MentionMeaning) => {
    for (const text of texts.split("|")) tokens.set(text, { meanings: [meaning] });
  };
  add("US|USA|U.S.|U.S.A.|U.S|U.S.A", { country: "US" });
  add("CAN", { country: "CA" });
  add("UK|U.K.|U.K|GB|EU|EMEA|APAC|LATAM|UAE|ANZ|DACH|MENA", { country: "elsewhere" });
  for (const country of ["US", "CA"] as const) {
    for (const { name, city, region } of citiesOf(country)) {
      if (isToken(name)) add(name, { country, region, city });
    }
  }
  // After a city, LA is the state: "New Orleans, LA".
  const { meanings } = tokens.get("LA")!;
  tokens.set("LA", {
    meanings: [...meanings, { country: "US", region: "LA", needs_support: true }],
  });
  return tokens;
}

function codesByText(): Map<string, PlaceName> {
  const codes = new Map<string, PlaceName>();
  for (const country of ["US", "CA"] as const) {
    for (const region of Object.keys(REGION_NAMES[country])) {
      if (!AMBIGUOUS_CODES.has(region)) codes.set(region, { meanings: [{ country, region }] });
      else {
        codes.set(region, {
          meanings: [
            { country, region, needs_support: true },
            { country: region === "CA" ? "CA" : "elsewhere", needs_support: true },
          ],
        });
      }
    }
  }
  codes.set("NY", {
    meanings: [
      { country: "US", region: "NY" },
      { country: "US", region: "NY", city: "New York", needs_support: true },
    ],
  });
  return codes;
}

function* citiesOf(country: Country) {
  for (const [region, cities] of Object.entries(CITY_NAMES[country])) {
    for (const texts of cities.split("|")) {
      const spellings = texts.split("=");
      const [first] = spellings;
      const city = first!.replace("*", "").replace(/, DC$/, "").replace(
        / City$/,
        (word) => first === "Québec City" ? "" : word,
      );
      for (const spelling of spellings) {
        const name = spelling.replace("*", "");
        yield { name, city, region, is_common: spelling === name ? undefined : true as const };
      }
    }
  }
}

function isToken(name: string): boolean {
  return /^[A-Z.]{2,4}$/.test(name);
}

function countriesByName(): Map<string, Country | Elsewhere> {
  const countries = new Map<string, Country | Elsewhere>();
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  for (const language of ["en", "fr"]) {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
      const name = names.of(code);
      // Georgia is omitted, because it is also a state. A territory is in REGION_NAMES.
      if (name === undefined || code === "GE" || territoryOf(code) !== undefined) continue;
      const key = plainOf(name).toLowerCase();
      if (!countries.has(key)) {
        countries.set(key, code === "CA" || code === "US" ? code : "elsewhere");
      }
    }
  }
  for (const text of LISTS.elsewhere) countries.set(plainOf(text).toLowerCase(), "elsewhere");
  return countries.set("usa", "US").set("u.s.", "US");
}

function alternatives(names: Iterable<string>): string {
  return [...names].sort((a, b) => b.length - a.length).map(RegExp.escape).join("|");
}
