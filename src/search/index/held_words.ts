/** Tells which words of a small set an observation contains, in any form of the words. */
import { FACET_SPACE, type Key, keyOfFacet, keysOf, stemsOf } from "../engine/dictionary.ts";
import type { RowPlaces, SmallVocabulary } from "../engine/segment_terms.ts";
import { LANGUAGES } from "../engine/words.ts";
import type { ObservationIndex } from "./observation_index.ts";

/**
 * Words in the form that HeldWords looks up. Each word is a list of rows (positions in
 * HeldWords.keys), one per language. An observation contains the word if it contains the term of
 * any of these rows. A group of facet terms counts as one word, with a row per facet term.
 */
export type Wording = readonly (readonly number[])[];

/**
 * Set of words for which observations are checked. All words must be added before the first
 * observation is read.
 */
export class HeldWords implements SmallVocabulary {
  readonly keys: Key[] = [];
  readonly #rows = new Map<string, number>();
  #places: RowPlaces = new Int32Array(0);

  get isEmpty(): boolean {
    return this.keys.length === 0;
  }

  /**
   * Adds words, and returns them as a wording.
   *
   * @param languages languages of which an observation may contain a form of each word
   */
  add(words: readonly string[], languages: readonly (typeof LANGUAGES)[number][]): Wording {
    return words.map((word) => languages.map((language) => this.#rowOf(word, language)));
  }

  /** Adds facet terms as one wording. `has` is true for observations with any of these terms. */
  addFacets(facets: readonly string[]): Wording {
    return [facets.map((facet) => this.#rowOfTerm(FACET_SPACE, facet, keyOfFacet(facet)))];
  }

  /** Reads the terms of an observation. Later calls of `has` refer to this observation. */
  read(index: ObservationIndex, observationId: number): void {
    this.#places = index.termsHeld(observationId, this);
  }

  /** Returns whether the last observation that was read contains all words of a wording. */
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
