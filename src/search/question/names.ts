/** Finds the names and tickers of companies that the index contains. */
import { nameKeyOfWords, nameWord } from "../facets/name_keys.ts";
import { termOf } from "../words/terms.ts";
import { type Draft, factWay } from "./draft.ts";
import { PLACES } from "./known_places.ts";
import type { Span } from "./query_text.ts";

/** Number of tokens at the start of a query among which names are searched for. */
const NAME_TOKENS_MAX = 40;
/** Max number of tokens in a name. */
const NAME_WORDS_MAX = 8;

/**
 * A word is rare if at most RARE_FACTOR * n + RARE_EXTRA records contain it. `n` is the number of
 * records with the name that the word may be. A rare word means the name.
 */
const RARE_FACTOR = 3;
const RARE_EXTRA = 5;

interface Token extends Span {
  written: string;
  /** The token as a part of a name's key. */
  name: string;
}

const TOKEN = /[^\s,;:!?()[\]{}"“”«»/\\|<>]+/gu;

/**
 * Adds names to the words that they consist of. Other readers do not read a name of several words:
 * "Toronto Hydro" is no place.
 */
export function readNames(draft: Draft): void {
  const tokens: Token[] = [...draft.text.cased.matchAll(TOKEN)].slice(0, NAME_TOKENS_MAX)
    .map(({ index, 0: written }) => ({
      start: index,
      end: index + written.length,
      written,
      name: nameWord(written),
    }));
  const free = new Set(tokens);
  for (let count = Math.min(NAME_WORDS_MAX, tokens.length); count > 0; count--) {
    for (let at = 0; at + count <= tokens.length; at++) {
      const inside = tokens.slice(at, at + count);
      if (!inside.every((token) => free.has(token))) continue;
      const key = nameKeyOfWords(inside.map(({ name }) => name));
      const span = { start: inside[0]!.start, end: inside.at(-1)!.end };
      // A name consists of content words, possibly with others: "The Bay", not "the".
      if (key.length < 2 || draft.unitsIn(span).length === 0) continue;
      const frequency = draft.frequency(`name:${key}`);
      if (frequency === 0 || !isMeant(draft, { inside, tokens, frequency })) continue;
      draft.addWay(factWay("name", [`name:${key}`]), span);
      if (count > 1) draft.text.take(span);
      for (const token of inside) free.delete(token);
    }
  }
  readTickers(draft, tokens);
}

function isMeant(
  draft: Draft,
  { inside, tokens, frequency }: {
    inside: readonly Token[];
    tokens: readonly Token[];
    frequency: number;
  },
): boolean {
  const words = inside.map(({ name }) => name).filter((name) => name !== "").join(" ");
  const place = PLACES.get(words);
  if (place !== undefined && !place.is_minor) return false;
  if (inside.length === tokens.length) return true;
  if (inside.length > 1) return draft.unitsIn(inside[0]!, inside.at(-1)!).length > 0;
  return wordFrequency(draft, inside[0]!.name) <= RARE_FACTOR * frequency + RARE_EXTRA;
}

/** Adds tickers to words in capitals that records rarely contain as words. */
function readTickers(draft: Draft, tokens: readonly Token[]): void {
  for (const token of tokens) {
    const { name, written } = token;
    const isSymbol = /^\$?[A-Z]{1,5}$/.test(written) ||
      (tokens.length === 1 && /^[a-z]{2,5}$/.test(name));
    if (!isSymbol || (tokens.length > 1 && !written.startsWith("$"))) continue;
    const frequency = draft.frequency(`ticker:${name}`);
    const isRare = wordFrequency(draft, name) <= RARE_FACTOR * frequency + RARE_EXTRA;
    if (frequency > 0 && (isRare || written.startsWith("$"))) {
      draft.addWay(factWay("name", [`ticker:${name}`]), token);
    }
  }
}

function wordFrequency(draft: Draft, word: string): number {
  return Math.max(draft.frequency(termOf([word], "en")), draft.frequency(termOf([word], "fr")));
}
