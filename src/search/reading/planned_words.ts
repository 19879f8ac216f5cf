/** Content words of a planner: those of the query, and others that it adds. */
import type { AskedWord, Correction } from "./question.ts";
import { formsOf } from "./same_stem.ts";

/**
 * Returns a planner's words, corrected as the query was. Words whose stem the query does not have are
 * marked as added, unless the planner has left out every word of the query.
 */
export function plannedWords(
  planned: readonly AskedWord[],
  { content, corrections }: { content: readonly AskedWord[]; corrections: readonly Correction[] },
): AskedWord[] {
  const near = new Map(corrections.map(({ from, to }) => [from, to]));
  const isOfQuery = formsOf(content.map(({ text }) => text));
  const words = planned.map(({ text, count }) => ({ text: near.get(text) ?? text, count }));
  if (!words.some(({ text }) => isOfQuery(text))) return words;
  return words.map((word) => isOfQuery(word.text) ? word : { ...word, added: true });
}
