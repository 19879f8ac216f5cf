/**
 * Reads the table of similar phrases, written.tsv, which is edited by hand. Run separate.py after a
 * change. Each line is a group. Its columns are separated by tabs, and the phrases of a column by
 * semicolons:
 *
 * 1. empty
 * 2. English and 3. French phrases with the same meaning
 * 4. English and 5. French phrases that are related to them, but not to each other
 * 6. English and 7. French phrases that mean the same in a question. In a record they are only
 *    related, because other words share their stems.
 *
 * A line whose first column is "!" forbids a pair: no phrase of column 2 is similar to one of
 * column 3, whatever the learned table says.
 */
import { type Language, LANGUAGES } from "./stems.ts";
import { keyOf, termOf } from "./terms.ts";
import { isContent, wordsOf } from "./tokens.ts";
import table from "./written.tsv" with { type: "text" };

/** A phrase of the table. */
interface WrittenPhrase {
  /** The phrase as the table spells it. */
  text: string;
  /** Its content words as the table spells them; at most three words can be sought in an index. */
  words: readonly string[];
  /** Key of its index term. */
  key: number;
}

/** Phrases that may replace each other, and phrases that are related to them. */
export interface WrittenGroup {
  same: readonly WrittenPhrase[];
  near: readonly WrittenPhrase[];
  asked: readonly WrittenPhrase[];
}

/** Max number of content words of a phrase that is an index term. */
export const PHRASE_WORDS_MAX = 3;

/**
 * Reads the groups of the table, and the pairs of phrases that are not similar.
 *
 * @throws Error that names a line with another first column or without a phrase
 */
export function readWritten(text: string = table) {
  const groups: WrittenGroup[] = [];
  const forbidden: (readonly [WrittenPhrase, WrittenPhrase])[] = [];
  text.trimEnd().split("\n").forEach((line, at) => {
    const [first = "", ...columns] = line.split("\t");
    if (first === "!") return forbidden.push(...pairsOf(columns));
    const [same, near, asked] = [0, 2, 4].map((column) => [
      ...phrasesOf(columns[column], "en"),
      ...phrasesOf(columns[column + 1], "fr"),
    ]);
    if (first !== "" || same!.length + asked!.length === 0) {
      throw new Error(`line ${at + 1} of the hand-written table is no group: ${line}`);
    }
    groups.push({ same: same!, near: near!, asked: asked! });
  });
  return { groups, forbidden };
}

/** Returns the pairs of a forbidding line. Both of its columns may be in either language. */
function pairsOf(columns: readonly string[]): (readonly [WrittenPhrase, WrittenPhrase])[] {
  const [left, right] = [0, 1].map((column) =>
    LANGUAGES.flatMap((language) => phrasesOf(columns[column], language))
  );
  return left!.flatMap((one) => right!.map((two) => [one, two] as const));
}

function phrasesOf(column: string | undefined, language: Language): WrittenPhrase[] {
  return (column ?? "").split(";").map((text) => text.trim()).flatMap((text) => {
    const words = wordsOf(text).filter((word) => isContent(word, language)).map((word) =>
      word.text.toLowerCase()
    );
    if (words.length === 0 || words.length > PHRASE_WORDS_MAX) return [];
    return [{ text, words, key: keyOf(termOf(words, language)) }];
  });
}
