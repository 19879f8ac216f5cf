/** The interface that the benches require of every engine. */
import type { Corpus, CorpusDocument } from "../corpus.ts";
import type { Query } from "../queries.ts";

export interface Hit {
  observation_id: number;
  /** Score on the scale of the engine. */
  score: number;
}

/** Documents whose words are numbers, and the stem of each number. */
export interface NumberedTexts {
  /** Number of documents. */
  readonly size: number;
  /** Number of companies. Their ids start at 1. */
  readonly companies: number;
  /** Stems of words, by their numbers. */
  readonly stems: readonly string[];
  documents(from?: number, to?: number): Iterable<NumberedDocument>;
}

/** A document with its words by field. Ids start at 1, in the order of the documents. */
export type NumberedDocument = Pick<
  CorpusDocument,
  "observation_id" | "company_id" | "country" | "kind" | "words"
>;

/** A search engine. It indexes the texts of a `Corpus`, or only the numbers of their words. */
export interface Engine<Texts extends NumberedTexts = Corpus> {
  name: string;
  /** Indexes documents. It is called once, before any search. */
  fill(texts: Texts): void | Promise<void>;
  /** Returns the observations that contain any word and pass the filter, best first. */
  search(query: Query, limit: number): Hit[] | Promise<Hit[]>;
  /** Returns the bytes of memory outside of this isolate's heap and array buffers, if any. */
  nativeBytes?(): number | Promise<number>;
  close?(): void | Promise<void>;
}

/** Weights of the fields, for all engines that support weights. */
export const WEIGHTS = {
  company: 3,
  observed_fact: 2,
  why_it_may_matter: 1,
  texts: 1,
} as const;
