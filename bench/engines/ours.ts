/** Our engine, called in the same way as by the service. */
import type { CompanyHit, ObservationHit } from "../../src/search/engine/collecting.ts";
import { words } from "../../src/search/engine/text.ts";
import type { ObservationDocument } from "../../src/search/index/document.ts";
import { ObservationIndex } from "../../src/search/index/observation_index.ts";
import type { SearchFilters } from "../../src/contract/filters.ts";
import { type Corpus, observationOf } from "../corpus.ts";
import type { Query } from "../queries.ts";
import type { Engine } from "./engine.ts";

/** Present moment of all searches, after every observation and before every expiry. */
export const NOW = "2026-09-01T00:00:00.000000Z";

/** Number of documents that are generated at once, before they are indexed. */
const BATCH = 1_000;

export interface Ours extends Engine {
  readonly index: ObservationIndex;
  search(query: Query, limit: number): ObservationHit[];
  shortlist(query: Query, companies: number): CompanyHit[];
  nativeBytes(): number;
}

/** Creates the engine. @param index filled index; by default an empty one, to be filled */
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
 * Indexes a whole corpus.
 *
 * @returns milliseconds of indexing, without those of generating the documents
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

/** Returns the documents numbered `from` to `to - 1`. */
export function observations(corpus: Corpus, from: number, to: number): ObservationDocument[] {
  return Array.from(corpus.documents(from, to), (document) => observationOf(corpus, document));
}

/** Returns the bytes of the segments. They are shared memory, which no isolate counts as its own. */
function sharedBytes(index: ObservationIndex): number {
  return index.state().segments.reduce(
    (sum, { buffer, deleted }) => sum + buffer.byteLength + (deleted?.byteLength ?? 0),
    0,
  );
}

/** Returns a query in the form that the index requires: words, moment and filters. */
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
