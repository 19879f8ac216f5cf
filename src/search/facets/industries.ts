/** Keys of industries, with their synonyms. */
import { memoized } from "../../memoized.ts";
import { fold } from "../words/stems.ts";
import table from "./industries.txt" with { type: "text" };

/**
 * Keys that mean the same. A line of industries.txt has those of one industry. Sources use the first
 * key. Each key of a line in a question matches each key of that line in a record. A plural that only
 * adds an "s" needs no entry.
 */
const KEYS = new Map<string, readonly string[]>();
for (const line of table.trim().split("\n")) {
  const keys = line.split("=");
  for (const key of keys) KEYS.set(key, keys);
}

/** Maximum number of words in the name of an industry. */
export const INDUSTRY_WORDS_MAX = 5;

/** Returns a key, its singular, and their equivalent keys. */
export function industryKeys(key: string): readonly string[] {
  const known = KEYS.get(key) ?? KEYS.get(singular(key));
  return [...new Set([key, singular(key), ...known ?? []])];
}

function singular(key: string): string {
  return key.length > 4 && key.endsWith("s") && !key.endsWith("ss") ? key.slice(0, -1) : key;
}

/** Returns the key of an industry: folded, without spaces and signs; "&" is "and". */
export const industryKey = memoized((industry) =>
  fold(industry).replaceAll("&", "and").replace(/[^\p{L}\p{N}]+/gu, "")
);
