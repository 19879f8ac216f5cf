/** Measures how much of what a question is about a record says: its content words, by rarity. */
import { sectorMask } from "../document.ts";
import type { ObservationIndex } from "../engine/observation_index.ts";
import { LANGUAGES } from "../engine/tokens.ts";
import { HeldWords, type Wording } from "../held_words.ts";
import type { Question } from "../reading/question.ts";

/** A content word with what it weighs. */
interface WeighedWord {
  weight: number;
  isAdded: boolean;
  wording: Wording;
}

/** Another way to say some of the words. */
interface Form {
  /** Indexes of the words. */
  from: number;
  to: number;
  weight: number;
  wording: Wording;
  /** Words that have to stand side by side; null for a single one. */
  phrase: readonly string[] | null;
}

/** A facet that stands for some of the words. */
interface StandIn {
  any: ReadonlySet<string>;
  sectors: number;
  words: readonly number[];
}

/**
 * The share of a question's weight that records hold. A word weighs its inverse document frequency;
 * one that occurs nowhere weighs most and is never met.
 */
export class Coverage {
  readonly #index: ObservationIndex;
  readonly #held = new HeldWords();
  readonly #words: WeighedWord[];
  readonly #forms: Form[];
  readonly #standIns: StandIn[];
  readonly #sum: number;

  constructor(index: ObservationIndex, question: Question) {
    this.#index = index;
    this.#words = question.words.map(({ text, added = false }, place) => ({
      weight: Math.min(
        rarity(index, frequencyOf(index, question, place)),
        ceilingOf(index, question, place),
      ),
      isAdded: added,
      wording: this.#held.add([text], LANGUAGES),
    }));
    const written = this.#words.filter(({ isAdded }) => !isAdded);
    this.#sum = sumOf(written, ({ weight }) => weight);
    // One rare word that a planner added does not make up for all words of the query.
    const mean = this.#sum / written.length;
    for (const word of this.#words) if (word.isAdded) word.weight = Math.min(word.weight, mean);
    this.#forms = question.alternatives.flatMap(({ from, to, forms }) =>
      forms.map(({ words, weight, languages }) => ({
        from,
        to,
        weight,
        wording: this.#held.add(words, languages),
        phrase: words.length > 1 ? words : null,
      }))
    );
    this.#standIns = question.facets.filter(({ words }) => words.length > 0)
      .map(({ any, sectors, words }) => ({
        any: new Set(any),
        sectors: sectorMask(sectors),
        words,
      }));
  }

  /** Number of content words that a record should hold: those that no planner added. */
  get size(): number {
    return this.#words.filter(({ isAdded }) => !isAdded).length;
  }

  /** The share of the words that facets or sectors stand for. */
  get standing(): number {
    const words = new Set(this.#standIns.flatMap(({ words }) => words));
    if (this.#sum === 0) return 0;
    return Math.min(1, sumOf([...words], (word) => this.#words[word]!.weight) / this.#sum);
  }

  /** From 0 to 1: by words alone, and by facets and sectors that stand for words as well. */
  of(observationId: number): { words: number; all: number } {
    if (this.#sum === 0) return { words: 1, all: 1 };
    this.#held.read(this.#index, observationId);
    const met = Float64Array.from(this.#words, ({ wording }) => this.#held.has(wording) ? 1 : 0);
    for (const { from, to, weight, wording, phrase } of this.#forms) {
      if (met.subarray(from, to).every((share) => share >= weight)) continue;
      if (!this.#held.has(wording)) continue;
      if (phrase !== null && !this.#index.phraseHeld(observationId, phrase)) continue;
      for (let word = from; word < to; word++) met[word] = Math.max(met[word]!, weight);
    }
    const words = this.#shareOf(met);
    if (this.#standIns.length === 0) return { words, all: words };
    this.#meetStandIns(observationId, met);
    return { words, all: this.#shareOf(met) };
  }

  #shareOf(met: Float64Array): number {
    const sum = met.reduce((sum, share, word) => sum + share * this.#words[word]!.weight, 0);
    return Math.min(1, sum / this.#sum);
  }

  #meetStandIns(observationId: number, met: Float64Array): void {
    const facets = this.#index.facetsOf(observationId);
    const held = this.#index.get(observationId)?.sectors ?? 0;
    for (const { any, sectors, words } of this.#standIns) {
      if ((held & sectors) === 0 && !facets.some((facet) => any.has(facet))) continue;
      for (const word of words) met[word] = 1;
    }
  }
}

function rarity(index: ObservationIndex, frequency: number): number {
  return Math.log(1 + (index.size - frequency + 0.5) / (frequency + 0.5));
}

/** The number of records that hold a word, or the most that hold another single word for it. */
function frequencyOf(
  index: ObservationIndex,
  { words, alternatives }: Question,
  word: number,
): number {
  const forms = alternatives.filter(({ from, to }) => from <= word && word < to)
    .flatMap(({ forms }) => forms.filter(({ words }) => words.length === 1));
  const texts = [words[word]!.text, ...forms.map(({ words }) => words[0]!)];
  // A record in two languages may count twice for a word.
  return Math.min(index.size, Math.max(...texts.map((text) => index.wordFrequency(text))));
}

/** A sector is about a tenth of all companies. */
const SECTOR_WEIGHT = 2;

/** A word that a facet or sector stands for is no rarer than what meets these. */
function ceilingOf(index: ObservationIndex, { facets }: Question, word: number): number {
  const standing = facets.filter(({ words }) => words.includes(word));
  return Math.min(
    ...standing.map(({ any, sectors }) =>
      sectors.length > 0
        ? SECTOR_WEIGHT
        : rarity(index, Math.min(index.size, sumOf(any, (term) => index.facetFrequency(term))))
    ),
  );
}

function sumOf<Value>(values: readonly Value[], numberOf: (value: Value) => number): number {
  return values.reduce((sum, value) => sum + numberOf(value), 0);
}

/** Shares of a question's weight that records must reach. */
export interface RequiredShares {
  /** For a record that meets, or does not contradict, what else is asked. */
  met: number;
  /** For a record that contradicts it, or if nothing else is asked. */
  alone: number;
}

/** Maximum number of content words of a question that says one thing once, or hardly more. */
const SHORT_WORDS = 4;
const MIDDLE_WORDS = 6;

/** Shares of the whole weight, and of what the best record reaches: the higher of both counts. */
const SHARES = {
  met: { all: 0.38, best: 0.42 },
  alone: { all: 0.5, best: 0.6 },
  middle: { all: 0.15, best: 0.2 },
  long: { all: 0.04, best: 0.06 },
} as const;

/**
 * Returns the shares that records must reach. Long questions say one thing in several ways, so a
 * record need not hold them all.
 *
 * @param words number of content words
 * @param best the highest share of any candidate
 */
export function requiredShares(words: number, best: number): RequiredShares {
  const longer = words > MIDDLE_WORDS ? SHARES.long : words > SHORT_WORDS ? SHARES.middle : null;
  const higher = ({ all, best: part }: { all: number; best: number }) => Math.max(all, part * best);
  return {
    met: higher(longer ?? SHARES.met),
    alone: higher(longer ?? SHARES.alone),
  };
}
