/** Questions for the ranking: what a case does not name is not asked for. */
import type { AskedFacet, AskedWord, Question } from "../../src/search/reading/question.ts";

/** Parts of a question; a word given as a text is asked for once. */
export type QuestionPart = Partial<Omit<Question, "words">> & {
  words?: readonly (string | AskedWord)[];
};

/** Returns a facet of terms, which stands for words of a question or for none. */
export function facet(any: string[], words: number[] = []): AskedFacet {
  return { any, sectors: [], words };
}

/** Returns a question that asks for the parts and nothing else. */
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
