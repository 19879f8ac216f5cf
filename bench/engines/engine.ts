/** What the benches ask of every engine alike. */
import type { Corpus } from "../corpus.ts";
import type { Query } from "../queries.ts";

export interface Hit {
  observation_id: number;
  /** Of the engine's own scale; engines that do not tell leave it out. */
  score: number;
}

export interface Engine {
  name: string;
  /** Takes a corpus in. Called once, before anything else. */
  fill(corpus: Corpus): void | Promise<void>;
  /** The best observations that hold any of the words and pass the filter, best first. */
  search(query: Query, limit: number): Hit[] | Promise<Hit[]>;
  /** Bytes held outside of this isolate's heap and array buffers, for engines that hold any. */
  nativeBytes?(): number | Promise<number>;
  close?(): void | Promise<void>;
}

/** What a field counts, in all engines that take weights for fields. */
export const WEIGHTS = {
  company: 3,
  observed_fact: 2,
  why_it_may_matter: 1,
  texts: 1,
  english_labels: 1,
  french_labels: 1,
} as const;
