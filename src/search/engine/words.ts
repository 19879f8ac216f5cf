/** Folds and stems single words, and recognizes stop words. */
import { stemmer as stemFrench } from "@orama/stemmers/french";
import { stopwords as englishStopWords } from "@orama/stopwords/english";
import { stopwords as frenchStopWords } from "@orama/stopwords/french";
import { stemUnits } from "./stem_english.ts";

/** Languages that the engine analyzes. */
export const LANGUAGES = ["english", "french"] as const;

export type Language = (typeof LANGUAGES)[number];

/**
 * Max number of letters of a word. Only the beginning of a longer run, such as encoded data, is
 * kept.
 */
export const WORD_LENGTH = 40;

/** Max number of UTF-16 code units of a word that are read. */
export const SIZE_MAX = 2 * WORD_LENGTH + 1;

// deno-lint-ignore no-control-regex
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** Languages of each stop word. */
const STOP_WORDS = new Map<string, readonly Language[]>();

for (
  const [language, list] of [["english", englishStopWords], ["french", frenchStopWords]] as const
) {
  for (const word of new Set(list.flatMap((word) => fold(word).split("'")))) {
    if (word.length > 1) STOP_WORDS.set(word, [...STOP_WORDS.get(word) ?? [], language]);
  }
}

/** Stop words of one language that are content words in the other. They are searched for. */
const CONTENT: ReadonlySet<string> = new Set(["ai", "mes", "ton"]);

/** Abbreviations that are stop words only in small letters: "it", "us". */
const ABBREVIATIONS: ReadonlySet<string> = new Set(["IT", "US"]);

/**
 * Replacements of English stems, for related words to which the rules of stem_english.ts give
 * different stems.
 */
const ENGLISH_STEMS = [
  ["expan", "expand"], // expansion and to expand
  ["wareh", "warehous"], // warehousing and a warehouse
] as const;

const ENGLISH_STEM_SIZE = 5;

const ENGLISH_STEM_GROWTH = 3;

/**
 * Returns a text in small letters, without accents, ligatures and typographic variants. Typographic
 * apostrophes become plain ones.
 */
export function fold(text: string): string {
  return unaccent(text).toLowerCase();
}

/** Removes accents, ligatures and typographic variants, also of apostrophes. The case is kept. */
export function unaccent(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  return text.normalize("NFKD").replace(/\p{M}+/gu, "").replace(/[‘’ʼ]/g, "'")
    .replace(/œ/g, "oe").replace(/Œ/g, "OE").replace(/æ/g, "ae").replace(/Æ/g, "AE");
}

/** Returns the stem of a folded word. Names with signs (node.js, c++) are returned unchanged. */
export function stem(word: string, language: Language): string {
  if (/[.+#]/.test(word)) return word;
  if (language === "french") return stemFrench(word);
  const units = new Uint16Array(word.length + ENGLISH_STEM_GROWTH);
  for (let at = 0; at < word.length; at++) units[at] = word.charCodeAt(at);
  const size = stemEnglishUnits(units, word.length);
  return String.fromCharCode(...units.subarray(0, size));
}

/** Stems an English word in place. @returns the end of the stem */
export function stemEnglishUnits(word: Uint16Array, size: number): number {
  let end = stemUnits(word, size);
  if (end !== ENGLISH_STEM_SIZE) return end;
  for (const [stem, instead] of ENGLISH_STEMS) {
    if (!startsWith(word, stem)) continue;
    for (end = 0; end < instead.length; end++) word[end] = instead.charCodeAt(end);
  }
  return end;
}

function startsWith(word: Uint16Array, stem: string): boolean {
  for (let at = 0; at < stem.length; at++) if (word[at] !== stem.charCodeAt(at)) return false;
  return true;
}

/**
 * Number of sketches (hashes of words). The sketches of all words that need a closer look are
 * marked: stop words, and "net", which may be the name ".net".
 */
const SKETCHES = 1 << 13;

const sketches = new Uint8Array(SKETCHES);

for (const word of [...STOP_WORDS.keys(), "net"]) {
  sketches[sketchOf(Uint16Array.from(word, (letter) => letter.charCodeAt(0)), word.length)] = 1;
}

/** Hashes the length and three letters of a word in small letters. */
function sketchOf(units: Uint16Array, size: number): number {
  const ends = (units[0]! * 31 + units[1]!) * 31 + units[size - 1]!;
  return (ends * 31 + size) & (SKETCHES - 1);
}

/**
 * Tells whether a word is certainly neither a stop word nor "net".
 *
 * @param units two or more letters from a to z
 */
export function isSurelyContent(units: Uint16Array, size: number): boolean {
  return sketches[sketchOf(units, size)] === 0;
}

/** A word of a text after folding. */
export interface Word {
  /** Folded text; empty for stop words and single letters, which are not searched for. */
  text: string;
  /** Language of which the word is a stop word, if there is exactly one; otherwise null. */
  stop_word_of: Language | null;
}

/**
 * Folds a word of a text, and recognizes stop words.
 *
 * @param raw word without accents, with its capital letters; only its first SIZE_MAX units count
 */
export function readWord(raw: string): Word {
  const folded = raw.toLowerCase();
  const languages = STOP_WORDS.get(folded);
  const isStopWord = languages !== undefined && !CONTENT.has(folded) && !ABBREVIATIONS.has(raw);
  return {
    text: folded.length < 2 || isStopWord ? "" : beginningOf(folded),
    stop_word_of: languages?.length === 1 ? languages[0]! : null,
  };
}

function beginningOf(folded: string): string {
  return folded.length <= WORD_LENGTH
    ? folded
    : [...folded.slice(0, 2 * WORD_LENGTH)].slice(0, WORD_LENGTH).join("");
}
