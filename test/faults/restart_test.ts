/** Scenario 18: PostgreSQL stops, crashes and starts. The test runs its own server for that. */
import assert from "node:assert/strict";
import { hasServerBinaries } from "../support/cluster.ts";
import { eventually } from "../support/waiting.ts";
import { startClusterProcess } from "./cluster_process.ts";
import { fillDataset } from "./dataset.ts";
import { callAt, insist, searchCall, waitUntilFound } from "./searching.ts";
import { type Post, World } from "./world.ts";

/** Max milliseconds of an answer while the database is down. */
const QUICK_MILLISECONDS = 5_000;
const RECOVERY_MILLISECONDS = 5_000;

/** Asserts the answers to callers while the database is down. */
async function assertUnavailable(
  world: World,
  account: Parameters<typeof searchCall>[0],
): Promise<void> {
  for (const post of world.replicas) {
    const call = searchCall(account, world.newKey());
    const { status, headers, body, milliseconds } = await callAt(world, post, call);
    assert.deepEqual([status, body.error.code], [503, "unavailable"]);
    assert.equal(headers!.get("retry-after"), "1");
    assert.ok(milliseconds < QUICK_MILLISECONDS, `${milliseconds} ms`);
    assert.equal(await healthOf(world, post), 200);
  }
}

async function healthOf(world: World, { name, process: { url } }: Post): Promise<number> {
  const response = await world.client.fetch({ name, url }, "/healthz");
  await response.body?.cancel();
  return response.status;
}

Deno.test({
  name: "scenario 18: replicas answer 503 quickly while PostgreSQL is down, and recover",
  ignore: !hasServerBinaries(),
  async fn() {
    const OBSERVATIONS = 40;
    await using cluster = await startClusterProcess();
    await using world = await World.open({ url: cluster.url, seed: 18 });
    await fillDataset(world.sql, 0, OBSERVATIONS);
    await waitUntilFound(world, OBSERVATIONS - 1);
    const account = await world.account();
    const recoveries: number[] = [];
    for (const command of ["halt", "crash", "halt"] as const) {
      const open = searchCall(account, world.newKey(), { background: true });
      await callAt(world, world.replicas[0]!, open);
      await cluster.obey(command);
      await assertUnavailable(world, account);
      await cluster.obey("resume");
      const started = performance.now();
      for (const post of world.replicas) {
        const call = searchCall(account, world.newKey());
        await eventually(
          `${post.name} has recovered`,
          async () => (await callAt(world, post, call)).status === 200,
        );
      }
      recoveries.push(performance.now() - started);
      assert.equal((await insist(world, open)).status, 200);
    }
    // A busy machine may delay some of the recoveries.
    assert.ok(Math.min(...recoveries) < RECOVERY_MILLISECONDS, `${recoveries} ms`);
    await world.assertRight();
    assert.equal(await world.verify(), 0);
  },
});
