/** Tells words that are spelled well from misspelt ones, where no document holds them. */
import { isDictionaryWord } from "../trades/lexicon.ts";
import { isCommonWord } from "./common_words.ts";
import type { KnownTerms } from "./question.ts";

/** Endings of inflected and derived words in English and French. */
const ENDINGS = [
  ..."s es ed ing ings er ers or ors ly ness al ally age ion ions able ant ante ants ment ments"
    .split(" "),
  ..."e ee ees eur eurs euse euses ique iques iste istes aire aires ent ons ez".split(" "),
];
/** Letters of a word that are left before an ending. */
const ROOT_LETTERS_MIN = 4;

/** Returns whether a word is no misspelling: it is common, of a trade, or a form of a known word. */
export function isSpelledWell(word: string, known: KnownTerms): boolean {
  if (isCommonWord(word) || isDictionaryWord(word)) return true;
  return ENDINGS.some((ending) => {
    const root = word.slice(0, -ending.length);
    if (!word.endsWith(ending) || root.length < ROOT_LETTERS_MIN) return false;
    return known.wordFrequency(root) > 0 || known.wordFrequency(`${root}e`) > 0 ||
      isCommonWord(root) || isCommonWord(`${root}e`);
  });
}
