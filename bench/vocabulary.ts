/**
 * Generates a vocabulary of two languages, with frequent words first. English and French words
 * begin with different letters, so no stem belongs to both languages. Peers that do not separate
 * languages therefore find the same documents as our engine, which does.
 */
import { stopwords as englishStopWords } from "@orama/stopwords/english";
import { stopwords as frenchStopWords } from "@orama/stopwords/french";
import { type Language, stem } from "../src/search/engine/words.ts";
import { Random } from "./random.ts";

interface Sounds {
  /** Beginnings of words. */
  first: readonly string[];
  onsets: readonly string[];
  vowels: readonly string[];
  codas: readonly string[];
  /** Endings of half of the words. The stemmers remove most of them. */
  endings: readonly string[];
}

const SOUNDS: Readonly<Record<Language, Sounds>> = {
  english: {
    first: "b c d f g h k l m n p r s t w br cl dr fl gr pl pr sh st th tr".split(" "),
    onsets: "b c d f g k l m n p r s t v ch nd rt st".split(" "),
    vowels: "a e i o u ea oo".split(" "),
    codas: ["", "", "", "", "n", "r", "l", "x"],
    endings: "s ing ed er ment ation ly ness able ity".split(" "),
  },
  french: {
    first: "j v z".split(" "),
    onsets: "b c d f g l m n p r s t v ch gn qu".split(" "),
    vowels: "a e i o u é è ou".split(" "),
    codas: ["", "", "", "", "n", "r", "l"],
    endings: "s eur age ement ation eux ique ité er ance".split(" "),
  },
};

/** Stop words, from which the language of a text is detected. They are never indexed. */
export const STOP_WORDS: Readonly<Record<Language, readonly string[]>> = {
  english: "the and with this from their which".split(" "),
  french: "les des pour avec dans cette leurs".split(" "),
};

/** Words and their stems. */
export interface Vocabulary {
  /** Words with their accents and endings. */
  words: Readonly<Record<Language, readonly string[]>>;
  /**
   * Stems of the words, French ones after English ones. They are computed at the first read. Our
   * engine caches stems, and its cache has to be empty when its memory is measured.
   */
  readonly stems: readonly string[];
}

const SEED = 1;

const ALL_STOP_WORDS: ReadonlySet<string> = new Set(
  [...englishStopWords, ...frenchStopWords].flatMap((word) => fold(word).split("'")),
);

/** Generates a vocabulary. @param sizes number of words per language */
export function createVocabulary(sizes: Readonly<Record<Language, number>>): Vocabulary {
  const english = makeWords("english", sizes.english);
  const french = makeWords("french", sizes.french);
  let stems: string[] | undefined;
  return {
    words: { english, french },
    get stems() {
      return stems ??= [
        ...english.map((word) => stem(fold(word), "english")),
        ...french.map((word) => stem(fold(word), "french")),
      ];
    },
  };
}

function makeWords(language: Language, size: number): string[] {
  const random = new Random(SEED);
  const made = new Map<string, string>();
  while (made.size < size) {
    // Frequent words are short.
    const syllables = made.size < 20_000 ? 2 : 3;
    const word = makeWord(random, { sounds: SOUNDS[language], syllables });
    const folded = fold(word);
    // Repeated words and accidental stop words are skipped.
    if (!made.has(folded) && !ALL_STOP_WORDS.has(folded)) made.set(folded, word);
  }
  return [...made.values()];
}

/** Returns a word in small letters without accents. */
function fold(word: string): string {
  return word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function makeWord(
  random: Random,
  { sounds, syllables }: { sounds: Sounds; syllables: number },
): string {
  let word = "";
  for (let syllable = 0; syllable < syllables; syllable++) {
    word += random.from(syllable === 0 ? sounds.first : sounds.onsets);
    word += random.from(sounds.vowels) + random.from(sounds.codas);
  }
  return random.next() < 0.5 ? word + random.from(sounds.endings) : word;
}
