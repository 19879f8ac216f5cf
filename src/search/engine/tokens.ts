/**
 * Text to words to stems, the same way for documents and queries: accents and case folded, stop
 * words and single letters left out, English or French endings removed.
 */
import { stemmer as stemEnglish } from "@orama/stemmers/english";
import { stemmer as stemFrench } from "@orama/stemmers/french";
import { stopwords as englishStopWords } from "@orama/stopwords/english";
import { stopwords as frenchStopWords } from "@orama/stopwords/french";

export const LANGUAGES = ["english", "french"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Longer runs of letters are no words (encoded data, say); their beginning is kept. */
const WORD_LENGTH = 40;

/** Stems remembered for the sake of indexing; the memory is emptied when it is full. */
const STEM_CACHE_SIZE = 50_000;

const WORD = /[\p{L}\p{N}]+/gu;
const ACCENTED_WORD = /\p{L}*[àâçèéêëîïôùûœ]\p{L}*/giu;
/** R&D, M&A, AT&T: letters that mean something only together. */
const AMPERSAND = /(?<![\p{L}\p{N}])(\p{L}{1,2})&(\p{L}{1,2})(?![\p{L}\p{N}])/gu;
/** U.S., U.S.A., S.A.R.L. */
const DOTTED = /(?<![\p{L}\p{N}.])(?:\p{L}\.){2,}\p{L}?(?![\p{L}\p{N}])/gu;

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

function stopWordSet(list: readonly string[]): ReadonlySet<string> {
  return new Set(list.flatMap((word) => fold(word).split("'")).filter((word) => word.length > 1));
}

/** Small letters without accents, ligatures and typographic variants; apostrophes made alike. */
export function fold(text: string): string {
  return unaccent(text).toLowerCase();
}

function unaccent(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}+/gu, "").replace(/[‘’ʼ]/g, "'")
    .replace(/œ/g, "oe").replace(/Œ/g, "OE").replace(/æ/g, "ae").replace(/Æ/g, "AE");
}

/** The words of a text in their order, folded, without stop words and single letters. */
export function words(text: string): string[] {
  const found: string[] = [];
  const plain = unaccent(text)
    .replace(AMPERSAND, "$1$2")
    .replace(DOTTED, (abbreviation) => abbreviation.replaceAll(".", ""));
  for (const [match] of plain.matchAll(WORD)) {
    const word = match.toLowerCase();
    if (word.length > 1 && (!isStopWord(word) || ABBREVIATIONS.has(match))) {
      found.push(word.length > WORD_LENGTH ? [...word].slice(0, WORD_LENGTH).join("") : word);
    }
  }
  return found;
}

function isStopWord(word: string): boolean {
  return (ENGLISH_STOP_WORDS.has(word) || FRENCH_STOP_WORDS.has(word)) && !CONTENT.has(word);
}

/**
 * The language of a document's text, told by its stop words and accents, or `otherwise` where they
 * do not tell. Queries are too short for that: their words are looked up in both languages.
 */
export function detectLanguage(text: string, otherwise: Language = "english"): Language {
  let english = 0;
  let french = (text.normalize("NFC").match(ACCENTED_WORD)?.length ?? 0) / 2;
  for (const [word] of fold(text).matchAll(WORD)) {
    const inEnglish = ENGLISH_STOP_WORDS.has(word);
    const inFrench = FRENCH_STOP_WORDS.has(word);
    if (inEnglish && !inFrench) english++;
    if (inFrench && !inEnglish) french++;
  }
  if (french === english) return otherwise;
  return french > english ? "french" : "english";
}

/** A folded word without its endings. */
export function stem(word: string, language: Language): string {
  if (language === "french") return stemFrench(word);
  const stemmed = stemEnglish(word);
  return ENGLISH_STEMS.get(stemmed) ?? stemmed;
}

const cachedStems: Record<Language, Map<string, string>> = {
  english: new Map(),
  french: new Map(),
};

/** The stems of a document's text, in order and with repetitions. */
export function documentStems(text: string, language: Language): string[] {
  const cached = cachedStems[language];
  return words(text).map((word) => {
    let stemmed = cached.get(word);
    if (stemmed === undefined) {
      if (cached.size >= STEM_CACHE_SIZE) cached.clear();
      stemmed = stem(word, language);
      cached.set(word, stemmed);
    }
    return stemmed;
  });
}
