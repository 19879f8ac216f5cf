import assert from "node:assert/strict";
import { UsageError } from "../../src/failures.ts";
import type { Database } from "../../src/db/connect.ts";
import { normalizeFilters } from "../support/inputs.ts";
import { Retriever } from "../../src/search/retriever.ts";
import { askAdmin } from "../support/admin.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { assertSettled, silent } from "../support/operations.ts";

/** Runs a command about companies. Returns its answer. */
async function run(db: Database, ...args: string[]) {
  const { exit_code, answer } = await askAdmin(db, "company", ...args);
  assert.equal(exit_code, 0);
  return answer;
}

const TWO = [
  { observed_fact: "A freezer hall.", company: { name: "North", domains: ["north.example"] } },
  { observed_fact: "A freezer dock.", company: { name: "South", domains: ["south.example"] } },
];

oneEngineTest(
  "admin company merges and splits companies, and lists merges",
  async ({ db, sql }) => {
    const [north, south] = await record(sql, TWO);
    const ids = [String(north!.company_id), String(south!.company_id)] as const;
    assert.deepEqual(await run(db, "merge", ...ids, "--reason", "a new name"), {
      merge: 1,
      kept: north!.company_id,
      merged: south!.company_id,
      observations: 1,
    });
    const { merges } = await run(db, "merges", "--limit", "5");
    assert.deepEqual(
      merges.map(({ merge, reason, undone_at }: Record<string, unknown>) => [
        merge,
        reason,
        undone_at,
      ]),
      [[1, "a new name", null]],
    );
    const shown = await run(db, "show", ids[1]);
    assert.deepEqual(
      [shown.name, shown.merged_into, shown.deliverable, shown.merges],
      ["South", north!.company_id, 0, merges],
    );
    assert.deepEqual(await run(db, "split", "1"), {
      merge: 1,
      kept: north!.company_id,
      returned: south!.company_id,
      observations: 1,
    });
    assert.equal((await run(db, "show", ids[1])).deliverable, 1);
    await run(db, "merge", ...ids);
    assert.equal((await run(db, "merges")).merges[0].reason, "by an operator");
  },
);

oneEngineTest("reads, replays and the index follow a merge and its split", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const [north, south] = await record(sql, TWO);
  const [n, s] = [north!.company_id, south!.company_id];
  const retriever = new Retriever({ sql, log: silent, poll_milliseconds: 3_600_000 });
  await retriever.source.start();
  const indexed = async () => {
    await retriever.source.refresh();
    const { entries } = await retriever.search({
      query: "freezer",
      filters: normalizeFilters({ domains: ["south.example"] }),
      now: new Date(),
    });
    return entries.map(({ company_id, observation_ids }) => [company_id, observation_ids.length]);
  };
  try {
    await withApp(db, async ({ ask }) => {
      const look = (request_key: string) =>
        ask(`/api/companies?ids[]=${n}&ids[]=${s}`, { key, request_key });
      const outcomes = ({ body }: Awaited<ReturnType<typeof look>>) => [
        body.lookups.map(({ status }: { status: string }) => status),
        body.companies.map(({ id }: { id: number }) => id),
        body.usage.delivered_units,
        body.withheld_units,
      ];
      const both = [["found", "found"], [n, s], 2, 0];
      assert.deepEqual(outcomes(await look("before")), both);
      assert.deepEqual(await indexed(), [[s, 1]]);

      await run(db, "merge", String(n), String(s));
      assert.deepEqual(await indexed(), [[n, 2]]);
      // The units are unchanged, and the deliveries of the merged company are withheld.
      assert.deepEqual(outcomes(await look("before")), [["found", "unavailable"], [n], 2, 1]);
      assert.deepEqual(outcomes(await look("merged")), [["found", "not_found"], [n], 1, 0]);
      const gone = await ask(`/api/companies/${s}`, { key });
      assert.deepEqual([gone.status, gone.body.error.code], [404, "company_not_found"]);
      const kept = await ask(`/api/companies/${n}`, { key });
      assert.deepEqual(
        kept.body.company.domains.map(({ hostname }: { hostname: string }) => hostname),
        ["north.example", "south.example"],
      );
      const one = await ask(`/api/observations/${south!.observation_id}`, { key });
      assert.deepEqual(one.body.observation.company, { id: n, name: "North" });

      await run(db, "split", "1");
      assert.deepEqual(await indexed(), [[s, 1]]);
      assert.deepEqual(outcomes(await look("before")), both);
      assert.equal((await ask(`/api/companies/${s}`, { key })).status, 200);
    });
  } finally {
    await retriever.source.close();
  }
  await assertSettled(sql);
});

oneEngineTest("admin company refuses wrong usage and impossible changes", async ({ db, sql }) => {
  await record(sql, TWO);
  const wrong = [
    ["merge", "1"],
    ["merge", "one", "2"],
    ["merge", "1", "2", "3"],
    ["merge", "1", "2", "--reason", "x".repeat(501)],
    ["split"],
    ["split", "0"],
    ["show"],
    ["merges", "--limit", "0"],
  ];
  for (const args of wrong) await assert.rejects(run(db, ...args), UsageError, args.join(" "));
  const impossible: [string[], RegExp][] = [
    [["merge", "1", "1"], /cannot be merged with itself/],
    [["merge", "1", "9"], /there is no company 9/],
    [["split", "9"], /there is no merge 9/],
    [["show", "9"], /there is no company 9/],
  ];
  for (const [args, message] of impossible) await assert.rejects(run(db, ...args), message);
  assert.deepEqual((await run(db, "merges")).merges, []);
});
