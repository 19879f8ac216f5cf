/** Reads a query into a question. */
import { Draft } from "./draft.ts";
import type { IndexedWords, Question } from "./question.ts";
import { READERS } from "./readers.ts";

/**
 * Reads a query. Times are relative to `now`, and names, technologies, industries and corrections
 * are those of the index. Never throws.
 */
export function readQuestion(query: string, now: Date, index: IndexedWords): Question {
  const draft = new Draft(query, now, index);
  for (const read of READERS) read(draft);
  return draft.finish();
}
