/**
 * Stems words. A stem is the same for the inflections of a word: numbers, genders, and the forms of
 * regular verbs, except those in SEPARATE. Stemmers that also remove derivations give "generator" and
 * "generation" one stem, and charge one for the other. Words that are derived from each other are
 * similar words instead.
 */
import { memoized } from "../../memoized.ts";
import separate from "./separate.txt" with { type: "text" };

/** Languages whose words the index stems: English, and French as it is written in Canada. */
export const LANGUAGES = ["en", "fr"] as const;

export type Language = (typeof LANGUAGES)[number];

const ACCENTS = /\p{M}+/gu;

/** Returns a word in lower case without accents; ligatures become two letters. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\x20-\x7e]*$/.test(lower)) return lower;
  return lower.normalize("NFKD").toLowerCase().replace(ACCENTS, "").replaceAll("œ", "oe")
    .replaceAll("æ", "ae")
    .replaceAll("ß", "ss").replaceAll("ø", "o").replaceAll("’", "'");
}

/** Number of letters from which a word is not stemmed, because it is no word of a language. */
const LETTERS_MAX = 40;

/**
 * Max number of stems that are kept, per language. The records of all sources have 40,000 distinct
 * words. With this number, 1.3 % of their words were not among those kept (2026-11-29).
 */
const STEMS_MAX = 32_768;

/** Returns the stem of a word, without accents. The word may have accents and capital letters. */
export function stem(word: string, language: Language): string {
  return STEMS[language](word);
}

const STEMS: Readonly<Record<Language, (word: string) => string>> = {
  en: memoized((word) => stemmed(word, stemEnglish), STEMS_MAX),
  fr: memoized((word) => stemmed(word, stemFrench), STEMS_MAX),
};

function stemmed(word: string, stemFolded: (folded: string) => string): string {
  const folded = fold(word);
  if (folded.length > LETTERS_MAX) return folded.slice(0, LETTERS_MAX);
  // "GPS" is no plural.
  return folded.length < 4 || UNCHANGED.has(folded) ? folded : stemFolded(folded);
}

/** Pattern of one short syllable. Without its "e", "wine" would have the stem of "win". */
const SHORT = /^[^aeiou]*[aeiouy][^aeiouwxy]$/;

/** Words that mean something else than the words of which they have the form, in either language. */
const UNCHANGED: ReadonlySet<string> = new Set(["news", "customs", "cours"]);

/** Words in -ing that have little to do with the noun without it: "parking". See separate.py. */
const SEPARATE: ReadonlySet<string> = new Set(separate.trimEnd().split("\n"));

/** Tells whether a word keeps its -ing, and another one is a form without it: "parking", "parks". */
export function isSeparate(word: string, form: string): boolean {
  return SEPARATE.has(word) && stemEnglish(form) === stemEnglish(`${word.slice(0, -3)}ed`);
}

/**
 * Stems an English word by the first step of the Porter algorithm (M. F. Porter, "An algorithm for
 * suffix stripping", 1980), and by its rules about a last "e" and a double "l".
 */
function stemEnglish(word: string): string {
  const singular = word.replace(/(ss|^bus|^gas)es$/, "$1").replace(/ies$/, "y");
  let stem = singular.replace(/([^su])s$/, "$1");
  const root = /^(.{3,}?)(?:(?<!e)ed|ing)$/.exec(stem)?.[1];
  if (root !== undefined && !SEPARATE.has(stem) && /[aeiouy]/.test(root)) {
    stem = SHORT.test(root) ? `${root}e` : root.replace(/([^aeioulsz])\1$/, "$1");
  }
  if (stem.endsWith("e") && !SHORT.test(stem.slice(0, -1))) stem = stem.slice(0, -1);
  return stem.replace(/([aeiouy][^aeiouy]+[aeiouy]l)l$/, "$1").replace(/([^aeiou])y$/, "$1i");
}

/**
 * Stems a French word by the minimal stemmer of J. Savoy ("A stemming procedure and stopword list for
 * general French corpora", 1999), and joins the genders of professions: "infirmière", "directrice".
 */
function stemFrench(word: string): string {
  const singular = word.replace(/(?<=..)(?<!e)aux$/, "al").replace(/[sx]$/, "");
  // "Taxes" has the stem of "taxe".
  if (singular.length < 5) return singular;
  const stem = singular.replace(/iere$/, "ier").replace(/euse$/, "eur").replace(/trice$/, "teur")
    .replace(/r$/, "").replace(/ee?$/, "");
  return stem.length > 4 ? stem.replace(/(.)\1$/, "$1") : stem;
}
