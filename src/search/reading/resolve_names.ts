/**
 * Finds company names and misspelt words in a query, by the names and words of an index.
 */
import { countErrors } from "../engine/spelling.ts";
import { nameKeyOfWords } from "./name_keys.ts";
import { industryKey, industryKeys } from "./industries.ts";
import { isWithin, overlaps, type Span } from "./passages.ts";
import type { Correction, KnownTerms } from "./question.ts";
import type { QueryToken } from "./query_tokens.ts";
import { isLikelyCorrection, isSpelledWell, spellingVariants } from "./misspellings.ts";
import { isTechnology, technologyKey } from "./technologies.ts";

/** A span of a query that is a known name. */
export interface NameSpan extends Span {
  /** Facet term of the name. */
  term: string;
  /** True if the name is also a word for a trade: "Software". */
  is_trade: boolean;
}

/** Names, tickers and corrections of a query. */
interface ResolvedNames {
  spans: NameSpan[];
  tickers: string[];
  corrections: Correction[];
}

/** Number of tokens at the start of a query among which names are searched for. */
const NAME_TOKENS_MAX = 40;
/** Max number of words in a name. */
const NAME_WORDS_MAX = 8;
/**
 * Max number of lookups of near names and of near words per query. A lookup may take milliseconds.
 */
const NEAR_NAMES_MAX = 4;
const NEAR_WORDS_MAX = 8;
/** Min number of letters in a word or name that is corrected. */
const CORRECTED_LETTERS_MIN = 5;
/**
 * A word that exactly one document contains is corrected only if it has at least
 * FAR_RARER_LETTERS_MIN letters, and at least FAR_RARER documents contain the near word. A word
 * that more documents contain is not corrected.
 */
const FAR_RARER_LETTERS_MIN = 7;
const FAR_RARER = 200;
/**
 * A word is rare if at most RARE_FACTOR * n + RARE_EXTRA documents contain it. `n` is the number of
 * documents with the name or ticker that the word may be. A rare word means the name or ticker.
 */
const RARE_FACTOR = 3;
const RARE_EXTRA = 5;

/** Finds names as they are written, corrects unknown words, and then finds misspelt names. */
export function resolveNames(
  tokens: QueryToken[],
  { known, isTradeWord }: Pick<Corrected, "known" | "isTradeWord">,
): ResolvedNames {
  const searched = tokens.slice(0, NAME_TOKENS_MAX);
  const spans = namesIn(searched, known);
  const before = searched.map(({ name }) => name);
  const tickers = tickersIn(searched, known);
  if (tickers.length > 0) return { spans, tickers, corrections: [] };
  const corrections = correctWords(tokens, { spans, known, isTradeWord });
  if (corrections.length === 0 && !hasUnknown(searched, { spans, known, isTradeWord })) {
    return { spans, tickers, corrections };
  }
  // A name with a corrected word replaces shorter names within it.
  const corrected = namesIn(searched, known, true).filter((span) =>
    spans.every((one) => !overlaps(one, span) || isPart(one, span))
  );
  const settled = [
    ...spans.filter((one) => !corrected.some((span) => isPart(one, span))),
    ...corrected,
  ];
  const near = nearNames(searched, { spans: settled, before, known, isTradeWord });
  return {
    spans: [...settled, ...near.spans],
    tickers,
    corrections: [...corrections, ...near.corrections],
  };
}

function isPart(span: NameSpan, longer: NameSpan): boolean {
  return isWithin(span, longer) && !isWithin(longer, span);
}

/** Finds known names, the longest first. */
function namesIn(
  tokens: readonly QueryToken[],
  known: KnownTerms,
  isCorrected = false,
): NameSpan[] {
  const spans: NameSpan[] = [];
  for (let count = Math.min(NAME_WORDS_MAX, tokens.length); count > 0; count--) {
    for (let at = 0; at + count <= tokens.length; at++) {
      const inside = tokens.slice(at, at + count);
      if (!canBeName(inside, tokens)) continue;
      const key = keyOf(inside);
      if (key.length < 2) continue;
      const [start, end] = [inside[0]!.start, inside.at(-1)!.end];
      const frequency = known.facetFrequency(`name:${key}`);
      if (frequency === 0 || spans.some((span) => overlaps(span, { start, end }))) continue;
      const isMeant = isNamed(inside, { tokens, key, frequency, known, isCorrected });
      if (isMeant) spans.push({ term: `name:${key}`, start, end, is_trade: isTrade(key, known) });
    }
  }
  return spans;
}

function keyOf(inside: readonly QueryToken[]): string {
  if (inside.some(({ role }) => role === "unwanted")) return "";
  return nameKeyOfWords(inside.map(({ name }) => name));
}

/** Returns whether words of a query can be a name. This test spares most words an index lookup. */
function canBeName(inside: readonly QueryToken[], tokens: readonly QueryToken[]): boolean {
  if (inside.length === tokens.length) return true;
  if (inside.every(({ role }) => role !== "content")) return false;
  return inside.length === 1 || inside.every(isPlain) || inside.every(isCapital);
}

/** Returns whether a token is content, a stop word or a letter. */
function isPlain({ role }: QueryToken): boolean {
  return role === "content" || role === "stop" || role === "letter";
}

/** Returns whether words with the key of a known name mean that name. */
function isNamed(
  inside: readonly QueryToken[],
  { tokens, key, frequency, known, isCorrected }: {
    tokens: readonly QueryToken[];
    key: string;
    frequency: number;
    known: KnownTerms;
    isCorrected: boolean;
  },
): boolean {
  if (inside.length === tokens.length) return true;
  if (isTrade(key, known)) return false;
  if (inside.length > 1) return true;
  const [token] = inside;
  const hasOtherContent = tokens.some((one) => one !== token && one.role === "content");
  if (hasOtherContent && isCorrected) return false;
  const isRare = key.length >= CORRECTED_LETTERS_MIN &&
    known.wordFrequency(token!.words[0]!) <= RARE_FACTOR * frequency + RARE_EXTRA;
  return isRare || (!hasOtherContent && isCapital(token!));
}

function isCapital({ written, role }: QueryToken): boolean {
  return /\p{Lu}/u.test(written) ||
    (role !== "content" && /^(?:of|the|and|&|de|du|la|le|et)$/.test(written));
}

/** Returns whether a key names an industry or a technology rather than one company. */
function isTrade(key: string, known: KnownTerms): boolean {
  return isTechnology(technologyKey(key)) ||
    industryKeys(industryKey(key)).some((one) => known.facetFrequency(`industry:${one}`) > 0);
}

/** Finds ticker symbols: words in capitals that documents rarely use as words. */
function tickersIn(tokens: readonly QueryToken[], known: KnownTerms): string[] {
  const content = tokens.filter(({ role }) => role === "content");
  return content.flatMap(({ name, written, words }) => {
    const isSymbol = /^\$?[A-Z]{1,5}$/.test(written) ||
      (tokens.length === 1 && /^[a-z]{2,5}$/.test(name));
    if (!isSymbol || (content.length > 1 && !written.startsWith("$"))) return [];
    const term = `ticker:${name}`;
    const frequency = known.facetFrequency(term);
    const isRare = known.wordFrequency(words[0]!) <= RARE_FACTOR * frequency + RARE_EXTRA;
    return frequency > 0 && (isRare || written.startsWith("$")) ? [term] : [];
  });
}

interface Corrected {
  spans: readonly NameSpan[];
  known: KnownTerms;
  /**
   * Returns whether a rule has read the token as a word of a trade. Such a token is no misspelling.
   */
  isTradeWord(token: QueryToken): boolean;
}

/** Returns whether a word is in use: in documents, as an industry or as a technology. */
function isInUse(word: string, known: KnownTerms): boolean {
  return known.wordFrequency(word) > 0 || known.facetFrequency(`technology:${word}`) > 0 ||
    isTrade(word, known);
}

/** Replaces misspelt words in place, and returns the corrections. */
function correctWords(
  tokens: readonly QueryToken[],
  { spans, known, isTradeWord }: Corrected,
): Correction[] {
  const corrections: Correction[] = [];
  let lookups = 0;
  for (const token of tokens) {
    if (token.role !== "content" || spans.some((span) => overlaps(span, token))) continue;
    if (token.written.includes(".") || isTradeWord(token)) continue;
    token.words = token.words.map((word) => {
      if (!/^\p{L}+$/u.test(word) || word.length < CORRECTED_LETTERS_MIN) return word;
      const frequency = known.wordFrequency(word);
      if (frequency === 0 && isInUse(word, known)) return word;
      // Another spelling of the same word is no correction.
      const variant = frequency > 0
        ? undefined
        : spellingVariants(word).find((one) => known.wordFrequency(one) > 0);
      if (variant !== undefined) return variant;
      if (frequency > 1 || (frequency > 0 && word.length < FAR_RARER_LETTERS_MIN)) return word;
      if (lookups++ >= NEAR_WORDS_MAX) return word;
      if (isSpelledWell(word, known)) return word;
      const near = known.nearestWord(word);
      if (near === undefined || near === word || !isLikelyCorrection(word, near)) return word;
      if (countErrors(word, near, 1) > 1 && known.wordFrequency(near) < FREQUENCY_MIN) return word;
      if (frequency > 0 && known.wordFrequency(near) < FAR_RARER * frequency) return word;
      corrections.push({ from: word, to: near });
      token.name = token.name.replace(word, near);
      return near;
    });
  }
  return corrections;
}

/**
 * Min number of documents that contain a near word, if it differs by more than one error. A rarer
 * word is probably not meant.
 */
const FREQUENCY_MIN = 20;

function hasUnknown(
  tokens: readonly QueryToken[],
  { spans, known, isTradeWord }: Corrected,
): boolean {
  return tokens.some((token) =>
    token.role === "content" && !spans.some((span) => overlaps(span, token)) &&
    !isTradeWord(token) && token.words.some((word) => !isInUse(word, known))
  );
}

/**
 * Finds near names for unknown words that were not corrected, and for corrected words that are in
 * no name. The longest run of content words is tried first.
 */
function nearNames(
  tokens: readonly QueryToken[],
  { spans, before, known, isTradeWord }: Corrected & { before: readonly string[] },
): { spans: NameSpan[]; corrections: Correction[] } {
  const nearSpans: NameSpan[] = [];
  const corrections: Correction[] = [];
  let lookups = 0;
  const isFree = (token: QueryToken) =>
    token.role === "content" && !isTradeWord(token) &&
    ![...spans, ...nearSpans].some((span) => overlaps(span, token));
  for (let count = Math.min(NAME_WORDS_MAX, tokens.length); count > 0; count--) {
    for (let at = 0; at + count <= tokens.length; at++) {
      const inside = tokens.slice(at, at + count);
      if (!inside.every(isFree) || lookups >= NEAR_NAMES_MAX) continue;
      // A single unknown word among other words is more likely a word than a name.
      if (count === 1 && tokens.filter(({ role }) => role === "content").length > 1) continue;
      if (isLonger(tokens, { at, count, isFree }) || !isDoubtful(inside, { at, before, known })) {
        continue;
      }
      lookups++;
      const key = nameKeyOfWords(before.slice(at, at + count));
      if (isTrade(key, known)) continue;
      const to = key.length < CORRECTED_LETTERS_MIN ? undefined : known.nearestName(key);
      if (to === undefined) continue;
      const [start, end] = [inside[0]!.start, inside.at(-1)!.end];
      nearSpans.push({ term: `name:${to}`, start, end, is_trade: false });
      if (to !== key) corrections.push({ from: key, to });
    }
  }
  return { spans: nearSpans, corrections };
}

/** Returns whether a run of free tokens is part of a longer run. */
function isLonger(
  tokens: readonly QueryToken[],
  { at, count, isFree }: { at: number; count: number; isFree(token: QueryToken): boolean },
): boolean {
  const neighbours = [tokens[at - 1], tokens[at + count]];
  return count > 1 && neighbours.some((token) => token !== undefined && isFree(token));
}

/** Returns whether a run contains an unknown word. A corrected word counts only in a longer run. */
function isDoubtful(
  inside: readonly QueryToken[],
  { at, before, known }: { at: number; before: readonly string[]; known: KnownTerms },
): boolean {
  return inside.some(({ name, words }, place) => {
    const isUnknown = words.some((word) => !isInUse(word, known));
    // A single corrected word is not looked up as a name.
    return isUnknown || (inside.length > 1 && name !== before[at + place]);
  });
}
