/**
 * Removes number and gender from words. The stems of the engine go further: news and new have one
 * stem, and so have customs and custom, or training and train. That would choose wrong synonyms.
 */
import type { Language } from "../engine/words.ts";

/** Words whose final s belongs to their meaning. */
const SINGULAR_ONLY: ReadonlySet<string> = new Set(["news", "customs", "goods", "arms"]);

type Rule = readonly [ending: RegExp, replacement: string];

/** The first rule that matches is applied. */
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

/** Each rule removes a final e. */
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

/** Words of three letters or fewer are left as they are. */
const SHORT_WORD = 3;

/**
 * Removes the endings of number and gender.
 *
 * @param word folded
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
