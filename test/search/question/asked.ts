/** Reads questions with a small index of known terms. */
import type { IndexedWords, Question, Unit } from "../../../src/search/question/question.ts";
import { readQuestion } from "../../../src/search/question/read_question.ts";
import { keyOf } from "../../../src/search/words/terms.ts";

export const NOW = new Date("2026-07-01T00:00:00Z");

/** Returns an index that contains terms, each in five records, and knows corrections. */
export function indexOf(
  terms: readonly string[] = [],
  corrections: Readonly<Record<string, readonly string[]>> = {},
): IndexedWords {
  const keys = new Set(terms.map(keyOf));
  return {
    frequency: (key) => keys.has(key) ? 5 : 0,
    corrections: (word) => corrections[word] ?? [],
  };
}

export function asked(query: string, index = indexOf()): Question {
  return readQuestion(query, NOW, index);
}

/** Returns the texts of the units that are not filler. */
export function subjectOf({ units }: Question): string[] {
  return units.filter(({ is_filler }) => !is_filler).map(({ text }) => text);
}

/** Returns the unit of a word. */
export function unitOf({ units }: Question, word: string): Unit {
  const unit = units.find(({ text }) => text === word);
  if (unit === undefined) throw new Error(`${word} is no unit`);
  return unit;
}

/** Returns the ways of a word that come from one of the origins. */
export function waysOf(question: Question, word: string, ...origins: string[]): string[] {
  return unitOf(question, word).ways.filter(({ origin }) => origins.includes(origin))
    .map(({ text }) => text);
}

/** Returns microseconds since the epoch. */
export function instant(text: string): number {
  return Date.parse(text) * 1000;
}
