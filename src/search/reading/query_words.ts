/** Words of a text with their positions, as rules compare them. */

/** A run of letters and digits, folded. */
export interface Word {
  start: number;
  end: number;
  text: string;
}

/** Returns the runs of letters and digits of a folded text. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));
}
