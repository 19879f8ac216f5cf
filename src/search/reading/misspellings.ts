/** Finds British and American variants of words, and recognizes words that are spelled well. */
import { isDictionaryWord } from "../trades/lexicon.ts";
import { baseOf } from "../trades/inflection.ts";
import { isCommonWord } from "./common_words.ts";
import type { KnownTerms } from "./question.ts";

type Variant = readonly [ending: RegExp, replacement: string];

/** British and American endings of words. Each pair is listed in both directions. */
const VARIANTS: readonly Variant[] = [
  [/is(?=(?:e|ed|es|ing|ation|ations|er|ers)$)/, "iz"],
  [/iz(?=(?:e|ed|es|ing|ation|ations|er|ers)$)/, "is"],
  [/ys(?=(?:e|ed|es|ing|er|ers)$)/, "yz"],
  [/yz(?=(?:e|ed|es|ing|er|ers)$)/, "ys"],
  [/our(?=(?:s|ed|ing|al|able)?$)/, "or"],
  [/or(?=(?:s|ed|ing|al|able)?$)/, "our"],
  [/(?<=[bt])re(?=s?$)/, "er"],
  [/(?<=[bt])er(?=s?$)/, "re"],
  [/ll(?=(?:ed|ing|er|ers)$)/, "l"],
  [/l(?=(?:ed|ing|er|ers)$)/, "ll"],
  [/ogue(?=s?$)/, "og"],
  [/og(?=s?$)/, "ogue"],
  [/ence(?=s?$)/, "ense"],
  [/ense(?=s?$)/, "ence"],
];

/**
 * Returns other spellings of a folded word, and its French base form. Some of them are no words.
 */
export function spellingVariants(word: string): string[] {
  return [
    ...VARIANTS.filter(([ending]) => ending.test(word))
      .map(([ending, replacement]) => word.replace(ending, replacement)),
    baseOf(word, "french"),
  ];
}

/** Endings of inflected and derived words in English and French. */
const ENDINGS = [
  ..."s es ed ing ings er ers or ors ly ness al ally age ion ions able ant ante ants ment ments"
    .split(" "),
  ..."e ee ees eur eurs euse euses ique iques iste istes aire aires ent ons ez".split(" "),
];
/** Min number of letters before an ending. */
const ROOT_LETTERS_MIN = 4;

/** Returns whether a word is common, belongs to a trade, or is a form of a known word. */
export function isSpelledWell(word: string, known: KnownTerms): boolean {
  if (isCommonWord(word) || isDictionaryWord(word)) return true;
  return ENDINGS.some((ending) => {
    const root = word.slice(0, -ending.length);
    if (!word.endsWith(ending) || root.length < ROOT_LETTERS_MIN) return false;
    return known.wordFrequency(root) > 0 || known.wordFrequency(`${root}e`) > 0 ||
      isCommonWord(root) || isCommonWord(`${root}e`);
  });
}

/**
 * Returns whether a correction is likely: it keeps the first letter, or swaps the first two. Other
 * errors in a first letter are rare.
 */
export function isLikelyCorrection(word: string, near: string): boolean {
  return word[0] === near[0] || (word[0] === near[1] && word[1] === near[0]);
}
