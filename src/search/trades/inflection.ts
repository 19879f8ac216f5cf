/**
 * Removes number and gender from words. The stems of the engine remove more: news and new have the
 * same stem, as do customs and custom, or training and train. Such stems would select wrong
 * synonyms.
 */
import type { Language } from "../engine/words.ts";

/** Words that have another meaning without their final s. */
const SINGULAR_ONLY: ReadonlySet<string> = new Set(["news", "customs", "goods", "arms"]);

type Rule = readonly [ending: RegExp, replacement: string];

/** Rules that remove a plural. The first rule that matches is applied. */
const ENGLISH_NUMBER: readonly Rule[] = [
  [/(?<=..)ies$/, "y"],
  [/(?<=ss|x|ch|sh|zz)es$/, ""],
  [/(?<=[^ao]us)es$/, ""],
  [/(?<=[^sui])s$/, ""],
];

const FRENCH_NUMBER: readonly Rule[] = [
  [/(?<=eau)x$/, ""],
  [/(?<=..)aux$/, "al"],
  [/(?<=[iy])au$/, "al"],
  [/[sx]$/, ""],
];

/** Last letters to which a rule of FRENCH_NUMBER may apply. */
const FRENCH_NUMBER_ENDS: ReadonlySet<string> = new Set(["s", "x", "u"]);

/** Rules that remove a feminine ending. Each applies only to words that end in e. */
const FRENCH_GENDER: readonly Rule[] = [
  [/(?<=..i)ere$/, "er"],
  [/(?<=..)enne$/, "en"],
  [/(?<=...)elle$/, "el"],
  [/(?<=...)ale$/, "al"],
  [/(?<=...)ive$/, "if"],
  [/(?<=...)trice$/, "teur"],
  [/(?<=....)ante$/, "ant"],
  [/(?<=....)ente$/, "ent"],
  [/(?<=...)cate$/, "cat"],
];

/** Max number of letters of a word that is always left unchanged. */
const SHORT_WORD = 3;

/**
 * Returns a word without the endings of number and gender.
 *
 * @param word folded word
 */
export function baseOf(word: string, language: Language): string {
  if (word.length <= SHORT_WORD || SINGULAR_ONLY.has(word)) return word;
  const last = word.at(-1)!;
  if (language === "english") return last === "s" ? applyFirst(ENGLISH_NUMBER, word) : word;
  const singular = FRENCH_NUMBER_ENDS.has(last) ? applyFirst(FRENCH_NUMBER, word) : word;
  return singular.endsWith("e") ? applyFirst(FRENCH_GENDER, singular) : singular;
}

function applyFirst(rules: readonly Rule[], word: string): string {
  for (const [ending, replacement] of rules) {
    if (ending.test(word)) return word.replace(ending, replacement);
  }
  return word;
}
