/** Generates queries by shape. They are the same in every run. */
import { COUNTRIES, type Country, type Kind, KINDS } from "../src/contract/vocabulary.ts";
import type { Language } from "../src/search/engine/words.ts";
import { type Corpus, tokenOf } from "./corpus.ts";
import { Random } from "./random.ts";

/** A query for every engine. */
export interface Query {
  /** Text as a caller types it. */
  text: string;
  /** Numbers of the words in the vocabulary; none in the hostile query. */
  words: number[];
  /** Stems of the words, for engines that do not stem as ours does. */
  tokens: string;
  filter?: { country: Country; kind: Kind };
}

/** A kind of query. */
export interface Shape {
  name: string;
  /** Range of cumulative frequency from which each word is drawn; low numbers are frequent words. */
  bands: readonly (readonly [from: number, to: number])[];
  filtered: boolean;
}

type Bands = Shape["bands"];

/** Bands of the English ranks from about 14,000 to 54,000. */
const RARE: Bands = [[0.77, 0.88]];
/** One band per quarter. The English ranks of the quarters start at about 0, 20, 490 and 10,800. */
const MIXED: Bands = [[0, 0.25], [0.25, 0.5], [0.5, 0.75], [0.75, 1]];
/** Eight equal bands: the 70 most frequent English words or so. */
const COMMON: Bands = Array.from({ length: 8 }, () => [0, 0.34] as const);

const SEED = 7;
/** Number of queries of which one is French. A fifth of the documents is French, too. */
const FRENCH_EVERY = 5;

/** The shapes that benches measure. */
export const SHAPES = [
  { name: "one rare term", bands: RARE, filtered: false },
  { name: "one rare term, filtered", bands: RARE, filtered: true },
  { name: "four mixed terms", bands: MIXED, filtered: false },
  { name: "four mixed terms, filtered", bands: MIXED, filtered: true },
  { name: "eight common terms", bands: COMMON, filtered: false },
  { name: "eight common terms, filtered", bands: COMMON, filtered: true },
] as const satisfies readonly Shape[];

/**
 * Draws queries. They do not depend on the size of the corpus. A filtered shape has the same words
 * as the shape without filters.
 */
export function queriesOf(corpus: Corpus, shape: Shape, count = 50): Query[] {
  const random = new Random(SEED);
  return Array.from({ length: count }, (_, n) => {
    const language = n % FRENCH_EVERY === FRENCH_EVERY - 1 ? "french" : "english";
    const words = draw(corpus, { random, language, bands: shape.bands });
    const filter: Query["filter"] = {
      // All French documents are Canadian.
      country: language === "french" ? "CA" : random.from(COUNTRIES),
      kind: KINDS[Math.floor(KINDS.length * random.next() ** 2)]!,
    };
    return {
      text: words.map((word) => corpus.word(word)).join(" "),
      tokens: words.map((word) => tokenOf(corpus, word)).join(" "),
      words,
      ...shape.filtered ? { filter } : {},
    };
  });
}

/** Returns a query of 250 single letters. It is the slowest query that a caller may send. */
export function hostileQuery(): Query {
  const text = Array.from({ length: 250 }, (_, n) => String.fromCharCode(97 + n % 26)).join(" ");
  return { text, tokens: text, words: [] };
}

/** Draws one word per band. Their stems are distinct. */
function draw(
  corpus: Corpus,
  { random, language, bands }: { random: Random; language: Language; bands: Bands },
): number[] {
  const drawn = new Map<string, number>();
  for (const [from, to] of bands) {
    for (const before = drawn.size; drawn.size === before;) {
      const word = corpus.wordAt(from + random.next() * (to - from), language);
      if (!drawn.has(corpus.stems[word]!)) drawn.set(corpus.stems[word]!, word);
    }
  }
  return [...drawn.values()];
}
