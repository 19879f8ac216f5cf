/** Compares words by their stems in English and French. */
import { stemsOf } from "../engine/dictionary.ts";

/** Returns a test whether a folded word has a stem in common with one of the words. */
export function formsOf(words: Iterable<string>): (word: string) => boolean {
  const stems = new Set([...words].flatMap(placedStems));
  return (word) => placedStems(word).some((stem) => stems.has(stem));
}

/** Returns a stem for each language, marked so that stems of two languages are never equal. */
function placedStems(word: string): string[] {
  return stemsOf(word).map((stem, place) => `${place} ${stem}`);
}
