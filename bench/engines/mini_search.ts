/** MiniSearch over texts of stems. */
import MiniSearch from "minisearch";
import { FIELDS, tokensOf } from "../corpus.ts";
import { type Engine, type NumberedTexts, WEIGHTS } from "./engine.ts";

export function createMiniSearch(): Engine<NumberedTexts> {
  const index = new MiniSearch({
    fields: [...FIELDS],
    storeFields: ["country", "kind"],
    searchOptions: { boost: WEIGHTS },
  });
  return {
    name: "MiniSearch",
    fill(corpus) {
      for (const document of corpus.documents()) {
        const { observation_id: id, country, kind } = document;
        index.add({ id, ...tokensOf(corpus, document), country, kind });
      }
    },
    search({ tokens, filter }, limit) {
      const results = index.search(tokens, {
        ...filter
          ? { filter: ({ country, kind }) => country === filter.country && kind === filter.kind }
          : {},
      });
      return results.slice(0, limit).map(({ id, score }) => ({ observation_id: id, score }));
    },
  };
}
