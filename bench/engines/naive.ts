/**
 * Reference engine against which results are checked. It analyzes the real texts, and scores every
 * document for every query.
 */
import { detectLanguage, words } from "../../src/search/engine/text.ts";
import { LANGUAGES, stem } from "../../src/search/engine/words.ts";
import type { ObservationDocument } from "../../src/search/index/document.ts";
import { type Corpus, FIELDS, observationOf } from "../corpus.ts";
import type { Query } from "../queries.ts";
import { fieldWeight, rarityOf, termScore } from "./bm25f.ts";
import type { Engine, Hit } from "./engine.ts";

interface Entry {
  document: Pick<ObservationDocument, "observation_id" | "country" | "kind">;
  /** Occurrences of each term by field. */
  terms: Map<string, number[]>;
  /** Number of words of each field. */
  lengths: number[];
}

export function createNaive(): Engine {
  const entries: Entry[] = [];
  const means: number[] = [];
  return {
    name: "naive",
    fill(corpus: Corpus) {
      for (const document of corpus.documents()) {
        entries.push(entryOf(observationOf(corpus, document)));
      }
      for (const field of FIELDS.keys()) {
        const lengths = entries.map((entry) => entry.lengths[field]!).filter((length) =>
          length > 0
        );
        means[field] = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
      }
    },
    search(query: Query, limit: number): Hit[] {
      const wanted = termsOf(query).map((terms) => ({
        terms,
        frequency: entries.filter((entry) => contains(entry, terms)).length,
      }));
      return entries.filter(({ document }) => passes(document, query)).map((entry) => ({
        observation_id: entry.document.observation_id,
        score: wanted.reduce((sum, { terms, frequency }) => {
          const weighted = weigh(entry, terms, means);
          return sum + termScore(rarityOf(frequency, entries.length), weighted);
        }, 0),
      })).filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || a.observation_id - b.observation_id)
        .slice(0, limit);
    },
  };
}

/** Returns the terms of each word: its stem in every language. */
function termsOf({ text }: Query): string[][] {
  return [...new Set(words(text))].map((word) =>
    LANGUAGES.map((language) => `${language} ${stem(word, language)}`)
  );
}

function entryOf({ observation_id, country, kind, text }: ObservationDocument): Entry {
  const language = detectLanguage(`${text.observed_fact} ${text.why_it_may_matter}`);
  const entry: Entry = {
    document: { observation_id, country, kind },
    terms: new Map(),
    lengths: FIELDS.map(() => 0),
  };
  for (const [field, name] of FIELDS.entries()) {
    for (const fieldText of [text[name]].flat()) {
      const textLanguage = detectLanguage(fieldText, language);
      for (const word of words(fieldText)) {
        const term = `${textLanguage} ${stem(word, textLanguage)}`;
        if (!entry.terms.has(term)) entry.terms.set(term, FIELDS.map(() => 0));
        entry.terms.get(term)![field]!++;
        entry.lengths[field]!++;
      }
    }
  }
  return entry;
}

/** Returns whether a document contains any of the terms. */
function contains({ terms }: Entry, wanted: string[]): boolean {
  return wanted.some((term) => terms.has(term));
}

function passes({ country, kind }: Entry["document"], { filter }: Query): boolean {
  return filter === undefined || (filter.country === country && filter.kind === kind);
}

/** Returns the sum of the weights of the occurrences of terms. @param means lengths by field */
function weigh({ terms, lengths }: Entry, wanted: string[], means: number[]): number {
  let weighted = 0;
  for (const counts of wanted.flatMap((term) => [terms.get(term) ?? []])) {
    for (const [field, count] of counts.entries()) {
      if (count === 0) continue;
      weighted += count * fieldWeight(field, { length: lengths[field]!, mean: means[field]! });
    }
  }
  return weighted;
}
