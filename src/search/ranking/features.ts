/**
 * Measures features of a record other than single words: neighbouring words, quoted phrases and
 * excluded words.
 */
import type { ObservationHit } from "../engine/collecting.ts";
import { LANGUAGES } from "../engine/words.ts";
import { HeldWords, type Wording } from "../index/held_words.ts";
import type { ObservationIndex } from "../index/observation_index.ts";
import type { Question } from "../reading/question.ts";
import { alternativesOf, type Form, SAME_WEIGHT } from "../trades/alternatives.ts";

/**
 * Increments of the factor on a record's score. `pairs` is multiplied by the share of the
 * question's word pairs that are neighbours in the record. `phrase` is added for each quoted phrase
 * that the record contains.
 */
const ADDED = { pairs: 0.3, phrase: 1 } as const;

/** Max number of content words of a question in which pairs of neighbouring words count. */
const SHORT_WORDS = 3;

/** Measures the records of an index for one question. */
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
    // Neighbouring words of a long question rarely form a term.
    this.#pairs = words.length > SHORT_WORDS ? [] : pairs;
    this.#phrases = phrases;
    this.#excluded = excluded.flatMap((words) => [
      this.#held.add(words, LANGUAGES),
      ...sameAs(words).map((form) => this.#held.add(form.words, form.languages)),
    ]);
  }

  /** Words of excluded subjects. A record about such a subject contains some of them. */
  readonly unwantedWords: readonly string[];

  /** Returns the factor by which the score by words is multiplied. */
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

  /** Returns whether a record contains all quoted phrases. */
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
 * Returns synonyms of the whole phrase: a query that excludes "roofing" also excludes "toiture".
 */
function sameAs(words: readonly string[]): readonly Form[] {
  return alternativesOf(words)
    .filter(({ from, to }) => from === 0 && to === words.length)
    .flatMap(({ forms }) => forms.filter(({ weight }) => weight === SAME_WEIGHT));
}
