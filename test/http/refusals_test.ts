/** Refused searches. The message names the field, and nothing is stored or charged. */
import assert from "node:assert/strict";
import { ErrorEnvelope } from "../../src/contract/operation.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { assertSettled, countRows } from "../support/operations.ts";

const TOO_MANY_IDS = Array.from({ length: 101 }, (_, n) => n + 1);
const BAD_SEARCHES: [unknown, string, string][] = [
  [{}, "invalid_search", "query"],
  [{ query: "" }, "invalid_search", "query"],
  [{ query: "   " }, "invalid_search", "query"],
  [{ query: "x".repeat(501) }, "invalid_search", "query"],
  [{ query: 5 }, "invalid_search", "query"],
  [{ query: "a\u0000b" }, "invalid_search", "query"],
  [{ query: "q", limit: 0 }, "invalid_search", "limit"],
  [{ query: "q", limit: 1.5 }, "invalid_search", "limit"],
  [{ query: "q", limit: "5" }, "invalid_search", "limit"],
  [{ query: "q", limit: 26 }, "result_limit_reached", "limit"],
  [{ query: "q", limit: 3_000_000_000 }, "result_limit_reached", "limit"],
  [{ query: "q", limit: Number.MAX_SAFE_INTEGER }, "result_limit_reached", "limit"],
  [{ query: "q", limit: 1e300 }, "invalid_search", "limit"],
  [{ query: "q", cursor: "" }, "invalid_cursor", "cursor"],
  [{ query: "q", cursor: "\u0000" }, "invalid_cursor", "cursor"],
  [{ query: "q", cursor: 5 }, "invalid_search", "cursor"],
  [{ query: "q", background: "yes" }, "invalid_search", "background"],
  [{ query: "q", request_key: "k" }, "invalid_search", "request_key"],
  [{ query: "q", filters: [] }, "invalid_search", "filters"],
  [{ query: "q", filters: { city: ["Paris"] } }, "invalid_search", "filters.city"],
  [{ query: "q", filters: { countries: ["FR"] } }, "invalid_search", "filters.countries[0]"],
  [{ query: "q", filters: { countries: "CA" } }, "invalid_search", "filters.countries"],
  [{ query: "q", filters: { kinds: ["job_posting"] } }, "invalid_search", "filters.kinds[0]"],
  [{ query: "q", filters: { company_ids: [0] } }, "invalid_search", "filters.company_ids[0]"],
  [{ query: "q", filters: { company_ids: TOO_MANY_IDS } }, "invalid_search", "filters.company_ids"],
  [{ query: "q", filters: { domains: ["http://a.b"] } }, "invalid_search", "filters.domains[0]"],
  [{ query: "q", filters: { domains: ["a@b.c"] } }, "invalid_search", "filters.domains[0]"],
  [
    { query: "q", filters: { occurred_after: "2026-03-01" } },
    "invalid_search",
    "filters.occurred_after",
  ],
  [
    { query: "q", filters: { observed_after: "2026-03-01T00:00:00" } },
    "invalid_search",
    "filters.observed_after",
  ],
  ["{", "invalid_search", "body"],
  ["[]", "invalid_search", "body"],
  ["null", "invalid_search", "body"],
  [{ query: "the e-mail address of the buyer" }, "unsupported_request", ""],
];

oneEngineTest("every refused search names its field and leaves no row", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  await withApp(db, async ({ search, ask }) => {
    for (const [input, code, field] of BAD_SEARCHES) {
      const shown = JSON.stringify(input).slice(0, 80);
      const { status, body } = await search(input, { key, request_key: "k" });
      assert.equal(status, 422, shown);
      ErrorEnvelope.parse(body);
      assert.equal(body.error.code, code, shown);
      assert.ok(body.error.message.includes(field), `${shown}: ${body.error.message}`);
    }
    for (const request_key of [undefined, "", "k".repeat(256)]) {
      const { status, body } = await search({ query: "q" }, { key, request_key });
      assert.deepEqual([status, body.error.code], [422, "invalid_search"]);
      assert.match(body.error.message, /^Idempotency-Key/);
    }
    const parameter = await ask("/api/companies/search?limit=5", {
      method: "POST",
      key,
      request_key: "k",
      body: { query: "q" },
    });
    assert.equal(parameter.body.error.message, "limit: there is no such field here.");
    const large = await search({ query: "q", limit: 26 }, { key, request_key: "k" });
    assert.equal(
      large.body.error.message,
      "limit: an integer of 1 to 25, the page size of the subscription's plan.",
    );
    const several = await search({ limit: "5" }, { key });
    assert.equal(
      several.body.error.message,
      "Idempotency-Key (or the argument request_key, if the tool has it): a key is required; make up a new one, such " +
        "as a UUID, for every new request, and repeat it to retry; query: required, a text; limit: an integer of at least 1.",
    );
    const usage = await ask("/api/usage", { key });
    assert.equal(usage.body.usage.request_units, 0);
  });
  assert.deepEqual(await countRows(sql), { operations: 0, settlements: 0, messages: 0 });
  await assertSettled(sql);
});

oneEngineTest("a search that only excludes fails without a charge, and is replayed", async (t) => {
  const { key } = await createCaller(t.sql);
  await withApp(t.db, async ({ search, ask }) => {
    const first = await search({ query: "not construction" }, { key, request_key: "k" });
    assert.deepEqual([first.status, first.body.error.code], [422, "unsupported_request"]);
    assert.match(first.body.error.message, /only excludes also needs a subject/);
    const again = await search({ query: "not construction" }, { key, request_key: "k" });
    assert.deepEqual([again.headers.get("idempotency-replayed"), again.body], ["true", first.body]);
    assert.equal((await ask("/api/usage", { key })).body.usage.request_units, 0);
  });
  await assertSettled(t.sql);
});
