/** Compares words by their stems in English and French. */
import { stemsOf } from "../engine/dictionary.ts";

/** Returns a function that tells whether a folded word shares a stem with one of the words. */
export function formsOf(words: Iterable<string>): (word: string) => boolean {
  const stems = new Set([...words].flatMap(placedStems));
  return (word) => placedStems(word).some((stem) => stems.has(stem));
}

/** Returns the stem in each language, with a prefix that keeps the languages apart. */
function placedStems(word: string): string[] {
  return stemsOf(word).map((stem, place) => `${place} ${stem}`);
}
