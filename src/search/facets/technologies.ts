/** Technologies that a query names: products, languages and tools, in capitals or small letters. */
import { NAME_OF_SPELLING } from "../../ingest/classify/technologies.ts";
import { memoized } from "../../memoized.ts";
import { fold } from "../words/stems.ts";
import ambiguous from "./ambiguous_technologies.txt" with { type: "text" };

/** Keys of names that often mean something else. They count only with a cue, as in "uses Go". */
const AMBIGUOUS: ReadonlySet<string> = new Set(ambiguous.trimEnd().split("\n").map(plainKey));

/** Keys of technologies by the keys of their spellings. */
const KEY_OF_SPELLING = new Map(
  [...NAME_OF_SPELLING].map(([spelling, name]) => [plainKey(spelling), plainKey(name)]),
);

/** Maximum number of words in the name of a technology. */
export const TECHNOLOGY_WORDS_MAX = 4;

/** Returns the canonical key of a technology: folded, without signs other than "+" and "#". */
export const technologyKey = memoized((name) => {
  const key = plainKey(name);
  return KEY_OF_SPELLING.get(key) ?? key;
});

/** Keys of technologies in records, by the key of the name that queries use instead. */
const KEY_IN_RECORDS: Readonly<Record<string, string>> = { go: "golang", machinelearning: "ml" };

/** Returns the keys that a technology of a query may have in records. */
export function askedTechnologyKeys(name: string): string[] {
  const key = technologyKey(name);
  return [key, KEY_IN_RECORDS[key] ?? []].flat();
}

function plainKey(name: string): string {
  return fold(name).replace(/[^\p{L}\p{N}+#]+/gu, "");
}

/** Returns whether a key means a technology without a cue. */
export function isTechnology(key: string): boolean {
  return KEY_OF_SPELLING.has(key) && !AMBIGUOUS.has(key);
}
