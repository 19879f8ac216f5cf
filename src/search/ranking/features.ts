/** What a record says beside single words: neighbouring words, quoted phrases, what is not wanted. */
import type { ObservationHit } from "../engine/collecting.ts";
import { LANGUAGES } from "../engine/words.ts";
import { HeldWords, type Wording } from "../index/held_words.ts";
import type { ObservationIndex } from "../index/observation_index.ts";
import type { Question } from "../reading/question.ts";
import { alternativesOf, type Form, SAME_WEIGHT } from "../trades/alternatives.ts";

/** What the share of neighbouring words that a record holds, and each quoted phrase, adds to 1. */
const ADDED = { pairs: 0.3, phrase: 1 } as const;

/** Maximum number of content words of a question whose neighbours count. */
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
    // Neighbours of a long question say little: it is a text, not a term.
    this.#pairs = words.length > SHORT_WORDS ? [] : pairs;
    this.#phrases = phrases;
    this.#excluded = excluded.flatMap((words) => [
      this.#held.add(words, LANGUAGES),
      ...sameAs(words).map((form) => this.#held.add(form.words, form.languages)),
    ]);
  }

  /** Words of which a record holds one if it is about something that the question does not want. */
  readonly unwantedWords: readonly string[];

  /** What the score by words is multiplied by. */
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

  /** Returns whether a record is about something that the question does not want. */
  isUnwanted({ observation_id }: ObservationHit): boolean {
    if (this.#excluded.length === 0) return false;
    this.#held.read(this.#index, observation_id);
    return this.#excluded.some((words) => this.#held.has(words));
  }
}

/** Other ways to say all of some words: what excludes roofing excludes toiture. */
function sameAs(words: readonly string[]): readonly Form[] {
  return alternativesOf(words)
    .filter(({ from, to }) => from === 0 && to === words.length)
    .flatMap(({ forms }) => forms.filter(({ weight }) => weight === SAME_WEIGHT));
}
