/**
 * Keys of index terms. A term is a stem in the language of its record ("en:lawyer"), a phrase of
 * stems ("fr:servic juridiqu"), or a fact ("region:US-TX", "name:northwind foods"). Its key is a
 * hash of 52 bits, so that an index holds numbers instead of texts. Among a million terms, two share
 * a key with a probability of 1 in 9,000.
 */
import { type Language, LANGUAGES, stem } from "./stems.ts";

/** Returns the key of a term. */
export function keyOf(term: string): number {
  // Two rounds of FNV-1a with different starts give 26 bits each.
  let high = 0x811c9dc5;
  let low = 0x1b873593;
  for (let at = 0; at < term.length; at++) {
    const unit = term.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x85ebca6b) ^ (low >>> 13);
  }
  high ^= high >>> 15;
  low ^= low >>> 16;
  return (high >>> 6) * 0x4000000 + (low >>> 6);
}

/** Returns the term of one or more words that are neighbours in a text of a language. */
export function termOf(words: readonly string[], language: Language): string {
  return `${language}:${words.map((word) => stem(word, language)).join(" ")}`;
}

/** Returns the keys of neighbouring words, one in each language. */
export function keysOf(words: readonly string[], languages = LANGUAGES as readonly Language[]) {
  return languages.map((language) => keyOf(termOf(words, language)));
}
