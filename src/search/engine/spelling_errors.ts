/** Spelling errors: wrong, missing, added and swapped letters. */

/** A shorter word is not corrected; a word of so many letters may have two errors. */
export const CORRECTED_LETTERS_MIN = 4;
const TWO_ERRORS_LETTERS_MIN = 8;

/** Returns how many errors of a word are corrected: 0, 1 or 2. */
export function errorsMax(word: string): number {
  if (word.length < CORRECTED_LETTERS_MIN) return 0;
  return word.length < TWO_ERRORS_LETTERS_MIN ? 1 : 2;
}

/**
 * Returns the least number of errors that turn one text into another (optimal string alignment), or
 * Infinity if there are more than `max`.
 */
export function countErrors(one: string, other: string, max: number): number {
  if (Math.abs(one.length - other.length) > max) return Infinity;
  const errors = errorsByPrefix(one, other, max)?.[other.length] ?? Infinity;
  return errors <= max ? errors : Infinity;
}

/** Tells whether a text is within `max` errors of any beginning of a word. */
export function isNearBeginning(text: string, word: string, max: number): boolean {
  const errors = errorsByPrefix(text, word, max);
  if (errors === null) return false;
  const last = Math.min(word.length, text.length + max);
  for (let place = Math.max(0, text.length - max); place <= last; place++) {
    if (errors[place]! <= max) return true;
  }
  return false;
}

/** Rows of the alignment table, used in turns. One text is compared at a time. */
let rows = Array.from({ length: 3 }, () => new Uint8Array(64));

/**
 * Returns by length of a beginning of `other` the errors between it and `one`. Only lengths that
 * differ by up to `max` from that of `one` count. Returns null if all have more errors.
 */
function errorsByPrefix(one: string, other: string, max: number): Uint8Array | null {
  if (other.length + 2 > rows[0]!.length) {
    rows = rows.map(() => new Uint8Array(2 * other.length + 2));
  }
  const over = max + 1;
  let [before, last, row] = rows as [Uint8Array, Uint8Array, Uint8Array];
  for (let place = 0; place <= other.length; place++) last[place] = Math.min(place, over);
  for (let at = 1; at <= one.length; at++) {
    const from = Math.max(1, at - max);
    const to = Math.min(other.length, at + max);
    let least = row[from - 1] = from === 1 ? Math.min(at, over) : over;
    for (let place = from; place <= to; place++) {
      const isSame = one.charCodeAt(at - 1) === other.charCodeAt(place - 1);
      let errors = last[place - 1]! + (isSame ? 0 : 1);
      errors = Math.min(errors, last[place]! + 1, row[place - 1]! + 1, over);
      if (isSwapped(one, at, other, place)) errors = Math.min(errors, before[place - 2]! + 1);
      row[place] = errors;
      if (errors < least) least = errors;
    }
    if (to < other.length) row[to + 1] = over;
    if (least > max) return null;
    [before, last, row] = [last, row, before];
  }
  return last;
}

/** Tells whether the last two letters of two beginnings are the same ones in another order. */
function isSwapped(one: string, at: number, other: string, place: number): boolean {
  return at > 1 && place > 1 && one.charCodeAt(at - 1) === other.charCodeAt(place - 2) &&
    one.charCodeAt(at - 2) === other.charCodeAt(place - 1);
}

/** Letters that sound alike where a word begins: "farmacy" and "pharmacy", "kanada" and "canada". */
const ALIKE = ["fp", "ckqsz", "gj", "iy"].map((letters) =>
  new Set(Array.from(letters, (letter) => letter.charCodeAt(0)))
);

/** Tells whether two first letters are the same or sound alike; two errors need that. */
export function beginAlike(one: number, other: number): boolean {
  return one === other || ALIKE.some((letters) => letters.has(one) && letters.has(other));
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Lists the texts that differ from a word by one error, without the word itself. */
export function oneErrorAway(word: string): Set<string> {
  const texts = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const before = word.slice(0, at);
    const after = word.slice(at + 1);
    for (const letter of LETTERS) {
      texts.add(before + letter + word.slice(at));
      if (at < word.length) texts.add(before + letter + after);
    }
    if (at < word.length) texts.add(before + after);
    if (at + 1 < word.length) texts.add(before + word[at + 1] + word[at] + word.slice(at + 2));
  }
  texts.delete(word);
  return texts;
}
