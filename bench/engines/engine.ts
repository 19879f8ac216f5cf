/** The interface that the benches require of every engine. */
import type { Corpus, CorpusDocument } from "../corpus.ts";
import type { Query } from "../queries.ts";

export interface Hit {
  observation_id: number;
  /** Score on the engine's own scale; engines that report none leave it out. */
  score: number;
}

/** Documents whose words are numbers, with what the words are indexed as. */
export interface NumberedTexts {
  /** Number of documents. */
  readonly size: number;
  /** Number of companies. Their ids count from 1. */
  readonly companies: number;
  /** The stem of a word by its number. */
  readonly stems: readonly string[];
  documents(from?: number, to?: number): Iterable<NumberedDocument>;
}

/** A document with its words by field. Ids count from 1 in the order of the documents. */
export type NumberedDocument = Pick<
  CorpusDocument,
  "observation_id" | "company_id" | "country" | "kind" | "words"
>;

/** A search engine. Those that need texts take made-up ones only, the others any numbered ones. */
export interface Engine<Texts extends NumberedTexts = Corpus> {
  name: string;
  /** Takes documents in. Called once, before anything else. */
  fill(texts: Texts): void | Promise<void>;
  /** The best observations that hold any of the words and pass the filter, best first. */
  search(query: Query, limit: number): Hit[] | Promise<Hit[]>;
  /** Bytes held outside of this isolate's heap and array buffers, for engines that hold any. */
  nativeBytes?(): number | Promise<number>;
  close?(): void | Promise<void>;
}

/** Weights of the fields, for all engines that take such weights. */
export const WEIGHTS = {
  company: 3,
  observed_fact: 2,
  why_it_may_matter: 1,
  texts: 1,
} as const;
