/** Our engine, as the service uses it. */
import type { CompanyHit, ObservationHit } from "../../src/search/engine/collecting.ts";
import { words } from "../../src/search/engine/text.ts";
import type { ObservationDocument } from "../../src/search/index/document.ts";
import { ObservationIndex } from "../../src/search/index/observation_index.ts";
import type { SearchFilters } from "../../src/contract/filters.ts";
import { type Corpus, observationOf } from "../corpus.ts";
import type { Query } from "../queries.ts";
import type { Engine } from "./engine.ts";

/** Later than every observation, earlier than every end. */
export const NOW = "2026-09-01T00:00:00.000000Z";

/** Documents prepared at a time. */
const BATCH = 1_000;

export interface Ours extends Engine {
  readonly index: ObservationIndex;
  search(query: Query, limit: number): ObservationHit[];
  shortlist(query: Query, companies: number): CompanyHit[];
  nativeBytes(): number;
}

/** @param index one that is filled already; else an empty one to fill, as the service's worker does */
export function createOurs(index = ObservationIndex.toFill(), name = "ours"): Ours {
  return {
    name,
    index,
    fill: (corpus) => void fillTimed(index, corpus),
    search: (query, limit) => index.searchObservations({ ...questionOf(query), limit }),
    shortlist: (query, companies) =>
      index.shortlist({ ...questionOf(query), companies, observations_per_company: 3 }),
    nativeBytes: () => sharedBytes(index),
  };
}

/**
 * Puts a whole corpus into an index.
 *
 * @returns the milliseconds that the index took; making the documents is not counted
 */
export function fillTimed(index: ObservationIndex, corpus: Corpus): number {
  let taken = 0;
  for (let from = 0; from < corpus.size; from += BATCH) {
    const documents = observations(corpus, from, Math.min(from + BATCH, corpus.size));
    const start = performance.now();
    for (const document of documents) index.put(document);
    taken += performance.now() - start;
  }
  const start = performance.now();
  index.engine.compact();
  return taken + performance.now() - start;
}

/** The documents from one number up to another. */
export function observations(corpus: Corpus, from: number, to: number): ObservationDocument[] {
  return Array.from(corpus.documents(from, to), (document) => observationOf(corpus, document));
}

/** Segments are shared memory, which no count of an isolate's own memory has in it. */
function sharedBytes(index: ObservationIndex): number {
  return index.state().segments.reduce(
    (sum, { buffer, deleted }) => sum + buffer.byteLength + (deleted?.byteLength ?? 0),
    0,
  );
}

/** Returns the question that a caller's text gives, words and all. */
function questionOf({ text, filter }: Query) {
  return {
    words: words(text),
    now: NOW,
    ...filter ? { filters: filtersOf(filter) } : {},
  };
}

function filtersOf({ country, kind }: NonNullable<Query["filter"]>): SearchFilters {
  return {
    countries: [country],
    kinds: [kind],
    demand_classes: [],
    occurred_after: null,
    observed_after: null,
    company_ids: [],
    exclude_company_ids: [],
    domains: [],
    exclude_domains: [],
  };
}
