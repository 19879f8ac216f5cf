/** Reads a query into a question, by readers in their order. Only exclusions take words away. */
import { readAmount } from "./amounts.ts";
import { readClosing } from "./closing.ts";
import { readContext } from "./context.ts";
import { Draft } from "./draft.ts";
import { readHostnames, readNegations, readQuotes } from "./exclusions.ts";
import {
  readIndustries,
  readKinds,
  readRoles,
  readRounds,
  readSectors,
  readTechnologies,
} from "./facts.ts";
import { readFiller } from "./filler.ts";
import { readChoices, readCompounds, readMeanings, readSpelling } from "./meanings.ts";
import { readForeignCountries } from "./foreign_countries.ts";
import { readNames } from "./names.ts";
import { readPlaces } from "./places.ts";
import type { IndexedWords, Question } from "./question.ts";
import { readTimes } from "./times.ts";

/** The readers in their order. Each reads one aspect of a query, and adds it to the draft. */
export const READERS: readonly ((draft: Draft) => void)[] = [
  // Sentences beside the question. No later reader sees them.
  readContext,
  // Quoted words, hostnames and names mean only themselves.
  readQuotes,
  readHostnames,
  readNames,
  // Conditions. A closing date is no date of an event, and an amount may contain a year.
  readClosing,
  readAmount,
  readTimes,
  // It takes the cities of foreign countries away from the reader of places.
  readForeignCountries,
  readPlaces,
  readRounds,
  // Places and rounds end an excluded phrase: "not in Ohio restaurants".
  readNegations,
  readRoles,
  // Further ways of words.
  readKinds,
  readSectors,
  readTechnologies,
  readIndustries,
  readFiller,
  readCompounds,
  readMeanings,
  readSpelling,
  // Operands of a choice share all ways that the readers before have found.
  readChoices,
];

/**
 * Reads a query. Times are relative to `now`, and names, technologies, industries and corrections
 * are those of the index. Never throws.
 */
export function readQuestion(query: string, now: Date, index: IndexedWords): Question {
  const draft = new Draft(query, now, index);
  for (const read of READERS) read(draft);
  return draft.finish();
}
