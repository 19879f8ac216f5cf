/** Mentions in a query that tables list: quotations, hostnames, negations, countries, kinds, sectors. */
import type { Country, Kind } from "../../contract/vocabulary.ts";
import { COUNTRIES } from "../../contract/vocabulary.ts";
import { normalizeHostname } from "../../contract/hostname.ts";
import { words } from "../engine/text.ts";
import {
  COUNTRY_ADJECTIVES,
  COUNTRY_NAMES,
  LARGER,
  REGION_CODES,
  REGIONS,
  UNITED_STATES,
  WHERE,
} from "./countries.ts";
import { DEMAND_ONLY, DEMAND_WORDS, KIND_WORDS } from "./kind_words.ts";
import { findNegations, isCertain, mayBeName, negationBefore } from "./negation.ts";
import { anyOf, patternsOf, Reading } from "./passages.ts";
import { SECTOR_WORDS, WHOLE_SECTOR_WORDS } from "./sector_words.ts";

/** Maximum number of phrases, of exclusions and of hostnames that are read from a query. */
export const PARTS_MAX = 8;
/** Maximum number of words in a phrase or exclusion. */
export const PHRASE_WORDS_MAX = 8;

/** Pattern of each kind of observation. */
export const KIND_PATTERNS = patternsOf(KIND_WORDS);
/** Pattern of each class of demand. */
export const DEMAND_PATTERNS = patternsOf(DEMAND_WORDS);
const SECTOR_PATTERN = new RegExp(anyOf(...SECTOR_WORDS), "gu");
/** Pattern of what names a sector as a whole. */
export const WHOLE_SECTOR_PATTERNS = patternsOf(WHOLE_SECTOR_WORDS);
/** Patterns of each country: its names, adjectives, and states or provinces. */
const COUNTRY_PATTERNS = [COUNTRY_NAMES, COUNTRY_ADJECTIVES, REGIONS].flatMap(patternsOf);
const LARGER_PATTERN = new RegExp(anyOf(LARGER), "gu");
const WHERE_PATTERN = new RegExp(
  `(?<![\\p{L}\\p{N}])${WHERE}(?:${
    Object.values(COUNTRY_NAMES).map((names) => anyOf(...names)).join("|")
  }|` +
    `${anyOf("us; u.s")}\\.?)`,
  "gu",
);
/** Pattern of words that tell of a demand and are not worth a search. */
export const DEMAND_NOISE = new RegExp(anyOf(DEMAND_ONLY), "gu");

/** Pattern of text in straight, curly or French quotation marks. */
const QUOTED = /"([^"]+)"|“([^”]+)”|«([^»]+)»/gu;

/** Reads quotations as phrases. Behind a negation, they are exclusions. */
export function readQuotes(reading: Reading) {
  const phrases: string[][] = [];
  const unwanted: string[][] = [];
  for (const passage of reading.find(QUOTED, "cased")) {
    const negated = negationBefore(reading, passage);
    if (negated === undefined) reading.take(passage);
    else reading.exclude({ start: negated, end: passage.end });
    const quoted = words(passage.groups.find((group) => group !== undefined)!);
    if (quoted.length === 0) continue;
    (negated === undefined ? phrases : unwanted).push(quoted.slice(0, PHRASE_WORDS_MAX));
  }
  return { phrases: phrases.slice(0, PARTS_MAX), unwanted };
}

/** Pattern of the scheme of a copied URL. */
const SCHEME = /(?<![\p{L}\p{N}])https?:\/\//gu;

/** Pattern of a hostname. Its known endings tell it from "node.js" and "e.g." */
const HOSTNAME =
  /(?<![\p{L}\p{N}@._-])((?:[\p{L}\p{N}-]+\.)+(?:com|net|org|ca|us|io|co|gov|edu|info|biz|fr|uk|eu|app|dev|ai|tech|quebec|coop|example))(?![\p{L}\p{N}@_-]|\.[\p{L}\p{N}])/gu;

/** Reads and normalizes hostnames. Drops those behind a negation. */
export function readHostnames(reading: Reading): string[] {
  for (const passage of reading.find(SCHEME)) reading.drop(passage);
  const hostnames = new Set<string>();
  for (const passage of reading.find(HOSTNAME)) {
    const negated = negationBefore(reading, passage);
    if (negated !== undefined) {
      reading.exclude({ start: negated, end: passage.end });
      continue;
    }
    reading.take(passage);
    const hostname = normalizeHostname(passage.groups[0]!);
    if (hostname !== undefined) hostnames.add(hostname);
  }
  return [...hostnames].slice(0, PARTS_MAX);
}

/**
 * Reads negations. An unwanted country or kind tells which others are wanted. Other words are
 * excluded.
 *
 * @returns `certain` is true if a negation is beyond doubt
 */
export function readNegations(reading: Reading) {
  const excluded: string[][] = [];
  const countries: Country[] = [];
  const kinds: Kind[] = [];
  // What is excluded by now is a quotation, hostname, place or round behind a negation.
  let certain = reading.wanted !== reading.query;
  for (const passage of findNegations(reading)) {
    if (mayBeName(reading, passage) && !beginsKnown(passage.groups[0]!)) continue;
    certain ||= isCertain(reading, passage);
    for (const object of passage.groups.filter((group) => group !== undefined)) {
      // Only the case tells US from us.
      const written = new Reading(reading.kept.slice(passage.start, passage.end));
      const named = readCountries(written);
      const kind = found(KIND_PATTERNS, new Reading(object));
      certain ||= named.length + kind.length > 0 ||
        new Reading(object).find(SECTOR_PATTERN).length > 0;
      if (named.length > 0) countries.push(...named);
      else if (kind.length > 0) kinds.push(...kind);
      else excluded.push(words(object).slice(0, PHRASE_WORDS_MAX));
    }
    reading.exclude(passage);
  }
  const telling = excluded.filter((words) => words.length > 0);
  return { excluded: telling.slice(0, PARTS_MAX), countries, kinds, certain };
}

/**
 * Returns whether an object begins with a known phrase: "not construction projects" does, "Sans
 * Souci hotel" does not.
 */
function beginsKnown(object: string): boolean {
  const reading = new Reading(object);
  return [...KIND_PATTERNS, ...COUNTRY_PATTERNS].map(([, pattern]) => pattern)
    .concat(SECTOR_PATTERN)
    .some((pattern) => reading.find(pattern).some(({ start }) => start === 0));
}

/** Reads the countries that a query names, also by their states and provinces. */
export function readCountries(reading: Reading): Country[] {
  const countries = new Set<Country>();
  for (const passage of reading.find(LARGER_PATTERN)) reading.take(passage);
  for (const country of COUNTRIES) {
    if (named(REGION_CODES[country], reading, "cased")) countries.add(country);
  }
  if (/[a-z]/.test(reading.kept) && named(UNITED_STATES, reading, "cased")) countries.add("US");
  for (const country of found(COUNTRY_PATTERNS, reading)) countries.add(country);
  for (const passage of reading.find(WHERE_PATTERN)) {
    const written = reading.kept.slice(passage.start, passage.end);
    if (!/\bus\b|\bu\.s\b/.test(written)) reading.drop(passage);
  }
  return [...countries].sort();
}

/**
 * Returns whether a pattern occurs in the unread rest, and marks its passages as names, except for
 * what its groups capture.
 */
function named(pattern: RegExp, reading: Reading, text: "rest" | "cased" = "rest"): boolean {
  const passages = reading.find(pattern, text);
  for (const passage of passages) {
    let start = passage.start;
    for (const group of passage.groups) {
      if (!group) continue;
      const at = reading.rest.indexOf(group, start);
      if (at < 0 || at + group.length > passage.end) continue;
      reading.name({ start, end: at });
      start = at + group.length;
    }
    reading.name({ start, end: passage.end });
  }
  return passages.length > 0;
}

/** Returns the names whose pattern occurs in the unread rest, in the order of the patterns. */
export function found<Name extends string>(
  patterns: readonly [Name, RegExp][],
  reading: Reading,
): Name[] {
  return patterns.filter(([, pattern]) => named(pattern, reading)).map(([name]) => name);
}

/** Returns the named values without the unwanted ones. If only unwanted ones are named, returns all others. */
export function preferred<Name>(
  named: readonly Name[],
  { unwanted, all }: { unwanted: readonly Name[]; all: readonly Name[] },
): Name[] {
  const base = named.length > 0 || unwanted.length === 0 ? named : all;
  return base.filter((name) => !unwanted.includes(name));
}
