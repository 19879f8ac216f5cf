/**
 * A made-up vocabulary of two languages, commonest words first. The words of one never begin as
 * those of the other do, so that a stem tells its language and peers that know of none find the
 * same documents as an engine that keeps languages apart.
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
  /** Every other word has one; the stemmers take most of them off. */
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

/** Words that mark a text's language and are never indexed. */
export const STOP_WORDS: Readonly<Record<Language, readonly string[]>> = {
  english: "the and with this from their which".split(" "),
  french: "les des pour avec dans cette leurs".split(" "),
};

export interface Vocabulary {
  /** Words as they are written, accents and endings included. */
  words: Readonly<Record<Language, readonly string[]>>;
  /**
   * Stems under which the words are indexed, French ones after English ones. They are computed when
   * they are first asked for: our engine remembers words that it has met, and should not have met
   * any when its memory is measured.
   */
  readonly stems: readonly string[];
}

const SEED = 1;

const ALL_STOP_WORDS: ReadonlySet<string> = new Set(
  [...englishStopWords, ...frenchStopWords].flatMap((word) => fold(word).split("'")),
);

/** @param sizes how many words each language has */
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
    // Common words are short.
    const syllables = made.size < 20_000 ? 2 : 3;
    const word = makeWord(random, { sounds: SOUNDS[language], syllables });
    const folded = fold(word);
    // Stop words made by chance are none of these words.
    if (!made.has(folded) && !ALL_STOP_WORDS.has(folded)) made.set(folded, word);
  }
  return [...made.values()];
}

/** Small letters without accents. */
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
