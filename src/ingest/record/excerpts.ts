/** Chooses, from the texts of a source, those that are shown and those that are searched. */
import { RECORD_LIMITS } from "../../contract/record.ts";
import { MASK } from "../masking/contacts.ts";
import { cutAtWord } from "../text/clean_text.ts";

/** Min number of letters and digits of an informative text. The number is chosen. */
const INFORMATIVE_CHARACTERS = 20;

/** A chosen excerpt, and the index of the evidence that provides its address and times. */
interface ChosenExcerpt {
  index: number;
  excerpt: string;
}

/** Returns whether a text is informative. "See Part 3", a heading, or masked names are not. */
export function isInformative(text: string): boolean {
  return letterCount(text) >= INFORMATIVE_CHARACTERS;
}

/**
 * Cuts each excerpt to the passage that supports the fact. An excerpt is dropped if it contains a
 * mask and is not informative. If all are dropped, an informative passage of a text replaces them.
 * If there is none, the excerpts with at least one letter are kept.
 */
export function chooseExcerpts(
  excerpts: readonly string[],
  { texts, fact }: { texts: readonly string[]; fact: string },
): ChosenExcerpt[] {
  const passage = (text: string) => passageOf(text, fact, RECORD_LIMITS.excerpt_characters);
  const chosen = excerpts.map((text, index) => ({ index, excerpt: passage(text) }));
  const supporting = chosen.filter(({ excerpt }) =>
    !excerpt.includes(MASK) || isInformative(excerpt)
  );
  if (supporting.length > 0) return supporting;
  const instead = texts.map(passage).find(isInformative);
  if (instead !== undefined) return [{ index: 0, excerpt: instead }];
  return chosen.filter(({ excerpt }) => letterCount(excerpt) > 0);
}

/** Returns whether an excerpt is cut where it is shown. */
export function isTooLong(excerpt: string): boolean {
  return excerpt.length > RECORD_LIMITS.excerpt_characters;
}

/**
 * Returns the searched texts: the texts of the record, and every excerpt that no text contains.
 * Returns an empty list if the shown excerpts contain everything.
 */
export function searchedTexts(texts: readonly string[], excerpts: readonly string[]): string[] {
  if (texts.length === 0 && !excerpts.some(isTooLong)) return [];
  const missing = excerpts.filter((excerpt) =>
    !texts.some((text) => text.includes(excerpt.replace(/…$/, "")))
  );
  return [...new Set([...texts, ...missing])]
    .map((text) => cutAtWord(text, RECORD_LIMITS.text_characters));
}

/** Returns the number of letters and digits that are not masked. */
function letterCount(text: string): number {
  return text.replaceAll(MASK, "").replace(/[^\p{L}\p{N}]/gu, "").length;
}

/**
 * Min number of characters of a word that is compared with the fact. Shorter words occur in every
 * passage. The number is chosen, not measured.
 */
const MIN_WORD_CHARACTERS = 3;
const WORD = /[\p{L}\p{N}]+/gu;
/**
 * Matches the end of a sentence: a line break, or white space after a full stop, "?", "!" or "…".
 */
const SENTENCE_END = /\n+|(?<=[.!?…]["'”’»)\]]?)[^\S\n]+(?=["'“‘«(\[]?[\p{Lu}\p{N}])/gu;

interface Sentence {
  start: number;
  end: number;
  /** True for a part of a long sentence that is not its last. */
  continues: boolean;
  words: string[];
}

/**
 * Returns a run of whole sentences, at most `max` UTF-16 units long. The distinct words that it has
 * in common with the fact have the largest total weight. A word has less weight if more sentences
 * contain it. The earliest run wins a tie, so a text without common words gives its beginning. A
 * sentence that is too long is split. A text of at most `max` units is returned unchanged.
 */
export function passageOf(text: string, fact: string, max: number): string {
  if (text.length <= max) return text;
  const sentences = sentencesOf(text, max);
  const weights = weightsOf(sentences, new Set(wordsOf(fact)));
  const { first, last } = bestRun(sentences, weights, max);
  const end = sentences[last]!.end;
  const passage = text.slice(sentences[first]!.start, end).trimEnd();
  return cutAtWord(sentences[last]!.continues ? `${passage}…` : passage, max);
}

function sentencesOf(text: string, max: number): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  const add = (end: number) => {
    while (start < end) {
      const next = end - start > max ? endOfPart(text, start, { end, max }) : end;
      const words = wordsOf(text.slice(start, next));
      sentences.push({ start, end: next, continues: next < end, words });
      start = next;
    }
  };
  for (const { index, 0: separator } of text.matchAll(SENTENCE_END)) {
    add(index);
    start = index + separator.length;
  }
  add(text.length);
  return sentences;
}

/** Returns the end of a part of a long sentence: after a word, at about half of the max length. */
function endOfPart(
  text: string,
  start: number,
  { end, max }: { end: number; max: number },
): number {
  const space = text.lastIndexOf(" ", start + max / 2);
  return space > start ? space + 1 : end;
}

function wordsOf(text: string): string[] {
  const folded = text.toLowerCase().normalize("NFD").replace(/\p{M}+/gu, "");
  return (folded.match(WORD) ?? []).filter((word) => word.length >= MIN_WORD_CHARACTERS);
}

/**
 * Returns the weight of each word of the fact: one divided by the number of sentences with it. Also
 * removes all other words, and duplicates, from the words of each sentence.
 */
function weightsOf(sentences: Sentence[], wanted: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sentence of sentences) {
    sentence.words = [...new Set(sentence.words)].filter((word) => wanted.has(word));
    for (const word of sentence.words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return new Map([...counts].map(([word, count]) => [word, 1 / count]));
}

/** Finds the run with the largest weight among the longest runs from each sentence. */
function bestRun(
  sentences: readonly Sentence[],
  weights: ReadonlyMap<string, number>,
  max: number,
): { first: number; last: number } {
  let best = { first: 0, last: 0, score: -1 };
  for (const [first, { start }] of sentences.entries()) {
    let last = first;
    while (last + 1 < sentences.length && sentences[last + 1]!.end - start <= max) last++;
    const words = new Set(sentences.slice(first, last + 1).flatMap((sentence) => sentence.words));
    const score = [...words].reduce((sum, word) => sum + weights.get(word)!, 0);
    // Rounding makes equal sums differ in their last bits, so only a clear gain counts.
    if (score > best.score + 1e-9) best = { first, last, score };
  }
  return best;
}
