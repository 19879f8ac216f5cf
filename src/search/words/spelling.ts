/** Finds words that differ from a misspelled word by few letters. */

/** Number of letters from which two edits are allowed instead of one. */
const LONG_WORD = 8;

/** Min number of letters of a word that is corrected. Shorter words have too many neighbours. */
const LETTERS_MIN = 4;

const CORRECTIONS_MAX = 3;

/**
 * Returns those of the words that are within the edits that a folded word allows. They begin with
 * the same letter: people hardly misspell the first one, and other words need no comparison.
 */
export function nearWords(word: string, words: readonly string[]): string[] {
  if (word.length < LETTERS_MIN || /\p{N}/u.test(word)) return [];
  const edits = word.length >= LONG_WORD ? 2 : 1;
  return words.filter((text) =>
    text[0] === word[0] && text !== word && Math.abs(text.length - word.length) <= edits &&
    isWithin(edits, word, text)
  );
}

/** Returns at most three words that occur: the nearest first, then the most frequent. */
export function bestCorrections(
  word: string,
  near: Iterable<string>,
  frequencyOf: (word: string) => number,
): string[] {
  return [...near]
    .map((text) => ({ text, isNext: isWithin(1, word, text), frequency: frequencyOf(text) }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) =>
      Number(b.isNext) - Number(a.isNext) || b.frequency - a.frequency || (a.text < b.text ? -1 : 1)
    )
    .slice(0, CORRECTIONS_MAX)
    .map(({ text }) => text);
}

/** Tells whether two words differ by at most a number of edits. Swapping two neighbours is one. */
function isWithin(edits: number, left: string, right: string): boolean {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  if (edits === 0) return at === left.length && at === right.length;
  const [inLeft, inRight] = [left.slice(at + 1), right.slice(at + 1)];
  const isSwapped = left[at] === right[at + 1] && left[at + 1] === right[at];
  return isWithin(edits - 1, inLeft, inRight) || isWithin(edits - 1, inLeft, right.slice(at)) ||
    isWithin(edits - 1, left.slice(at), inRight) ||
    isSwapped && isWithin(edits - 1, inLeft.slice(1), inRight.slice(1));
}
