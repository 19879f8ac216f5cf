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

/**
 * Returns the postings of the deletions of distinct folded words, in ascending order: 32 bits of a
 * deletion's hash, then 20 bits of its word's number. Words after a million are ignored.
 */
export function deletionsOf(words: readonly string[]): Float64Array {
  const postings = words.slice(0, WORDS_MAX).flatMap((word, owner) =>
    word.length < LETTERS_MIN - 1
      ? []
      : Array.from(formsOf(word), (form) => hashOf(form) * WORDS_MAX + owner)
  );
  return Float64Array.from(postings).sort();
}

/**
 * Returns the words within the distance that a folded word allows. Deletions that share a hash only
 * add candidates, which the distance rejects.
 *
 * @param deletions the result of deletionsOf() for the words
 */
export function nearWords(
  word: string,
  words: readonly string[],
  deletions: Float64Array,
): string[] {
  if (word.length < LETTERS_MIN || /\p{N}/u.test(word)) return [];
  const distanceMax = word.length >= LONG_WORD ? 2 : 1;
  const owners = new Set<number>();
  for (const form of formsOf(word)) {
    const first = hashOf(form) * WORDS_MAX;
    let at = lowerBound(deletions, first);
    for (; deletions[at]! < first + WORDS_MAX; at++) owners.add(deletions[at]! - first);
  }
  return [...owners].map((owner) => words[owner]!).filter((text) => {
    const distance = distanceOf(word, text, distanceMax);
    return distance > 0 && distance <= distanceMax;
  });
}

/** Returns at most three words that occur: the nearest first, then the most frequent. */
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

/** Returns the beginning of a word, and each form of it without one or two of its letters. */
function formsOf(word: string): Set<string> {
  let last = new Set([word.slice(0, PREFIX)]);
  let forms = last;
  // A word one letter short of a long one can be the misspelling of it by two edits.
  const edits = word.length >= LONG_WORD - 2 ? 2 : 1;
  for (let edit = 0; edit < edits; edit++) {
    const next = new Set<string>();
    for (const form of last) {
      for (let at = 0; at < form.length; at++) next.add(form.slice(0, at) + form.slice(at + 1));
    }
    forms = forms.union(next);
    last = next;
  }
  return forms;
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
