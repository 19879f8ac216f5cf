/** The built-in rules: what a query asks for, in English or French, beside its words. */
import type { Country, Kind } from "../../contract/vocabulary.ts";
import { COUNTRIES, KINDS } from "../../contract/vocabulary.ts";
import { normalizeHostname } from "../../dataset/hostname.ts";
import { words } from "../engine/tokens.ts";
import { DEMAND_ONLY, DEMAND_WORDS, KIND_WORDS } from "./kind_words.ts";
import { findNegations, isCertain, mayBeName, negationBefore } from "./negation.ts";
import { PARTS_MAX, PHRASE_WORDS_MAX, type Plan } from "./plan.ts";
import {
  COUNTRY_ADJECTIVES,
  COUNTRY_NAMES,
  LARGER,
  REGION_CODES,
  REGIONS,
  UNITED_STATES,
  WHERE,
} from "./places.ts";
import { anyOf, patternsOf, Reading } from "./reading.ts";
import { SECTOR_WORDS } from "./sector_words.ts";
import { readTimes } from "./times.ts";

/** What a query wants and does not. */
export interface Wanted {
  /** The query without what it does not want; nothing where it wants all of it. */
  wanted?: string;
  /** Whether nothing but a weak word tells so, of what no rule knows: "without ERP", "not impossible". */
  doubtful: boolean;
}

/** What rules read. */
export interface RulesRead extends Omit<Plan, "terms">, Wanted {
  /** The query without the words that said only this. */
  kept: string;
  /** What remains of it without the names of kinds, places and sectors. */
  unnamed: string;
}

/** Reads a normalized query, its times relative to `now`. Never throws. */
export function readQuery(query: string, now: Date): RulesRead {
  const reading = new Reading(query);
  const { phrases, unwanted } = readQuotes(reading);
  const hostnames = readHostnames(reading);
  const times = readTimes(reading, now);
  const { excluded, countries: notIn, kinds: notOf, certain } = readNegations(reading);
  const countries = readCountries(reading);
  const kinds = found(KIND_PATTERNS, reading);
  const demand_classes = found(DEMAND_PATTERNS, reading);
  for (const passage of reading.find(DEMAND_NOISE)) reading.drop(passage);
  const sectors = found(SECTOR_PATTERNS, reading);
  named(AMOUNT_PATTERN, reading);
  return {
    kept: reading.kept,
    unnamed: reading.unnamed,
    ...wantedOf(reading, certain),
    phrases,
    hostnames,
    named_kinds: kinds.filter((kind) => !notOf.includes(kind)),
    excluded: [...unwanted, ...excluded].slice(0, PARTS_MAX),
    preferences: {
      kinds: preferred(kinds, { unwanted: notOf, all: KINDS }),
      countries: preferred(countries, { unwanted: notIn, all: COUNTRIES }),
      demand_classes,
      sectors,
      occurred_after: times?.after ?? null,
      occurred_before: times?.before ?? null,
    },
  };
}

/** Reads what a normalized query wants, whatever it tells of times. */
export function readWanted(query: string): Wanted {
  const reading = new Reading(query);
  readQuotes(reading);
  readHostnames(reading);
  return wantedOf(reading, readNegations(reading).certain);
}

function wantedOf({ query, wanted }: Reading, certain: boolean): Wanted {
  return wanted === query ? { doubtful: false } : { wanted, doubtful: !certain };
}

const KIND_PATTERNS = patternsOf(KIND_WORDS);
const DEMAND_PATTERNS = patternsOf(DEMAND_WORDS);
const SECTOR_PATTERNS = patternsOf(SECTOR_WORDS);
const NAME_PATTERNS = patternsOf(COUNTRY_NAMES);
const ADJECTIVE_PATTERNS = patternsOf(COUNTRY_ADJECTIVES);
const REGION_PATTERNS = patternsOf(REGIONS);
const PLACE_PATTERNS = [NAME_PATTERNS, ADJECTIVE_PATTERNS, REGION_PATTERNS];
const LARGER_PATTERN = new RegExp(anyOf(LARGER), "gu");
const WHERE_PATTERN = new RegExp(
  `(?<![\\p{L}\\p{N}])${WHERE}(?:${
    Object.values(COUNTRY_NAMES).map((own) => anyOf(...own)).join("|")
  }|` +
    `${anyOf("us; u.s")}\\.?)`,
  "gu",
);
/** An amount of money: a number with a magnitude or a currency, and how it bounds. */
const AMOUNT_PATTERN = new RegExp(
  "(?<![\\p{L}\\p{N}])(?:(?:over|under|above|below|at least|at most|more than|less than|" +
    "plus de|moins de|au moins) )?(?:\\$ ?\\d[\\d.,]*|\\d[\\d.,]* ?(?:k|m|mn|bn|thousand|" +
    "millions?|billions?|milliards?|mille|dollars?|usd|cad|\\$))" +
    "(?: ?(?:k|m|mn|bn|thousand|millions?|billions?|milliards?))?(?: (?:de |of )?(?:dollars?|usd|cad|\\$))?" +
    "(?![\\p{L}\\p{N}])",
  "gu",
);
const DEMAND_NOISE = new RegExp(anyOf(DEMAND_ONLY), "gu");

/** Straight, curly and French quotation marks; what stands between means nothing but itself. */
const QUOTED = /"([^"]+)"|“([^”]+)”|«([^»]+)»/gu;

function readQuotes(reading: Reading) {
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

/** What a hostname is copied with. */
const SCHEME = /(?<![\p{L}\p{N}])https?:\/\//gu;

/** Endings that tell a hostname from node.js and e.g. */
const HOSTNAME =
  /(?<![\p{L}\p{N}@._-])((?:[\p{L}\p{N}-]+\.)+(?:com|net|org|ca|us|io|co|gov|edu|info|biz|fr|uk|eu|app|dev|ai|tech|quebec|coop|example))(?![\p{L}\p{N}@_-]|\.[\p{L}\p{N}])/gu;

function readHostnames(reading: Reading): string[] {
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

/** A country or kind that is not wanted says which others are; other words are excluded. */
function readNegations(reading: Reading) {
  const excluded: string[][] = [];
  const countries: Country[] = [];
  const kinds: Kind[] = [];
  // Quotations and hostnames are excluded by now: what they name is as it stands.
  let certain = reading.wanted !== reading.query;
  for (const passage of findNegations(reading)) {
    if (mayBeName(reading, passage) && !beginsKnown(passage.groups[0]!)) continue;
    certain ||= isCertain(reading, passage);
    for (const object of passage.groups.filter((group) => group !== undefined)) {
      // Its case tells US from us.
      const own = new Reading(reading.kept.slice(passage.start, passage.end));
      const named = readCountries(own);
      const kind = found(KIND_PATTERNS, new Reading(object));
      certain ||= named.length + kind.length > 0 ||
        found(SECTOR_PATTERNS, new Reading(object)).length > 0;
      if (named.length > 0) countries.push(...named);
      else if (kind.length > 0) kinds.push(...kind);
      else excluded.push(words(object).slice(0, PHRASE_WORDS_MAX));
    }
    reading.exclude(passage);
  }
  const told = excluded.filter((own) => own.length > 0);
  return { excluded: told.slice(0, PARTS_MAX), countries, kinds, certain };
}

/** "Not construction projects", but "Sans Souci hotel". */
function beginsKnown(object: string): boolean {
  const reading = new Reading(object);
  return [KIND_PATTERNS, SECTOR_PATTERNS, ...PLACE_PATTERNS].flat()
    .some(([, pattern]) => reading.find(pattern).some(({ start }) => start === 0));
}

function readCountries(reading: Reading): Country[] {
  const countries = new Set<Country>();
  for (const passage of reading.find(LARGER_PATTERN)) reading.take(passage);
  for (const country of COUNTRIES) {
    if (named(REGION_CODES[country], reading, "cased")) countries.add(country);
  }
  if (/[a-z]/.test(reading.kept) && named(UNITED_STATES, reading, "cased")) countries.add("US");
  for (const patterns of PLACE_PATTERNS) {
    for (const country of found(patterns, reading)) countries.add(country);
  }
  for (const passage of reading.find(WHERE_PATTERN)) {
    const written = reading.kept.slice(passage.start, passage.end);
    if (!/\bus\b|\bu\.s\b/.test(written)) reading.drop(passage);
  }
  return [...countries].sort();
}

/** Tells whether a pattern stands in what is left, and notes that these words name something. */
function named(pattern: RegExp, reading: Reading, text: "rest" | "cased" = "rest"): boolean {
  const passages = reading.find(pattern, text);
  for (const passage of passages) reading.name(passage);
  return passages.length > 0;
}

/** The names of which a pattern stands in what is left, in the order of their table. */
function found<Name extends string>(
  patterns: readonly [Name, RegExp][],
  reading: Reading,
): Name[] {
  return patterns.filter(([, pattern]) => named(pattern, reading)).map(([name]) => name);
}

/** What was named without what is not wanted; where only that was named: all others. */
function preferred<Name>(
  named: readonly Name[],
  { unwanted, all }: { unwanted: readonly Name[]; all: readonly Name[] },
): Name[] {
  const base = named.length > 0 || unwanted.length === 0 ? named : all;
  return base.filter((name) => !unwanted.includes(name));
}
