import assert from "node:assert/strict";
import type { Acquirer } from "../../src/ingest/refresh/acquire.ts";
import { fillShortPage } from "../../src/search/acquisition.ts";
import { readQuery } from "../../src/search/reading/read_query.ts";
import type { Retrieval, RetrievalRequest, Retriever } from "../../src/search/retriever.ts";
import { silent } from "../support/operations.ts";

const FOUND: Retrieval = {
  entries: [],
  retrieval: "lexical",
  limitations: [],
  found_by_words: 0,
};
const REQUEST = {
  reading: readQuery("crane", new Date("2026-06-01T00:00:00Z")),
  filters: { company_ids: [] },
} as unknown as RetrievalRequest;

/** Fills a page with one acquired observation. The index takes it in by `refresh`. */
async function fill(refresh: () => Promise<void>) {
  const again = { ...FOUND, entries: [[7]] } as unknown as Retrieval;
  return await fillShortPage(
    {
      acquirer: {
        acquire: () => Promise.resolve({ observation_ids: [7], incomplete: false }),
      } as unknown as Acquirer,
      retriever: { refresh, search: () => Promise.resolve(again) } as unknown as Retriever,
      log: silent,
    },
    FOUND,
    REQUEST,
  );
}

Deno.test("fillShortPage() searches again when the index has what was acquired", async () => {
  const { entries, limitations } = await fill(() => Promise.resolve());
  assert.deepEqual([entries, limitations], [[[7]], []]);
});

Deno.test({
  name: "fillShortPage() answers with what it has where the index fails or is busy",
  sanitizeOps: true,
  sanitizeResources: true,
  async fn() {
    const busy = Promise.withResolvers<void>();
    for (const refresh of [() => Promise.reject(new Error("away")), () => busy.promise]) {
      const { entries, limitations } = await fill(refresh);
      assert.deepEqual([entries, limitations], [[], ["acquisition_incomplete"]]);
    }
    // No caller handles the final failure, which is intended.
    busy.reject(new Error("away"));
  },
});
