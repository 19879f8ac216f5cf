import assert from "node:assert/strict";
import { UsageError } from "../../src/failures.ts";
import type { Database } from "../../src/db/connect.ts";
import { askAdmin } from "../support/admin.ts";
import { oneEngineTest } from "../support/database.ts";
import { record } from "../support/factories.ts";

/** Runs a command about sources. Returns its answer. */
async function run(db: Database, ...args: string[]) {
  const { exit_code, answer } = await askAdmin(db, "source", ...args);
  assert.equal(exit_code, 0);
  return answer;
}

const ADDRESS = "https://mirror.example/canada";

oneEngineTest("admin source sets, schedules, lists and runs a source", async ({ db, sql }) => {
  await record(sql, [{ source: "acme-feed" }]);
  assert.deepEqual(await run(db, "set", "canadabuys", "--address", `${ADDRESS}/`), {
    source: "canadabuys",
    address: ADDRESS,
  });
  const scheduled = await run(db, "schedule", "canadabuys", "--every", "7200");
  assert.deepEqual({ ...scheduled, due_at: "" }, {
    source: "canadabuys",
    target: null,
    interval_seconds: 7200,
    due_at: "",
  });
  const { sources } = await run(db, "list");
  const byName = new Map(
    sources.map((source: { name: string }) => [source.name, source]),
  ) as Map<string, Record<string, unknown>>;
  const canadabuys = byName.get("canadabuys")!;
  assert.deepEqual(canadabuys, {
    name: "canadabuys",
    title: "CanadaBuys open tender notices",
    licence: "Open Government Licence – Canada",
    attribution: "Contains information licensed under the Open Government Licence – Canada.",
    permitted: true,
    configured: true,
    address: ADDRESS,
    own_feed: null,
    observations: 0,
    gone: 0,
    last_recorded_at: null,
    newest_at: null,
    hostname_interval_seconds: null,
    asked_in_searches: false,
    feeds: [{
      id: 1,
      target: null,
      interval_seconds: 7200,
      due_at: scheduled.due_at,
      running: false,
      last_started_at: null,
      last_succeeded_at: null,
      last_outcome: null,
      last_error: null,
      failures: 0,
      counts: null,
    }],
  });
  const { title, permitted, configured, observations } = byName.get("acme-feed")!;
  assert.deepEqual([title, permitted, configured, observations], [null, true, false, 1]);

  assert.deepEqual(await run(db, "set", "gleif", "--asked-in-searches", "true"), {
    source: "gleif",
    asked_in_searches: true,
  });
  const asked = (await run(db, "list")).sources
    .filter((source: { asked_in_searches: boolean }) => source.asked_in_searches)
    .map((source: { name: string }) => source.name);
  assert.deepEqual(asked, ["gleif"]);

  // Without --every, the schedule has the default interval of the source.
  assert.equal((await run(db, "schedule", "gleif", "CA")).interval_seconds, 86_400);
  const again = await run(db, "run", "canadabuys");
  assert.ok(again.due_at >= scheduled.due_at);
  assert.deepEqual(await run(db, "unschedule", "canadabuys"), {
    source: "canadabuys",
    target: null,
    scheduled: false,
  });
  await assert.rejects(run(db, "run", "canadabuys"), /no schedule of source canadabuys/);
  assert.deepEqual(
    await run(db, "set", "canadabuys", "--permitted", "false", "--address", "none"),
    { source: "canadabuys", permitted: false, observations: 0, address: null },
  );
});

const WRONG: string[][] = [
  ["schedule", "demo"],
  ["set", "canadabuys", "--json"],
  ["set", "canadabuys", "--address", "ftp://mirror.example"],
  ["set", "canadabuys", "--address", "https://name:word@mirror.example"],
  ["set", "canadabuys", "--permitted", "maybe"],
  ["set", "canadabuys", "--hostname-interval", "5"],
  ["set", "gleif", "--asked-in-searches", "yes"],
  ["schedule"],
  ["schedule", "canadabuys", "--every", "59"],
  ["schedule", "canadabuys", "one", "two", "--every", "60"],
  ["schedule", "canadabuys", "--every", "60", "--domain", "a.example"],
  ["schedule", "canadabuys", "--every", "60", "--company", "A", "--domain", "https://a.example"],
  ["run"],
  ["run", "canadabuys", "--believe-gone", "perhaps"],
  ["list", "canadabuys"],
];

const UNKNOWN: [string[], RegExp][] = [
  [["set", "none", "--address", ADDRESS], /no source none; known: .*canadabuys/],
  [["set", "canadabuys", "--hostname-interval", "3600"], /cannot be asked for hostnames/],
  [["set", "canadabuys", "--asked-in-searches", "true"], /cannot be asked in searches/],
  [["set", "toronto", "--asked-in-searches", "true"], /read from files only/],
  [["schedule", "none", "--every", "60"], /no source none/],
  [["schedule", "canadabuys", "x", "--every", "60"], /takes no TARGET/],
  [["unschedule", "canadabuys"], /no schedule of source canadabuys/],
  [["run", "canadabuys", "x"], /no schedule of source canadabuys for x/],
];

oneEngineTest("admin source refuses wrong usage without a change", async ({ db, sql }) => {
  for (const args of WRONG) await assert.rejects(run(db, ...args), UsageError, args.join(" "));
  for (const [args, message] of UNKNOWN) await assert.rejects(run(db, ...args), message);
  assert.equal((await sql`select from sources`).length, 0);
});
