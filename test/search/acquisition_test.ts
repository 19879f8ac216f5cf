import assert from "node:assert/strict";
import type { Acquirer } from "../../src/ingest/refresh/acquire.ts";
import { fillShortPage } from "../../src/search/searches.ts";
import type { Retrieval, RetrievalRequest, Retriever } from "../../src/search/retriever.ts";
import { silent } from "../support/operations.ts";
import { checkedTest } from "../support/web.ts";

const FOUND: Retrieval = {
  ...{ entries: [], retrieval: "lexical", limitations: [], found_by_words: 0, terms: [] },
};
const REQUEST = {
  query: "crane",
  now: new Date("2026-06-01T00:00:00Z"),
  filters: { company_ids: [] },
} as unknown as RetrievalRequest;

/** Fills a page with one acquired observation, which the index loads by `refresh`. */
async function fill(refresh: () => Promise<void>) {
  const refilled = { ...FOUND, entries: [[7]] } as unknown as Retrieval;
  return await fillShortPage(
    {
      acquirer: {
        acquire: () => Promise.resolve({ observation_ids: [7], incomplete: false }),
      } as unknown as Acquirer,
      retriever: {
        source: { refresh },
        search: () => Promise.resolve(refilled),
      } as unknown as Retriever,
      log: silent,
    },
    FOUND,
    REQUEST,
  );
}

Deno.test("fillShortPage() searches again when the index contains the acquired records", async () => {
  const { entries, limitations } = await fill(() => Promise.resolve());
  assert.deepEqual([entries, limitations], [[[7]], []]);
});

checkedTest(
  "fillShortPage() returns the short page if the refresh of the index fails or is slow",
  async () => {
    const busy = Promise.withResolvers<void>();
    for (const refresh of [() => Promise.reject(new Error("away")), () => busy.promise]) {
      const { entries, limitations } = await fill(refresh);
      assert.deepEqual([entries, limitations], [[], ["acquisition_incomplete"]]);
    }
    // The slow refresh fails after the page was returned. This must not be an unhandled rejection.
    busy.reject(new Error("away"));
  },
);
