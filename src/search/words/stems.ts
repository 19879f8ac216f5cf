/** Stems words. A stem is the same for all forms of a word in its language. */
import { stemmer as stemEnglish } from "@orama/stemmers/english";
import { stemmer as stemFrench } from "@orama/stemmers/french";
import type { Language } from "./language.ts";
import ownStems from "./own_stems.txt" with { type: "text" };

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
 * Number of words of a language whose stems are remembered. Stemming the words of the hand-written
 * table again took 170 ms without the memo, and 4 ms with it.
 */
const MEMO_SIZE = 1 << 16;

const memos: Readonly<Record<Language, Map<string, string>>> = { en: new Map(), fr: new Map() };

/**
 * English words to which the Porter algorithm gives the stem of another word, each with a stem of its
 * own: without them, "interns" finds "international", and "organic" finds every organization. A line
 * of own_stems.txt is a stem and its words.
 */
const OWN_STEMS: ReadonlyMap<string, string> = new Map(
  ownStems.trimEnd().split("\n").map((line) => line.split(" "))
    .flatMap(([own, ...words]) => words.map((word) => [word, own!] as const)),
);

/** Returns the stem of a word, without accents. The word may have accents and capital letters. */
export function stem(word: string, language: Language): string {
  if (word.length > LETTERS_MAX) return fold(word).slice(0, LETTERS_MAX);
  const memo = memos[language];
  let result = memo.get(word);
  if (result === undefined) {
    const lower = word.toLowerCase();
    const folded = fold(lower);
    result = language === "fr"
      ? fold(stemFrench(lower))
      : OWN_STEMS.get(folded) ?? fold(stemEnglish(folded));
    // Frequent words come back soon after the memo has been emptied.
    if (memo.size >= MEMO_SIZE) memo.clear();
    memo.set(word, result);
  }
  return result;
}
