/** Finds words that differ from a misspelled word by few letters. */

/** Number of letters from which two edits are allowed instead of one. */
const LONG_WORD = 8;

/** Min number of letters of a word that is corrected. Shorter words have too many neighbours. */
const LETTERS_MIN = 4;

const CORRECTIONS_MAX = 3;

/**
 * Returns at most three of the words that occur and are within the edits that a folded word allows:
 * the nearest first, then the most frequent.
 */
export function correctionsOf(
  word: string,
  words: readonly string[],
  frequencyOf: (word: string) => number,
): string[] {
  if (word.length < LETTERS_MIN || /\p{N}/u.test(word)) return [];
  const edits = word.length >= LONG_WORD ? 2 : 1;
  const near = words.filter((text) => text !== word && isWithin(edits, word, text));
  return [...new Set(near)]
    .map((text) => ({ text, isNext: isWithin(1, word, text), frequency: frequencyOf(text) }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) =>
      Number(b.isNext) - Number(a.isNext) || b.frequency - a.frequency || (a.text < b.text ? -1 : 1)
    )
    .slice(0, CORRECTIONS_MAX)
    .map(({ text }) => text);
}

/**
 * Tells whether two words differ by at most a number of edits. Swapping two neighbours is one edit.
 *
 * @param from,to positions from which the rests of the words are compared
 */
function isWithin(edits: number, left: string, right: string, from = 0, to = 0): boolean {
  while (from < left.length && left[from] === right[to]) {
    from++;
    to++;
  }
  const missing = left.length - from - (right.length - to);
  if (from === left.length && missing === 0) return true;
  if (edits === 0 || Math.abs(missing) > edits) return false;
  const isSwapped = left[from] === right[to + 1] && left[from + 1] === right[to];
  return isWithin(edits - 1, left, right, from + 1, to + 1) ||
    isWithin(edits - 1, left, right, from + 1, to) ||
    isWithin(edits - 1, left, right, from, to + 1) ||
    isSwapped && isWithin(edits - 1, left, right, from + 2, to + 2);
}
