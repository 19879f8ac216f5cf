/** Tells which words of a small set an observation holds, in any form of a language. */
import { FACET_SPACE, type Key, keyOfFacet, keysOf, stemsOf } from "../engine/dictionary.ts";
import type { RowPlaces, SmallVocabulary } from "../engine/segment_terms.ts";
import { LANGUAGES } from "../engine/words.ts";
import type { ObservationIndex } from "./observation_index.ts";

/** Rows of the stems of each word. */
export type Wording = readonly (readonly number[])[];

/**
 * Set of words that observations are checked for. All words are added before the first observation
 * is read.
 */
export class HeldWords implements SmallVocabulary {
  readonly keys: Key[] = [];
  readonly #rows = new Map<string, number>();
  #places: RowPlaces = new Int32Array(0);

  get isEmpty(): boolean {
    return this.keys.length === 0;
  }

  /**
   * Adds words. @param languages a word counts as held if the observation holds it in any of these
   */
  add(words: readonly string[], languages: readonly (typeof LANGUAGES)[number][]): Wording {
    return words.map((word) => languages.map((language) => this.#rowOf(word, language)));
  }

  /** Adds facet terms. An observation that holds any of them holds the wording. */
  addFacets(facets: readonly string[]): Wording {
    return [facets.map((facet) => this.#rowOfTerm(FACET_SPACE, facet, keyOfFacet(facet)))];
  }

  read(index: ObservationIndex, observationId: number): void {
    this.#places = index.termsHeld(observationId, this);
  }

  /** Returns whether the last observation that was read holds all words. */
  has(wording: Wording): boolean {
    for (let word = 0; word < wording.length; word++) {
      if (!this.#hasAny(wording[word]!)) return false;
    }
    return wording.length > 0;
  }

  #hasAny(rows: readonly number[]): boolean {
    const places = this.#places;
    for (let at = 0; at < rows.length; at++) if (places[rows[at]!]! >= 0) return true;
    return false;
  }

  #rowOf(word: string, language: (typeof LANGUAGES)[number]): number {
    const space = LANGUAGES.indexOf(language);
    return this.#rowOfTerm(space, stemsOf(word)[space]!, keysOf(word)[space]!);
  }

  #rowOfTerm(space: number, text: string, key: Key): number {
    const name = `${space} ${text}`;
    const known = this.#rows.get(name);
    if (known !== undefined) return known;
    this.#rows.set(name, this.keys.length);
    return this.keys.push(key) - 1;
  }
}
