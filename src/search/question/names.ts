/** Reads names of companies and tickers, which mean only themselves, and names after a negation. */
import { nameKeyOfWords, nameWord } from "../facets/name_keys.ts";
import { isStopWord } from "../words/tokens.ts";
import { type Draft, factWay } from "./draft.ts";
import { PLACES } from "./known_places.ts";
import { minusBefore, negationBefore } from "./negation.ts";
import type { Span } from "./query_text.ts";

/** Number of tokens at the start of a query among which names are searched for. */
const NAME_TOKENS_MAX = 40;
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

/** A name that the index contains. */
interface FoundName extends Span {
  key: string;
  inside: readonly Token[];
  /** Number of records with the name. */
  frequency: number;
}

/**
 * Adds names to the words that they consist of, or excludes them after a negation. Later readers do
 * not see a name of several words: "Toronto Hydro" is no place.
 */
export function readNames(draft: Draft): void {
  const tokens: Token[] = [...draft.text.cased.matchAll(TOKEN)].slice(0, NAME_TOKENS_MAX)
    .map(({ index, 0: written }) => ({
      start: index,
      end: index + written.length,
      written,
      name: nameWord(written),
    }));
  let lastExcluded: Span | undefined;
  for (const found of namesAmong(draft, tokens)) {
    const { key, inside, start, end } = found;
    const way = factWay("name", [`name:${key}`]);
    const negated = negationOf(draft, found, lastExcluded);
    if (inside.length === 1) draft.addWay(way, found);
    else if (negated === undefined) {
      const others = tokens.filter((token) => !inside.includes(token));
      // In "GULF ROBOTICS FUNDING", capitals tell nothing.
      const isWritten = others.length === 0 || others.some((token) => !isCapital(token));
      if (inside.every(isCapital) && isWritten) {
        draft.weaken(found);
        draft.mark("is_literal", found);
      }
      draft.addWay(way, found);
      draft.text.take(found);
    } else if (inside.every(isCapital)) {
      const text = draft.query.slice(start, end).replace(/^-/, "");
      draft.exclude({ on: "words", text, ways: [way] }, { start: negated, end });
      lastExcluded = found;
    }
  }
  readTickers(draft, tokens);
}

/** Returns the names among the tokens in their order. Of names with common words, the longest. */
function namesAmong(draft: Draft, tokens: readonly Token[]): FoundName[] {
  const names: FoundName[] = [];
  const free = new Set(tokens);
  for (let count = Math.min(NAME_WORDS_MAX, tokens.length); count > 0; count--) {
    for (let at = 0; at + count <= tokens.length; at++) {
      const inside = tokens.slice(at, at + count);
      if (!inside.every((token) => free.has(token))) continue;
      if (isConjunction(inside[0]!) || isConjunction(inside.at(-1)!)) continue;
      const key = nameKeyOfWords(inside.map(({ name }) => name));
      const span = { start: inside[0]!.start, end: inside.at(-1)!.end };
      // A name consists of content words, possibly with others: "The Bay", not "the".
      if (key.length < 2 || draft.unitsIn(span).length === 0) continue;
      const name = { ...span, key, inside, frequency: draft.frequency(`name:${key}`) };
      if (name.frequency === 0 || !isMeant(draft, name, tokens)) continue;
      names.push(name);
      for (const token of inside) free.delete(token);
    }
  }
  return names.sort((a, b) => a.start - b.start);
}

/** Pattern of the text between two excluded names. */
const LISTED = /^\s*(?:,|,?\s*(?:and|or|nor|et|ou|ni))\s*$/;

/** Returns the start of the negation of a name; undefined if it is not negated. */
function negationOf(
  { text }: Draft,
  found: FoundName,
  lastExcluded: Span | undefined,
): number | undefined {
  const { start, inside } = found;
  if (/^-./.test(inside[0]!.written)) return minusBefore(text, start + 1);
  if (lastExcluded !== undefined && LISTED.test(text.cased.slice(lastExcluded.end, start))) {
    return lastExcluded.end;
  }
  return negationBefore(text, found);
}

/** Tells whether a token begins with a capital letter or a digit, or is a word such as "of". */
function isCapital({ written, name }: Token): boolean {
  return /^-?[\p{Lu}\p{N}]/u.test(written) || isStopWord(name);
}

/** Tells whether a token joins names, or is a dash, and so neither begins nor ends a name. */
function isConjunction({ written }: Token): boolean {
  return /^(?:and|or|nor|et|ou|ni|[-–—&]+)$/i.test(written);
}

function isMeant(
  draft: Draft,
  { inside, frequency }: FoundName,
  tokens: readonly Token[],
): boolean {
  const words = inside.map(({ name }) => name).filter((name) => name !== "").join(" ");
  const place = PLACES.get(words);
  if (place !== undefined && !place.is_minor) return false;
  if (inside.length === tokens.length) return true;
  if (inside.length > 1) return draft.unitsIn(inside[0]!, inside.at(-1)!).length > 0;
  return draft.wordFrequency(inside[0]!.name) <= RARE_FACTOR * frequency + RARE_EXTRA;
}

/** Adds tickers to words in capitals that records rarely contain as words. */
function readTickers(draft: Draft, tokens: readonly Token[]): void {
  for (const token of tokens) {
    const { name, written } = token;
    const isSymbol = /^\$?[A-Z]{1,5}$/.test(written) ||
      (tokens.length === 1 && /^[a-z]{2,5}$/.test(name));
    if (!isSymbol || (tokens.length > 1 && !written.startsWith("$"))) continue;
    const frequency = draft.frequency(`ticker:${name}`);
    const isRare = draft.wordFrequency(name) <= RARE_FACTOR * frequency + RARE_EXTRA;
    if (frequency > 0 && (isRare || written.startsWith("$"))) {
      draft.addWay(factWay("name", [`ticker:${name}`]), token);
    }
  }
}
