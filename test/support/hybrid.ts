/** Searches by words and by vectors of an endpoint. Tests decide when the vectors are computed. */
import type { Sql } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";
import { Embeddings } from "../../src/search/embeddings/embeddings.ts";
import { normalizeFilters } from "./inputs.ts";
import type { EmbeddingEndpoint } from "../../src/search/embeddings/embedded_text.ts";

import { type Retrieval, Retriever } from "../../src/search/retriever.ts";
import { record } from "./factories.ts";

/** Milliseconds between polls, longer than any test. */
const NEVER_POLLS = 3_600_000;
const NOW = new Date("2026-03-10T00:00:00Z");

/** Words without any relation. None of them is in the synonyms of embedding_host.ts. */
export const UNRELATED_WORDS = [
  ...["anvil", "banner", "candle", "daisy", "easel", "fiddle", "garlic", "harp", "ivory", "jigsaw"],
  ...["kettle", "lagoon", "mitten", "nutmeg", "orchid", "pillow", "quilt", "ribbon", "saddle"],
];

/**
 * Opens a retriever with vectors.
 * @param query_milliseconds max duration of the embedding of a query, by default longer than any
 * test
 */
export async function hybrid(sql: Sql, endpoint: EmbeddingEndpoint, query_milliseconds = 60_000) {
  const lines: string[] = [];
  const log = createLog("debug", (line) => void lines.push(line));
  const embeddings = new Embeddings({ sql, log, endpoint, works: true, query_milliseconds });
  const retriever = new Retriever({ sql, log, poll_milliseconds: NEVER_POLLS, embeddings });
  await retriever.source.start();
  const requestFor = (query: string, filters: unknown, now: Date) => ({
    query,
    filters: normalizeFilters(filters),
    now,
  });
  return {
    lines,
    embeddings,
    retriever,
    async embedAll() {
      await retriever.source.refresh();
      const { signal } = new AbortController();
      while (await embeddings.embedder.step(signal));
      await embeddings.follower.refresh();
    },
    async search(query: string, filters: unknown = {}, now = NOW) {
      return withIds(await retriever.search(requestFor(query, filters, now)));
    },
    async searchObservations(query: string, filters: unknown = {}, now = NOW) {
      return withIds(await retriever.searchObservations(requestFor(query, filters, now)));
    },
    [Symbol.asyncDispose]: () => retriever.source.close(),
  };
}

function withIds({ entries, retrieval, limitations }: Retrieval) {
  const ids = entries.flatMap(({ observation_ids }) => observation_ids);
  return { ids, retrieval, limitations };
}

/**
 * Records observations of one sentence and one company each, alternately Canadian and American.
 *
 * @returns their ids
 */
export async function recordFacts(
  sql: Sql,
  facts: readonly string[],
  part: { expires_at?: string } = {},
): Promise<number[]> {
  const recorded = await record(
    sql,
    facts.map((fact, n) => ({
      ...part,
      observed_fact: fact,
      why_it_may_matter: fact,
      country: n % 2 === 0 ? "CA" : "US",
      company: { name: fact.split(" ")[0]! },
      evidence: [{
        source_uri: `https://news.example/${n}`,
        excerpt: fact,
        occurred_at: "2026-03-01T00:00:00Z",
        observed_at: "2026-03-02T09:00:00Z",
      }],
    })),
  );
  return recorded.map(({ observation_id }) => observation_id);
}
