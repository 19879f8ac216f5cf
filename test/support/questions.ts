/** Makes questions for the ranking. Parts that a test omits are empty. */
import type { AskedFacet, AskedWord, Question } from "../../src/search/reading/question.ts";

/** Parts of a question. A word that is a string has the count 1. */
export type QuestionPart = Partial<Omit<Question, "words">> & {
  words?: readonly (string | AskedWord)[];
};

/**
 * Returns a facet that a record meets by any of the terms. `words` are the indexes of the words of
 * the question that the facet covers.
 */
export function facet(any: string[], words: number[] = []): AskedFacet {
  return { any, sectors: [], words };
}

/** Returns a question with these parts only. */
export function questionOf({ words = [], ...part }: QuestionPart = {}): Question {
  return {
    words: words.map((word) => typeof word === "string" ? { text: word, count: 1 } : word),
    alternatives: [],
    choices: [],
    pairs: [],
    phrases: [],
    excluded: [],
    excluded_facets: [],
    excluded_kinds: [],
    excluded_countries: [],
    hostnames: [],
    kinds: [],
    countries: [],
    demand_classes: [],
    sectors: [],
    facets: [],
    occurred: { after: null, before: null },
    closes: { after: null, before: null },
    amount: null,
    names: [],
    corrections: [],
    ...part,
  };
}
