/** Reads the quotations, hostnames and negations of a query. */
import type { Country, Kind } from "../../contract/vocabulary.ts";
import { normalizeHostname } from "../../contract/hostname.ts";
import { words } from "../engine/text.ts";
import { COUNTRY_PATTERNS, readCountries } from "./countries.ts";
import { KIND_PATTERNS } from "./kind_words.ts";
import { findNegations, isCertain, mayBeName, negationBefore } from "./negation.ts";
import { Reading, readNames } from "./passages.ts";
import { SECTOR_PATTERN } from "./sector_words.ts";

/** Maximum number of phrases, of exclusions and of hostnames that are read from a query. */
export const PARTS_MAX = 8;
/** Maximum number of words in a phrase or exclusion. */
export const PHRASE_WORDS_MAX = 8;

/** Pattern of text in straight, curly or French quotation marks. */
const QUOTED = /"([^"]+)"|“([^”]+)”|«([^»]+)»/gu;

/** Reads quotations as phrases. Quotations after a negation are exclusions. */
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

/** Pattern of a hostname. The list of endings excludes "node.js" and "e.g.". */
const HOSTNAME =
  /(?<![\p{L}\p{N}@._-])((?:[\p{L}\p{N}-]+\.)+(?:com|net|org|ca|us|io|co|gov|edu|info|biz|fr|uk|eu|app|dev|ai|tech|quebec|coop|example))(?![\p{L}\p{N}@_-]|\.[\p{L}\p{N}])/gu;

/** Reads and normalizes hostnames. Hostnames after a negation are left out. */
export function readHostnames(reading: Reading): string[] {
  reading.dropAll(SCHEME);
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
 * Reads negations. Returns unwanted countries and kinds apart from other exclusions.
 *
 * @returns `certain` is true if at least one negation certainly excludes something. By contrast,
 * "without ERP" may state a need
 */
export function readNegations(reading: Reading) {
  const excluded: string[][] = [];
  const countries: Country[] = [];
  const kinds: Kind[] = [];
  // Quotations, hostnames, places and rounds after a negation are already excluded here.
  let certain = reading.wanted !== reading.query;
  for (const passage of findNegations(reading)) {
    if (mayBeName(reading, passage) && !beginsKnown(passage.groups[0]!)) continue;
    certain ||= isCertain(reading, passage);
    for (const object of passage.groups.filter((group) => group !== undefined)) {
      // Only capitals distinguish "US" from "us".
      const written = new Reading(reading.kept.slice(passage.start, passage.end));
      const named = readCountries(written);
      const kind = readNames(KIND_PATTERNS, new Reading(object));
      certain ||= named.length + kind.length > 0 ||
        new Reading(object).find(SECTOR_PATTERN).length > 0;
      if (named.length > 0) countries.push(...named);
      else if (kind.length > 0) kinds.push(...kind);
      else excluded.push(words(object).slice(0, PHRASE_WORDS_MAX));
    }
    reading.exclude(passage);
  }
  const phrases = excluded.filter((words) => words.length > 0);
  return { excluded: phrases.slice(0, PARTS_MAX), countries, kinds, certain };
}

/**
 * Returns whether the object of a negation begins with a phrase for a kind, country or sector. The
 * object of "not construction projects" does, and the object of "Sans Souci hotel" does not.
 */
function beginsKnown(object: string): boolean {
  const reading = new Reading(object);
  return [...KIND_PATTERNS, ...COUNTRY_PATTERNS].map(([, pattern]) => pattern)
    .concat(SECTOR_PATTERN)
    .some((pattern) => reading.find(pattern).some(({ start }) => start === 0));
}

/**
 * Returns the named values without the unwanted ones. If no value is named, but some are unwanted,
 * returns all values without the unwanted ones.
 */
export function preferred<Name>(
  named: readonly Name[],
  { unwanted, all }: { unwanted: readonly Name[]; all: readonly Name[] },
): Name[] {
  const base = named.length > 0 || unwanted.length === 0 ? named : all;
  return base.filter((name) => !unwanted.includes(name));
}
