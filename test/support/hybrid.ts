/** Searches by words and vectors of an endpoint, which are computed and read when they are told to. */
import type { Sql } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";
import { Embeddings } from "../../src/search/embeddings/embeddings.ts";
import { normalizeFilters } from "./inputs.ts";
import type { ModelEndpoint } from "../../src/search/models/model_endpoint.ts";
import { readQuery } from "../../src/search/reading/read_query.ts";
import { createRetriever, type Retrieval } from "../../src/search/retriever.ts";
import { record } from "./factories.ts";

const NEVER_POLLS = 3_600_000;
const NOW = new Date("2026-03-10T00:00:00Z");

/**
 * Words that have nothing to do with each other, nor with a synonym of the endpoint on loopback.
 */
export const OTHERS = [
  ...["anvil", "banner", "candle", "daisy", "easel", "fiddle", "garlic", "harp", "ivory", "jigsaw"],
  ...["kettle", "lagoon", "mitten", "nutmeg", "orchid", "pillow", "quilt", "ribbon", "saddle"],
];

/** @param query_milliseconds what the embedding of a query may take: as good as any time */
export async function hybrid(sql: Sql, endpoint: ModelEndpoint, query_milliseconds = 60_000) {
  const lines: string[] = [];
  const log = createLog("debug", (line) => void lines.push(line));
  const embeddings = new Embeddings({ sql, log, endpoint, works: true, query_milliseconds });
  const retriever = createRetriever({ sql, log, poll_milliseconds: NEVER_POLLS, embeddings });
  await retriever.start();
  const question = (query: string, filters: unknown, now: Date) => ({
    reading: readQuery(query, now),
    query,
    filters: normalizeFilters(filters),
    now,
  });
  return {
    lines,
    embeddings,
    retriever,
    async embedAll() {
      await retriever.refresh();
      const { signal } = new AbortController();
      while (await embeddings.embedder.step(signal));
      await embeddings.follower.refresh();
    },
    async search(query: string, filters: unknown = {}, now = NOW) {
      const limits = { companies: 100, observations_per_company: 3 };
      return withIds(await retriever.search({ ...question(query, filters, now), ...limits }));
    },
    async searchObservations(query: string, filters: unknown = {}, now = NOW) {
      const asked = { ...question(query, filters, now), observations: 100 };
      return withIds(await retriever.searchObservations(asked));
    },
    [Symbol.asyncDispose]: () => retriever.close(),
  };
}

function withIds({ entries, retrieval, limitations }: Retrieval) {
  const ids = entries.flatMap(({ observation_ids }) => observation_ids);
  return { ids, retrieval, limitations };
}

/**
 * Records of one sentence and company each, Canadian and American ones in turns.
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
