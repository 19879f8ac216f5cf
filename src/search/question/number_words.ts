/** Numbers in English and French words. */
import { readPatterns } from "../facets/patterns.ts";
import table from "./number_words.tsv" with { type: "text" };

const WORDS = readPatterns(table);

/** Returns a pattern of the words with these names, and a function of a match's value. */
export function numberWords(...names: string[]) {
  const words = names.flatMap((name) => WORDS.get(name)!).map((line) => {
    const [value, pattern] = line.split("=") as [string, string];
    return { value: Number(value), pattern, whole: new RegExp(`^(?:${pattern})$`) };
  });
  return {
    pattern: words.map(({ pattern }) => pattern).join("|"),
    valueOf: (text: string) => words.find(({ whole }) => whole.test(text))?.value,
  };
}
