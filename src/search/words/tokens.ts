/** Splits texts into words, recognizes stop words, and tells the language of a text. */
import { stopwords as englishStopWords } from "@orama/stopwords/english";
import { stopwords as frenchStopWords } from "@orama/stopwords/french";
import { fold, type Language } from "./stems.ts";

/** A word of a text. */
export interface Word {
  text: string;
  /** The word in lower case without accents, with at most WORD_LENGTH letters. */
  folded: string;
  /** Position of its first UTF-16 code unit in the text. */
  start: number;
  /** Position after its last code unit. */
  end: number;
}

/** Max number of code units of a folded word. The rest of a longer one is dropped. */
const WORD_LENGTH = 40;

/**
 * Words, the longest form first: names with signs, initials ("U.S."), a letter with a hyphen
 * ("e-mail"), numbers, and runs of letters and digits. Hyphens and apostrophes separate words.
 */
const WORD = new RegExp(
  [
    String
      .raw`(?<![\p{L}\p{N}])(?:\p{L}\+\+|\p{L}#|\.net|\p{L}{1,2}&\p{L}{1,2}|(?<!-)\p{L}-\p{L}{3,})`,
    String.raw`\p{L}+\.(?:js|net)`,
  ].map((name) => `${name}(?![\\p{L}\\p{N}])`).concat(
    String.raw`(?<![\p{L}\p{N}.])(?:\p{L}\.){2,}`,
    String.raw`\p{N}+(?:[.,]\p{N}+)+(?![\p{L}\p{N}])`,
    String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}]*`,
  ).join("|"),
  "giu",
);

/** Signs without which a word is the same word: "U.S." is "us", "e-mail" is "email". */
const SIGNS_IN_LETTERS = /^(?:(?:\p{L}\.)+|\p{L}-.*)$/u;

const THOUSANDS = /,(?=\p{N}{3}(?!\p{N}))/gu;

/** Returns the words of a text in order. Single letters are no words. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  WORD.lastIndex = 0;
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const written = match[0];
    const folded = foldWord(written);
    const isLetter = folded.length < 2 && !/\p{N}/u.test(folded);
    if (isLetter) continue;
    words.push({ text: written, folded, start: match.index, end: WORD.lastIndex });
  }
  return words;
}

/** Returns a single word in the form in which words are compared. */
function foldWord(word: string): string {
  let folded = fold(word);
  if (folded.includes(".") || folded.includes("-")) {
    if (SIGNS_IN_LETTERS.test(folded)) folded = folded.replaceAll(/[.-]/g, "");
  }
  if (folded.includes(",")) folded = folded.replaceAll(THOUSANDS, "");
  return folded.length <= WORD_LENGTH ? folded : folded.slice(0, WORD_LENGTH);
}

/** Returns a word in lower case with its accents; a name with signs in its folded form. */
export function writtenForm({ text, folded }: Pick<Word, "text" | "folded">): string {
  return /^[\p{L}\p{N}\p{M}]+$/u.test(text) ? text.toLowerCase() : folded;
}

const STOP_WORDS = { en: stopWordsOf(englishStopWords), fr: stopWordsOf(frenchStopWords) } as const;

function stopWordsOf(list: readonly string[]): ReadonlySet<string> {
  return new Set(list.flatMap((word) => fold(word).split("'")).filter((word) => word.length > 1));
}

/** Stop words of one language that are content words in the other ("AI", "messenger service"). */
const CONTENT: ReadonlySet<string> = new Set(["ai", "mes", "ton"]);

/** Abbreviations that are stop words only in small letters: "it", "us". */
const ABBREVIATIONS = /^(?:IT|I\.T\.|US|U\.S\.)$/;

/** Tells whether a folded word is a stop word of a language, or of either if none is named. */
export function isStopWord(folded: string, language?: Language): boolean {
  if (CONTENT.has(folded)) return false;
  if (language !== undefined) return STOP_WORDS[language].has(folded);
  return STOP_WORDS.en.has(folded) || STOP_WORDS.fr.has(folded);
}

/** Tells whether a word has a meaning of its own. "IT" and "US" in capital letters have one. */
export function isContent(word: Word, language?: Language): boolean {
  return !isStopWord(word.folded, language) || ABBREVIATIONS.test(word.text);
}

const FRENCH_LETTERS = /[àâçéèêëîïôùûœ]/iu;

/**
 * Returns the language of the words of a text. Stop words of one language count for it, and a letter
 * with a French accent counts for French. Without evidence, a text is English.
 */
export function languageOf(words: readonly Word[]): Language {
  let french = 0;
  let english = 0;
  for (const { text: written, folded } of words) {
    const isEnglish = STOP_WORDS.en.has(folded);
    const isFrench = STOP_WORDS.fr.has(folded);
    if (isEnglish && !isFrench) english++;
    if (isFrench && !isEnglish) french++;
    if (!isFrench && FRENCH_LETTERS.test(written)) french++;
  }
  return french > english ? "fr" : "en";
}
