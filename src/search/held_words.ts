/** Which of a few words an observation holds, in whatever form of a language. */
import { FACET_SPACE, type Key, keyOf } from "./engine/dictionary.ts";
import type { ObservationIndex } from "./engine/observation_index.ts";
import { stemsOf } from "./engine/question.ts";
import type { HoldsRow, SmallVocabulary } from "./engine/term_rows.ts";
import { LANGUAGES } from "./engine/tokens.ts";

/** By word: the rows of its stems. */
export type Wording = readonly (readonly number[])[];

const UNKNOWN = 0;
const HELD = 1;
const ABSENT = 2;

/** Words are added first; then observations are read, one after the other. */
export class HeldWords implements SmallVocabulary {
  readonly keys: Key[] = [];
  readonly #rows = new Map<string, number>();
  /** By row, of what was read last: not looked for yet, held, or not held. */
  #known = new Uint8Array(0);
  #holds: HoldsRow = () => false;

  get isEmpty(): boolean {
    return this.keys.length === 0;
  }

  /** @param languages by any of which a word counts as held */
  add(some: readonly string[], languages: readonly (typeof LANGUAGES)[number][]): Wording {
    return some.map((word) => languages.map((language) => this.#rowOf(word, language)));
  }

  /** Adds facet terms, any of which counts as held. */
  addFacets(facets: readonly string[]): Wording {
    return [facets.map((facet) => this.#rowOfTerm(FACET_SPACE, facet))];
  }

  row({ bytes, hash }: Key): number {
    return this.keys.findIndex((key) =>
      key.hash === hash && key.bytes.length === bytes.length &&
      key.bytes.every((byte, at) => byte === bytes[at])
    );
  }

  read(index: ObservationIndex, observationId: number): void {
    if (this.#known.length === this.keys.length) this.#known.fill(UNKNOWN);
    else this.#known = new Uint8Array(this.keys.length);
    this.#holds = index.termsHeld(observationId, this);
  }

  /** Whether what was read last holds all words. */
  has(wording: Wording): boolean {
    for (const rows of wording) {
      if (!this.#hasAny(rows)) return false;
    }
    return wording.length > 0;
  }

  /** Looks each row up once, and only those that decide. */
  #hasAny(rows: readonly number[]): boolean {
    for (const row of rows) {
      if (this.#known[row] === UNKNOWN) this.#known[row] = this.#holds(row) ? HELD : ABSENT;
      if (this.#known[row] === HELD) return true;
    }
    return false;
  }

  #rowOf(word: string, language: (typeof LANGUAGES)[number]): number {
    const space = LANGUAGES.indexOf(language);
    return this.#rowOfTerm(space, stemsOf(word)[space]!);
  }

  #rowOfTerm(space: number, text: string): number {
    const name = `${space} ${text}`;
    const known = this.#rows.get(name);
    if (known !== undefined) return known;
    this.#rows.set(name, this.keys.length);
    return this.keys.push(keyOf(space, text)) - 1;
  }
}
