/**
 * Finds words and phrases of similar meaning in two tables: the hand-written one (written.ts) and
 * the learned one (learned.ts). The hand-written table overrides the learned one.
 */
import { COSINE_MIN, LearnedTable } from "./learned.ts";
import { memoized } from "../../memoized.ts";
import { isSeparate, type Language, LANGUAGES, stem } from "./stems.ts";
import { keyOf, keysOf, termOf } from "./terms.ts";
import { isContent, type Word, wordsOf } from "./tokens.ts";
import { PHRASE_WORDS_MAX, readWritten, type WrittenGroup } from "./written.ts";

/** A word or phrase that means something similar. */
export interface Similar {
  origin: "written" | "learned";
  /** The word or phrase, in lower case with its accents. */
  text: string;
  /** Key of its index term. */
  keys: readonly [number];
  /** Share of a meaning, above 0 and at most 1. */
  similarity: number;
}

/**
 * Similarity of phrases that a line of the hand-written table calls the same, and of related ones.
 * Twelve pairs of values were tried on the questions over the real texts, by cross-validation. This
 * pair ranked best: its nDCG@10 was .729, and that of the worst pair .702.
 */
export const SAME = 0.9;
const NEAR = 0.65;

/**
 * Returns words and phrases that are similar to a word or phrase, the most similar first. The word
 * or phrase itself, in any of its forms, is not among them.
 *
 * @param words one to three content words, as they are written
 * @param language language of the words; undefined: either
 */
export function similarTo(words: readonly string[], language?: Language): readonly Similar[] {
  return seekSimilar([language ?? "", ...words].join(" "));
}

const seekSimilar = memoized((asked): Similar[] => {
  const [language, ...words] = asked.split(" ");
  const languages = LANGUAGES.filter((one) => language === "" || one === language);
  const keys = new Set(keysOf(words, languages));
  const best = new Map<number, Similar>();
  const add = (similar: Similar) => {
    const [key] = similar.keys;
    const known = best.get(key);
    if (!keys.has(key) && !(known && known.similarity >= similar.similarity)) {
      best.set(key, similar);
    }
  };
  for (const similar of writtenFor(keys)) add(similar);
  for (const similar of learnedFor(words, languages)) {
    const [near] = similar.keys;
    const isForbidden = [...keys].some((key) => read().forbidden.get(key)?.has(near));
    if (!isForbidden && best.get(near)?.origin !== "written") add(similar);
  }
  return [...best.values()].sort((a, b) => b.similarity - a.similarity);
});

function* writtenFor(keys: ReadonlySet<number>): Iterable<Similar> {
  for (const key of keys) {
    for (const { group, as } of read().memberships.get(key) ?? []) {
      const share = as === "near" ? NEAR : SAME;
      for (const phrase of group.same) yield similarFrom(phrase, share);
      for (const phrase of group.asked) yield similarFrom(phrase, Math.min(share, NEAR));
      // Related phrases are related to the group, but not to each other.
      if (as === "near") continue;
      for (const phrase of group.near) yield similarFrom(phrase, NEAR);
    }
  }
}

function similarFrom({ text, key }: WrittenGroup["same"][number], similarity: number): Similar {
  return { origin: "written", text: text.toLowerCase(), keys: [key], similarity };
}

/** Tells whether a word is at least as frequent as another one of its language. */
export function isAsFrequent(word: string, than: string): boolean {
  return read().learned.placeOf(word) <= read().learned.placeOf(than);
}

/** Min number of letters of a word whose neighbours count. Shorter ones have neighbours by spelling. */
const LEARNED_LENGTH_MIN = 3;

function* learnedFor(words: readonly string[], asked: readonly Language[]): Iterable<Similar> {
  const text = words.join(" ").toLowerCase();
  if (text.length < LEARNED_LENGTH_MIN) return;
  const { languages, neighbours } = read().learned.find(text);
  if (!languages.some((language) => asked.includes(language))) return;
  for (const { text, languages, cosine } of neighbours) {
    for (const language of languages) {
      const content = contentOf(wordsOf(text), language);
      if (content.length === 0 || content.length > PHRASE_WORDS_MAX) continue;
      // The vectors of "parking" and "park" are near by their letters.
      const [word, near] = [words[0]!, content[0]!];
      if (isSeparate(word, near) || isSeparate(near, word)) continue;
      // A phrase with the word itself, such as "software vendors", finds no further record.
      const stems = content.map((one) => stem(one, language));
      const isNarrower = words.every((one) => stems.includes(stem(one, language)));
      if (content.length > words.length && isNarrower) continue;
      const key = keyOf(termOf(content, language));
      // From 0.1 at the smallest cosine to 0.66 at 1. Calibrated as SAME.
      yield { origin: "learned", text, keys: [key], similarity: 0.1 + 2 * (cosine - COSINE_MIN) };
    }
  }
}

/** Returns the lengths of the known phrases that start at a content word, the longest first. */
export function phrasesAt(words: readonly string[], position: number): number[] {
  return [3, 2].filter((length) => {
    const phrase = words.slice(position, position + length);
    return phrase.length === length && keysOf(phrase).some((key) => read().phrases.has(key));
  });
}

/** Tells whether a key is that of a phrase of one of the tables. */
export function isKnownPhrase(key: number): boolean {
  return read().phrases.has(key);
}

let tables: ReturnType<typeof readTables> | undefined;

/** Returns the tables, which are read at the first use. */
function read() {
  return tables ??= readTables();
}

function readTables() {
  const learned = new LearnedTable(Deno.readFileSync(new URL("./learned.bin", import.meta.url)));
  const { groups, forbidden: pairs } = readWritten();
  /** Groups in which a phrase stands, by the key of its term. */
  const memberships = new Map<number, { group: WrittenGroup; as: keyof WrittenGroup }[]>();
  /** Keys of the terms of all phrases of two or three words. */
  const phrases = new Set<number>();
  for (const group of groups) {
    for (const as of ["same", "near", "asked"] as const) {
      for (const { key, words } of group[as]) {
        memberships.set(key, [...memberships.get(key) ?? [], { group, as }]);
        if (words.length > 1) phrases.add(key);
      }
    }
  }
  for (const { text, languages } of learned.phrases()) {
    const all = wordsOf(text);
    for (const language of languages) {
      const words = contentOf(all, language);
      if (words.length === 2) phrases.add(keyOf(termOf(words, language)));
    }
  }
  const forbidden = new Map<number, Set<number>>();
  for (const [{ key: left }, { key: right }] of pairs) {
    for (const [from, to] of [[left, right], [right, left]] as const) {
      forbidden.set(from, (forbidden.get(from) ?? new Set()).add(to));
    }
  }
  return { learned, memberships, forbidden, phrases };
}

function contentOf(words: readonly Word[], language: Language): string[] {
  return words.filter((word) => isContent(word, language)).map((word) => word.text);
}
