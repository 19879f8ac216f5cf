/** Single words: how they are folded, which do not count, what their stems are. */
import { stemmer as stemFrench } from "@orama/stemmers/french";
import { stopwords as englishStopWords } from "@orama/stopwords/english";
import { stopwords as frenchStopWords } from "@orama/stopwords/french";
import { stemEnglish } from "./stem_english.ts";

export const LANGUAGES = ["english", "french"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Longer runs of letters are no words (encoded data, say); their beginning is kept. */
const WORD_LENGTH = 40;

// deno-lint-ignore no-control-regex
const BEYOND_ASCII = /[^\x00-\x7f]/;

const ENGLISH_STOP_WORDS = stopWordSet(englishStopWords);
const FRENCH_STOP_WORDS = stopWordSet(frenchStopWords);

/** Stop words of one language that are content in the other. */
const CONTENT: ReadonlySet<string> = new Set(["ai", "mes", "ton"]);

/** Stop words only in small letters: information technology, the United States. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(["IT", "US"]);

/** Where the English rules leave apart what this dataset must bring together. */
const ENGLISH_STEMS: ReadonlyMap<string, string> = new Map([
  ["expan", "expand"], // expansion and to expand
  ["wareh", "warehous"], // warehousing and a warehouse
]);

/** From this length on, a part of a text keeps the whole text in memory. */
const SLICE_LENGTH = 13;

function stopWordSet(list: readonly string[]): ReadonlySet<string> {
  return new Set(list.flatMap((word) => fold(word).split("'")).filter((word) => word.length > 1));
}

/** Small letters without accents, ligatures and typographic variants; apostrophes made alike. */
export function fold(text: string): string {
  return unaccent(text).toLowerCase();
}

/** The same without a change of case. */
export function unaccent(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  return text.normalize("NFKD").replace(/\p{M}+/gu, "").replace(/[‘’ʼ]/g, "'")
    .replace(/œ/g, "oe").replace(/Œ/g, "OE").replace(/æ/g, "ae").replace(/Æ/g, "AE");
}

/** A folded word without its endings. Names with signs in them (node.js, c++) have none. */
export function stem(word: string, language: Language): string {
  if (/[.+#]/.test(word)) return word;
  if (language === "french") return stemFrench(word);
  const stemmed = stemEnglish(word);
  return ENGLISH_STEMS.get(stemmed) ?? stemmed;
}

/** A stem, and what it is called where it was numbered last: see drafts.ts. */
export class Stem {
  readonly text: string;
  owner = 0;
  term = 0;

  constructor(text: string) {
    this.text = text;
  }
}

/** A word as it stands in texts, with what is known of it. */
export class Word {
  /** Folded; empty where it is not searched for: stop words and single letters. */
  readonly text: string;
  /** The language that has it among its stop words, where only one has. */
  readonly tells: Language | null;
  #english: Stem | undefined;
  #french: Stem | undefined;

  /** @param raw without accents, in its own case */
  constructor(raw: string) {
    const folded = raw.toLowerCase();
    const english = ENGLISH_STOP_WORDS.has(folded);
    const french = FRENCH_STOP_WORDS.has(folded);
    this.tells = english === french ? null : english ? "english" : "french";
    const isStopWord = (english || french) && !CONTENT.has(folded) && !ABBREVIATIONS.has(raw);
    this.text = folded.length < 2 || isStopWord ? "" : copyOf(folded);
  }

  stem(language: Language): Stem {
    return language === "english"
      ? this.#english ??= new Stem(stem(this.text, "english"))
      : this.#french ??= new Stem(stem(this.text, "french"));
  }
}

/** The beginning of a word, without the text that it was cut from: it would stay in memory. */
function copyOf(folded: string): string {
  return folded.length < SLICE_LENGTH
    ? folded
    : [...folded.slice(0, 2 * WORD_LENGTH)].slice(0, WORD_LENGTH).join("");
}
