/** Scenarios 10 to 14: exact allowances. The clock of one replica is an hour ahead throughout. */
import assert from "node:assert/strict";
import { createApiKey } from "../../src/accounts/key.ts";
import { eventually } from "../support/waiting.ts";
import { inventRecord, recordAll, word } from "./dataset.ts";
import { scenarios } from "./scenario.ts";
import { callAt, insist, searchCall } from "./searching.ts";
import type { World } from "./world.ts";

const scenario = scenarios({ seed: 102, skews: { b: 3_600 } });

const HOUR_SECONDS = 3_600;
/** Max seconds of a scenario, during which its window must not end. */
const SCENARIO_SECONDS = 300;

/**
 * Returns a window length of up to an hour, such that the present window does not end during a
 * scenario. Windows are aligned to the epoch. A clock that is an hour ahead is in a later window.
 */
function findWindowSeconds(): number {
  const now = Date.now() / 1000;
  for (let seconds = HOUR_SECONDS;; seconds -= 60) {
    if (seconds - now % seconds > SCENARIO_SECONDS) return seconds;
  }
}

scenario(10, "exactly 100 of 500 requests with two keys pass a limit of 100", async (world) => {
  const account = await world.account({ terms: { request_units: 100 } });
  const { account_id } = account;
  const second = await createApiKey(world.sql, { account_id, name: "second" });
  const statuses = await Promise.all(Array.from({ length: 500 }, async (_, n) => {
    const key = n % 4 < 2 ? account.key : second.key;
    const { status } = await insist(world, { ...searchCall(account, world.newKey()), key });
    return status;
  }));
  const count = (status: number) => statuses.filter((one) => one === status).length;
  assert.deepEqual({ passed: count(200), refused: count(429) }, { passed: 100, refused: 400 });
});

scenario(
  11,
  "a 429 gives the same retry time on both replicas, and reserves nothing",
  async (world) => {
    const terms = { request_units: 1, window_seconds: findWindowSeconds() };
    const account = await world.account({ terms });
    await insist(world, searchCall(account, world.newKey()));
    const ends = new Set<string>();
    for (const post of world.replicas) {
      const { status, body, headers } = await callAt(
        world,
        post,
        searchCall(account, world.newKey()),
      );
      assert.deepEqual([status, body.error.code], [429, "request_limit_reached"]);
      const { retry_at, retry_after_seconds } = body.error;
      assert.equal(headers!.get("retry-after"), String(retry_after_seconds));
      const seconds = (Date.parse(retry_at) - Date.now()) / 1000;
      assert.ok(Math.abs(seconds - retry_after_seconds) < 30, `${seconds} ${retry_after_seconds}`);
      assert.ok(retry_after_seconds <= HOUR_SECONDS);
      ends.add(retry_at);
      const { body: report } = await callAt(world, post, { account, action: "get_usage" });
      assert.deepEqual(report.reservations, { request_units: 0, delivered_units: 0 });
    }
    assert.equal(ends.size, 1);
  },
);

scenario(12, "an operation that outlives its window is charged to that window", async (world) => {
  const account = await world.account({ terms: { window_seconds: 2 } });
  const [post] = world.replicas;
  const call = searchCall(account, world.newKey());
  const trap = post!.proxy.holdBefore("settle_operation");
  const answer = callAt(world, post!, call);
  await trap.sprung;
  await eventually("the window has ended", async () => {
    const [row] = await world.sql<{ over: boolean }[]>`
      select window_start + interval '2 seconds' < now() as over
      from operations where request_key = ${call.request_key!}
    `;
    return row!.over;
  });
  trap.release();
  assert.equal((await answer).status, 200);
  const rows = await world.sql`
    select l.window_start = o.window_start as same from operations o
    join ledger l on l.operation_id = o.id where o.request_key = ${call.request_key!}
  `;
  assert.deepEqual([...rows], [{ same: true }]);
});

/** Records one observation of each of three companies. Returns a word that only these have. */
async function recordThree(world: World): Promise<string> {
  const rare = word(50_000);
  const records = [0, 4, 8].map((number) => ({
    ...inventRecord(900_000 + number, 0, "three"),
    observed_fact: `${rare} ${word(1)}.`,
  }));
  await recordAll(world.sql, records);
  return rare;
}

scenario(13, "an operation that reserved 50 and delivered 3 gives 47 back", async (world) => {
  const account = await world.account({ terms: { delivered_units: 50 } });
  const query = await recordThree(world);
  const ample = await world.account();
  const call = { action: "search_companies", inputs: { query, limit: 50 } } as const;
  await eventually("both replicas find the three companies", async () => {
    const answers = await Promise.all(
      world.replicas.map((post) =>
        callAt(world, post, { ...call, account: ample, request_key: world.newKey() })
      ),
    );
    return answers.every(({ body }) => body?.companies?.length === 3);
  });
  const [one, two] = world.replicas;
  const trap = one!.proxy.holdBefore("settle_operation");
  const answer = callAt(world, one!, { ...call, account, request_key: world.newKey() });
  await trap.sprung;
  const usage = () => callAt(world, two!, { account, action: "get_usage" });
  assert.equal((await usage()).body.reservations.delivered_units, 50);
  const refused = await callAt(world, two!, { ...call, account, request_key: world.newKey() });
  assert.equal(refused.body.error.code, "delivery_limit_reached");
  trap.release();
  assert.equal((await answer).body.usage.delivered_units, 3);
  const { usage: used, reservations } = (await usage()).body;
  assert.deepEqual([used.delivered_units, reservations.delivered_units], [3, 0]);
});

scenario(14, "replicas whose clocks differ by an hour share one limit", async (world) => {
  const terms = { request_units: 20, window_seconds: findWindowSeconds() };
  const account = await world.account({ terms });
  const statuses: (number | null)[] = [];
  for (let n = 0; n < 40; n++) {
    const call = searchCall(account, world.newKey());
    statuses.push((await callAt(world, world.replicas[n % 2]!, call)).status);
  }
  assert.deepEqual(statuses, [...Array(20).fill(200), ...Array(20).fill(429)]);
  // The log proves that the clock of the second replica is ahead.
  const [last] = world.logs.last("b").split("\n").slice(-1);
  const ahead = (Date.parse(JSON.parse(last!).time) - Date.now()) / 1000;
  assert.ok(ahead > HOUR_SECONDS / 2, `${ahead}`);
});
