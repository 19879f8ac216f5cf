/** Finds words that differ from a misspelled word by few letters, by deletion neighbourhoods. */
import { keyOf, lowerBound } from "./terms.ts";

/** Number of first letters of which deletions are kept (SymSpell's prefix length). */
const PREFIX = 7;

/** Number of letters from which two edits are allowed instead of one. */
const LONG_WORD = 8;

/** Min number of letters of a word that is corrected. Shorter words have too many neighbours. */
const LETTERS_MIN = 4;

const CORRECTIONS_MAX = 3;

/** Factor of a deletion's hash in a posting; the rest is the number of the word. */
const WORDS_MAX = 1 << 20;

/** Words that can be suggested, with the deletions of their beginnings. */
export class SpellingIndex {
  readonly #words: readonly string[];
  /**
   * Postings in ascending order: 32 bits of a deletion's hash, then 20 bits of its word's number.
   * Deletions that share a hash only add candidates, which the distance rejects.
   */
  readonly #postings: Float64Array;

  /**
   * @param words distinct folded words; words after a million are ignored
   * @param deletions the result of deletionsOf() for the words
   */
  constructor(words: readonly string[], deletions: Float64Array) {
    this.#words = words;
    this.#postings = deletions;
  }

  /** Returns the postings of the deletions of words. */
  static deletionsOf(words: readonly string[]): Float64Array {
    const postings: number[] = [];
    for (let owner = 0; owner < Math.min(words.length, WORDS_MAX); owner++) {
      const word = words[owner]!;
      if (word.length < LETTERS_MIN - 1) continue;
      for (const text of deletionsOf(word)) postings.push(hashOf(text) * WORDS_MAX + owner);
    }
    return Float64Array.from(postings).sort();
  }

  /** Returns the words within the distance that a folded word allows. */
  near(word: string): string[] {
    if (word.length < LETTERS_MIN || /\p{N}/u.test(word)) return [];
    const distanceMax = editsOf(word);
    const owners = new Set<number>();
    for (const text of deletionsOf(word)) {
      const first = hashOf(text) * WORDS_MAX;
      let at = lowerBound(this.#postings, first);
      for (; this.#postings[at]! < first + WORDS_MAX; at++) {
        owners.add(this.#postings[at]! - first);
      }
    }
    return [...owners].map((owner) => this.#words[owner]!).filter((text) => {
      const distance = distanceOf(word, text, distanceMax);
      return distance > 0 && distance <= distanceMax;
    });
  }
}

/**
 * Returns at most three of the words near a word that occur: the nearest first, then the most
 * frequent.
 */
export function bestCorrections(
  word: string,
  near: Iterable<string>,
  frequencyOf: (word: string) => number,
): string[] {
  return [...near]
    .map((text) => ({ text, distance: distanceOf(word, text), frequency: frequencyOf(text) }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) =>
      a.distance - b.distance || b.frequency - a.frequency || (a.text < b.text ? -1 : 1)
    )
    .slice(0, CORRECTIONS_MAX)
    .map(({ text }) => text);
}

function hashOf(text: string): number {
  return keyOf(text) % 0x100000000;
}

function editsOf(word: string): number {
  return word.length >= LONG_WORD ? 2 : 1;
}

/** Returns the beginning of a word, and each form of it without one or two of its letters. */
function deletionsOf(word: string): Set<string> {
  const texts = new Set([word.slice(0, PREFIX)]);
  let last = [...texts];
  // A word one letter short of a long one can be the misspelling of it by two edits.
  const edits = word.length >= LONG_WORD - 2 ? 2 : 1;
  for (let edit = 0; edit < edits; edit++) {
    const next = new Set<string>();
    for (const text of last) {
      for (let at = 0; at < text.length; at++) next.add(text.slice(0, at) + text.slice(at + 1));
    }
    for (const text of next) texts.add(text);
    last = [...next];
  }
  return texts;
}

/**
 * Returns the number of edits between two words. Swapping two neighbours is one edit.
 * @param max returns any number above it as soon as there are more edits
 */
export function distanceOf(left: string, right: string, max = Infinity): number {
  if (Math.abs(left.length - right.length) > max) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      let cost = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
      );
      const isSwapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1];
      if (isSwapped) cost = Math.min(cost, beforeLast[column - 2]! + 1);
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least > max) return least;
    beforeLast = last;
    last = current;
  }
  return last[right.length]!;
}
