/** What an index tells of the names and words of a query. */
import type { ObservationIndex } from "../index/observation_index.ts";
import type { KnownTerms } from "../reading/question.ts";

/** Returns the known terms of an index. */
export function knownTerms(index: ObservationIndex): KnownTerms {
  return {
    frequency: (facet) => index.facetFrequency(facet),
    wordFrequency: (word) => index.wordFrequency(word),
    nearestName: (key) => index.nearestName(key),
    nearestWord: (word) => index.nearestWord(word),
  };
}
