/** Queries for the engines: seeded, by shape. */
import { COUNTRIES, type Country, type Kind, KINDS } from "../src/contract/vocabulary.ts";
import type { Language } from "../src/search/engine/words.ts";
import { type Corpus, tokenOf } from "./corpus.ts";
import { Random } from "./random.ts";

export interface Query {
  /** Text as a caller types it. */
  text: string;
  /** Vocabulary numbers; none in the hostile shape. */
  words: number[];
  /** The text for engines without our analysis. */
  tokens: string;
  filter?: { country: Country; kind: Kind };
}

export interface Shape {
  name: string;
  /** Part of running text that each word is drawn from, as in texts, commonest first. */
  bands: readonly (readonly [from: number, to: number])[];
  filtered: boolean;
}

type Bands = Shape["bands"];

/** The English ranks from about 14,000 to 54,000. */
const RARE: Bands = [[0.77, 0.88]];
/** One of each quarter. The ranks begin at 0, 20, 490 and 10,800. */
const MIXED: Bands = [[0, 0.25], [0.25, 0.5], [0.5, 0.75], [0.75, 1]];
/** The 70 commonest. */
const COMMON: Bands = Array.from({ length: 8 }, () => [0, 0.34] as const);

const SEED = 7;
/** Number of queries per French one, in the ratio of the documents. */
const FRENCH_EVERY = 5;

export const SHAPES = [
  { name: "one rare term", bands: RARE, filtered: false },
  { name: "one rare term, filtered", bands: RARE, filtered: true },
  { name: "four mixed terms", bands: MIXED, filtered: false },
  { name: "four mixed terms, filtered", bands: MIXED, filtered: true },
  { name: "eight common terms", bands: COMMON, filtered: false },
  { name: "eight common terms, filtered", bands: COMMON, filtered: true },
] as const satisfies readonly Shape[];

/**
 * Draws queries, which are equal for every size of a corpus. The filtered shape uses the same
 * words.
 */
export function queriesOf(corpus: Corpus, shape: Shape, count = 50): Query[] {
  const random = new Random(SEED);
  return Array.from({ length: count }, (_, n) => {
    const language = n % FRENCH_EVERY === FRENCH_EVERY - 1 ? "french" : "english";
    const words = draw(corpus, { random, language, bands: shape.bands });
    const filter: Query["filter"] = {
      // All of the French documents are Canadian.
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

/** 500 characters of single letters, which nobody means and everybody may send. */
export function hostileQuery(): Query {
  const text = Array.from({ length: 250 }, (_, n) => String.fromCharCode(97 + n % 26)).join(" ");
  return { text, tokens: text, words: [] };
}

/** Words of different stems. */
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
