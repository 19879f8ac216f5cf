/** Which of a few words an observation holds, in whatever form of a language. */
import { type Key, keyOf } from "./engine/dictionary.ts";
import type { ObservationIndex } from "./engine/observation_index.ts";
import { stemsOf } from "./engine/question.ts";
import type { Vocabulary } from "./engine/term_rows.ts";
import { LANGUAGES } from "./engine/tokens.ts";

/** By word: the rows of its stems. */
export type Wording = readonly (readonly number[])[];

/** Words are added first; then observations are read, one after the other. */
export class HeldWords implements Vocabulary {
  readonly keys: Key[] = [];
  readonly #rows = new Map<string, number>();
  readonly #held = new Set<number>();

  get isEmpty(): boolean {
    return this.keys.length === 0;
  }

  /** @param languages by any of which a word counts as held */
  add(some: readonly string[], languages: readonly (typeof LANGUAGES)[number][]): Wording {
    return some.map((word) => languages.map((language) => this.#rowOf(word, language)));
  }

  row({ bytes, hash }: Key): number {
    return this.keys.findIndex((key) =>
      key.hash === hash && key.bytes.length === bytes.length &&
      key.bytes.every((byte, at) => byte === bytes[at])
    );
  }

  read(index: ObservationIndex, observationId: number): void {
    this.#held.clear();
    index.readTerms(observationId, this, (row) => this.#held.add(row));
  }

  /** Whether what was read last holds all words. */
  has(wording: Wording): boolean {
    return wording.length > 0 &&
      wording.every((rows) => rows.some((row) => this.#held.has(row)));
  }

  #rowOf(word: string, language: (typeof LANGUAGES)[number]): number {
    const space = LANGUAGES.indexOf(language);
    const text = stemsOf(word)[space]!;
    const name = `${language} ${text}`;
    const known = this.#rows.get(name);
    if (known !== undefined) return known;
    this.#rows.set(name, this.keys.length);
    return this.keys.push(keyOf(space, text)) - 1;
  }
}
