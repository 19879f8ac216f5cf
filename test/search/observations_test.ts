import assert from "node:assert/strict";
import { ObservationSearchResult } from "../../src/contract/search.ts";
import { withdrawObservation } from "../../src/ingest/record/withdraw.ts";
import { run } from "../../src/operations/run.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { assertSettled, countRows, writtenBody } from "../support/operations.ts";

const company = { name: "North", external_id: "n" };
const FREEZERS = [
  { company, observed_fact: "A freezer freezer warehouse." },
  { company, observed_fact: "A freezer hall beside the old warehouse and the new office." },
  { company: { name: "South" }, country: "US" as const, observed_fact: "A freezer plant." },
  { company: { name: "West" }, observed_fact: "A dental practice." },
];

oneEngineTest(
  "an observation search delivers and charges single observations",
  async ({ db, sql }) => {
    const { caller, key } = await createCaller(sql);
    const recorded = await record(sql, FREEZERS);
    await withApp(db, async ({ app, ask }) => {
      const action = app.actions.metered.get("search_observations")!;
      const search = async (request_key: string, inputs: object) =>
        writtenBody(await run(app.context, action, caller, () => ({ request_key, inputs })));
      const first = await search("1", { query: "freezer", limit: 2 });
      ObservationSearchResult.parse(first);
      assert.equal(first.delivery_unit, "observation");
      assert.equal(first.usage.delivered_units, 2);
      assert.deepEqual(first.coverage, {
        requested_observations: 2,
        returned_observations: 2,
        stop_reason: "limit_reached",
        limitations: [],
      });
      const rest = await search("2", { query: "freezer", limit: 2, cursor: first.next_cursor });
      const shown = [...first.observations, ...rest.observations];
      assert.deepEqual(
        shown.map(({ id }) => id).sort(),
        recorded.slice(0, 3).map((one) => one.observation_id),
      );
      assert.ok(shown.every((observation) => observation.company.name !== undefined));
      assert.equal(rest.next_cursor, null);

      const filtered = await search("3", { query: "freezer", filters: { countries: ["US"] } });
      assert.deepEqual(filtered.observations.map((o: { id: number }) => o.id), [
        recorded[2]!.observation_id,
      ]);
      await withdrawObservation(sql, recorded[2]!.observation_id);
      const poll = await ask(`/api/usages/${filtered.usage.id}`, { key });
      assert.deepEqual([poll.body.withheld_units, poll.body.observations], [1, []]);
      assert.equal(poll.body.usage.delivered_units, 1);
      // A company search would refuse this query as unsupported. An observation search does not.
      assert.deepEqual((await search("4", { query: "export of the dataset" })).observations, []);
      await assert.rejects(search("5", { query: "not construction" }), {
        code: "unsupported_request",
      });
    });
    await assertSettled(sql);
  },
);

oneEngineTest("an observation search refuses filters of companies", async ({ db, sql }) => {
  const { caller } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    const action = app.actions.metered.get("search_observations")!;
    for (const field of ["company_ids", "exclude_company_ids", "domains", "exclude_domains"]) {
      const inputs = { query: "freezer", filters: { [field]: [] } };
      await assert.rejects(
        run(app.context, action, caller, () => ({ request_key: "k", inputs })),
        (error: Error & { code?: string }) => {
          assert.equal(error.code, "invalid_search");
          assert.ok(error.message.startsWith(`filters.${field}: `), error.message);
          return true;
        },
      );
    }
  });
  assert.deepEqual(await countRows(sql), { operations: 0, settlements: 0, messages: 0 });
});
