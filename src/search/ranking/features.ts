/**
 * Measures features of a record beside single words: neighbouring words, quoted phrases and
 * excluded words.
 */
import type { ObservationHit } from "../engine/collecting.ts";
import { LANGUAGES } from "../engine/words.ts";
import { HeldWords, type Wording } from "../index/held_words.ts";
import type { ObservationIndex } from "../index/observation_index.ts";
import type { Question } from "../reading/question.ts";
import { alternativesOf, type Form, SAME_WEIGHT } from "../trades/alternatives.ts";

/**
 * Increments of the factor: for the share of held neighbouring words, and for each quoted phrase.
 */
const ADDED = { pairs: 0.3, phrase: 1 } as const;

/** Max number of content words of a question whose neighbours count. */
const SHORT_WORDS = 3;

export class Features {
  readonly #index: ObservationIndex;
  readonly #pairs: Question["pairs"];
  readonly #phrases: Question["phrases"];
  readonly #held = new HeldWords();
  readonly #excluded: Wording[];

  constructor(index: ObservationIndex, { words, pairs, phrases, excluded }: Question) {
    this.unwantedWords = excluded.flatMap((words) => [
      ...words,
      ...sameAs(words).flatMap((form) => form.words),
    ]);
    this.#index = index;
    // Neighbours in a long question mean little, because it is a text and not a term.
    this.#pairs = words.length > SHORT_WORDS ? [] : pairs;
    this.#phrases = phrases;
    this.#excluded = excluded.flatMap((words) => [
      this.#held.add(words, LANGUAGES),
      ...sameAs(words).map((form) => this.#held.add(form.words, form.languages)),
    ]);
  }

  /** Words by which a record is recognized as being about an excluded subject. */
  readonly unwantedWords: readonly string[];

  /** Returns the factor on the score by words. */
  factorOf({ observation_id }: ObservationHit): number {
    let factor = 1;
    if (this.#pairs.length > 0) {
      const held = this.#index.pairsHeld(observation_id, this.#pairs).filter(Boolean).length;
      factor += ADDED.pairs * held / this.#pairs.length;
    }
    for (const phrase of this.#phrases) {
      if (this.#index.phraseHeld(observation_id, phrase)) factor += ADDED.phrase;
    }
    return factor;
  }

  /** Returns whether a record holds all quoted phrases. */
  holdsPhrases({ observation_id }: ObservationHit): boolean {
    return this.#phrases.every((phrase) => this.#index.phraseHeld(observation_id, phrase));
  }

  /** Returns whether a record is about a subject that the question excludes. */
  isUnwanted({ observation_id }: ObservationHit): boolean {
    if (this.#excluded.length === 0) return false;
    this.#held.read(this.#index, observation_id);
    return this.#excluded.some((words) => this.#held.has(words));
  }
}

/**
 * Returns alternatives to all of the words: a query that excludes roofing also excludes toiture.
 */
function sameAs(words: readonly string[]): readonly Form[] {
  return alternativesOf(words)
    .filter(({ from, to }) => from === 0 && to === words.length)
    .flatMap(({ forms }) => forms.filter(({ weight }) => weight === SAME_WEIGHT));
}
