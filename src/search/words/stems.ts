/** Stems words. A stem is the same for all forms of a word in its language. */
import { stemmer as stemEnglish } from "@orama/stemmers/english";
import { stemmer as stemFrench } from "@orama/stemmers/french";
import type { Language } from "./language.ts";

const ACCENTS = /\p{M}+/gu;

/** Returns a word in lower case without accents; ligatures become two letters. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\x20-\x7e]*$/.test(lower)) return lower;
  return lower.normalize("NFKD").replace(ACCENTS, "").replaceAll("œ", "oe").replaceAll("æ", "ae")
    .replaceAll("ß", "ss").replaceAll("ø", "o").replaceAll("’", "'");
}

/** Number of letters from which a word is not stemmed, because it is no word of a language. */
const LETTERS_MAX = 40;

/** Returns the stem of a word, without accents. The word may have accents and capital letters. */
export function stem(word: string, language: Language): string {
  const lower = word.toLowerCase();
  if (lower.length > LETTERS_MAX) return fold(lower).slice(0, LETTERS_MAX);
  return fold(language === "en" ? stemEnglish(fold(lower)) : stemFrench(lower));
}
