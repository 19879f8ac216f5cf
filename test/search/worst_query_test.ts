import fc from "fast-check";
import { QUERY_LENGTH_MAX } from "../../src/contract/search.ts";
import { createRetriever } from "../../src/search/retriever.ts";
import { oneEngineTest } from "../support/database.ts";
import { assertNeverBlocks } from "../support/event_loop.ts";
import { normalizeFilters, normalizeQuery } from "../support/inputs.ts";
import { silent } from "../support/operations.ts";
import { hasRealData, ingestRealRecords, realFiles } from "../support/real_records.ts";

const FORMATS = ["canadabuys", "toronto", "sam", "gleif", "remote_jobs", "edgar_8k"];

/** Parts of hostile queries: made-up words, ligatures, accents, hyphens and frequent words. */
const PARTS = [
  fc.stringMatching(/^[a-z]{49}$/),
  fc.stringMatching(/^[a-z]{1,3}$/),
  fc.constantFrom("\ufdfa", "\ufdf2", "ﬃ", "e\u0301\u0302", "ß", "a-", "o'", "é-è-"),
  fc.constantFrom("software ", "services ", "construction ", "the ", "no ", "in ", '"a b" '),
  fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
];

const query = fc.oneof(
  // One part that fills the query, and a mixture of all.
  fc.oneof(...PARTS).map((part) => part.repeat(QUERY_LENGTH_MAX)),
  fc.array(fc.oneof(...PARTS), { minLength: 10, maxLength: 250 }).map((all) => all.join(" ")),
  fc.array(fc.oneof(...PARTS), { minLength: 10, maxLength: 250 }).map((all) => all.join("")),
).map((text) => text.toWellFormed().slice(0, QUERY_LENGTH_MAX).trim())
  .filter((text) => text !== "");

if (!hasRealData()) {
  Deno.test({ name: "no query blocks (needs ../shared/data)", ignore: true, fn() {} });
} else {
  oneEngineTest(
    "scenario 44: no query of 500 characters blocks the event loop",
    async ({ db, sql }) => {
      await ingestRealRecords(db, realFiles(FORMATS));
      const retriever = createRetriever({ sql, log: silent, poll_milliseconds: 3_600_000 });
      await retriever.start();
      try {
        const filters = normalizeFilters({});
        await fc.assert(
          fc.asyncProperty(query, async (text) => {
            let normalized: string;
            try {
              normalized = normalizeQuery(text);
            } catch {
              // Its normal form is longer than the limit, so it is refused.
              return;
            }
            await assertNeverBlocks(JSON.stringify(text), () =>
              retriever.search({
                query: normalized,
                filters,
                companies: 100,
                observations_per_company: 3,
                now: new Date(),
              }));
          }),
          { numRuns: 150 },
        );
      } finally {
        await retriever.close();
      }
    },
  );
}
