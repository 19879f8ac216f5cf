/**
 * Scenarios 15, 17 and 19 to 22: no work is lost if the queue, the database or its connections
 * fail.
 */
import assert from "node:assert/strict";
import { eventually } from "../support/waiting.ts";
import type { Called } from "./client.ts";
import { hostnameOf, inventRecord, recordAll } from "./dataset.ts";
import type { Trap } from "./proxy.ts";
import { scenarios } from "./scenario.ts";
import { callAt, insist, searchCall } from "./searching.ts";
import { CHECKING_NAME, type Post, type World } from "./world.ts";

const scenario = scenarios({ seed: 103 });

/** Max milliseconds of an answer: the wait for a connection plus the time-out of a statement. */
const DEADLINE_MILLISECONDS = 25_000;

/** Holds the next execution of a statement by any process. */
async function holdAnywhere(world: World, statement: string): Promise<{ post: Post; trap: Trap }> {
  const traps = world.posts.map((post) => ({ post, trap: post.proxy.holdBefore(statement) }));
  const first = await Promise.race(
    traps.map(async (one) => {
      await one.trap.sprung;
      return one;
    }),
  );
  for (const one of traps) if (one !== first) one.trap.release();
  return first;
}

scenario(15, "work that outlives its lease is settled once, by another process", async (world) => {
  const account = await world.account();
  const call = searchCall(account, world.newKey(), { background: true });
  const holding = holdAnywhere(world, "settle_operation");
  assert.equal((await callAt(world, world.replicas[0]!, call)).status, 202);
  const { trap } = await holding;
  await world.sql`update operations set lease_expires_at = now() where status = 'processing'`;
  await world.sql`update pgmq.q_operations set vt = now()`;
  const answer = await insist(world, call);
  assert.deepEqual([answer.status, answer.body.usage.status], [200, "delivered"]);
  trap.release();
  // The late settlement arrives now and has no effect.
  const again = await insist(world, call);
  assert.deepEqual(again.body.usage, answer.body.usage);
});

/** Makes calls from several clients, each with a new key, until `until` resolves. */
async function load(
  world: World,
  { until, clients = 6 }: { until: Promise<unknown>; clients?: number },
): Promise<Called[]> {
  const account = await world.account();
  let over = false;
  void until.finally(() => over = true).catch(() => {});
  const called: Called[] = [];
  await Promise.all(Array.from({ length: clients }, async (_, client) => {
    for (let n = 0; !over; n++) {
      const background = n % 5 === 4 ? { background: true as const } : {};
      const call = searchCall(account, world.newKey(), { observation: n % 300, ...background });
      const post = world.replicas[(client + n) % world.replicas.length]!;
      const first = await callAt(world, post, call);
      called.push(first);
      if (first.status !== 200) called.push(await insist(world, call));
    }
  }));
  return called;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

scenario(
  17,
  "backends that are terminated at random under load leave no partial writes",
  async (world) => {
    const KILLING_MILLISECONDS = 6_000;
    const end = performance.now() + KILLING_MILLISECONDS;
    let terminated = 0;
    const killing = (async () => {
      while (performance.now() < end) {
        const rows = await world.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name <> ${CHECKING_NAME}
          and pid % 3 = ${world.choose.integer(0, 2)}
      `;
        terminated += rows.length;
        await pause(world.choose.integer(20, 200));
      }
    })();
    const called = await load(world, { until: killing });
    await killing;
    assert.ok(terminated > 20, `${terminated} terminated`);
    assert.ok(called.some(({ status }) => status === 200));
  },
);

scenario(19, "half-open connections give an error by the deadline", async (world) => {
  const [one, two] = world.replicas as [Post, Post];
  const account = await world.account();
  one.proxy.set({ kind: "swallow", side: "both" }, false);
  const started = performance.now();
  const stuck = callAt(world, one, searchCall(account, world.newKey()));
  const unaffected = await callAt(world, two, searchCall(account, world.newKey()));
  assert.equal(unaffected.status, 200);
  assert.equal((await world.client.fetch(replicaAt(one), "/healthz")).status, 200);
  const { status, body, headers } = await stuck;
  assert.deepEqual([status, body.error.code], [503, "unavailable"]);
  assert.equal(headers!.get("retry-after"), "1");
  assert.ok(performance.now() - started < DEADLINE_MILLISECONDS);
  await eventually(
    "the replica has new connections",
    async () => (await callAt(world, one, searchCall(account, world.newKey()))).status === 200,
  );
});

function replicaAt({ name, process }: Post) {
  return { name, url: process.url };
}

scenario(20, "a locked table and an exhausted pool give 503 by the deadline", async (world) => {
  const account = await world.account();
  const calls = Array.from({ length: 60 }, () => searchCall(account, world.newKey()));
  let called: Called[] = [];
  await world.sql.begin(async (tx) => {
    await tx`lock table allowances in exclusive mode`;
    const answers = Promise.all(
      calls.map((call, n) => callAt(world, world.replicas[n % 2]!, call)),
    );
    for (const post of world.replicas) {
      const response = await world.client.fetch(replicaAt(post), "/healthz");
      assert.equal(response.status, 200);
      await response.body?.cancel();
    }
    called = await answers;
  });
  for (const { status, headers, milliseconds } of called) {
    assert.deepEqual([status, headers!.get("retry-after")], [503, "1"]);
    assert.ok(milliseconds < DEADLINE_MILLISECONDS, `${milliseconds} ms`);
  }
  const after = await Promise.all(calls.map((call) => insist(world, call)));
  assert.deepEqual(after.filter(({ status }) => status !== 200), []);
});

/** Resolves with a replica that reports to be ready, as a load balancer selects one. */
async function findReady(world: World, turn: number): Promise<Post> {
  const { replicas } = world;
  for (let n = 0;; n++) {
    const post = replicas[(turn + n) % replicas.length]!;
    const response = await world.client.fetch(replicaAt(post), "/readyz").catch(() => undefined);
    await response?.body?.cancel();
    if (response?.status === 200) return post;
    await pause(5);
  }
}

scenario(21, "a rolling restart under load fails no request", async (world) => {
  const account = await world.account();
  let over = false;
  const called: Called[] = [];
  const clients = Array.from({ length: 4 }, async (_, client) => {
    for (let n = 0; !over; n++) {
      const call = searchCall(account, world.newKey(), { observation: n % 300 });
      called.push(await callAt(world, await findReady(world, client + n), call));
    }
  });
  try {
    for (const post of [...world.replicas]) {
      await world.post(`${post.name}2`, "start");
      await world.retire(post);
    }
  } finally {
    over = true;
    await Promise.all(clients);
  }
  const failed = called.filter(({ status }) => status !== 200);
  assert.deepEqual(failed.map(({ status, body }) => [status, body?.error?.code]), []);
  assert.ok(called.length > 20, `${called.length} calls`);
});

scenario(22, "a poller that follows as_of sees each record of many writers once", async (world) => {
  const WRITERS = 4;
  const BATCHES = 12;
  const hostnames = Array.from({ length: 20 }, (_, n) => hostnameOf(300_000 + n));
  const numbers = (writer: number, batch: number) =>
    Array.from({ length: 3 }, (_, n) => {
      const serial = (writer * BATCHES + batch) * 3 + n;
      return { serial, company: 300_000 + serial % hostnames.length };
    });
  const account = await world.account();
  const seen = new Map<string, number>();
  let since = "2020-01-01T00:00:00Z";
  const poll = async () => {
    let cursor: string | undefined;
    do {
      const inputs = { domains: hostnames, since, limit: 20, ...cursor && { cursor } };
      const call = { account, request_key: world.newKey(), inputs };
      const { body } = await insist(world, { ...call, action: "list_observations" });
      for (const { evidence } of body.observations) {
        const uri = evidence[0].source_uri;
        seen.set(uri, (seen.get(uri) ?? 0) + 1);
      }
      cursor = body.next_cursor ?? undefined;
      if (cursor === undefined) since = body.as_of;
    } while (cursor !== undefined);
  };
  const expected = new Set<string>();
  let writing = WRITERS;
  await Promise.all([
    ...Array.from({ length: WRITERS }, async (_, writer) => {
      for (let batch = 0; batch < BATCHES; batch++) {
        const records = numbers(writer, batch).map(({ serial, company }) => ({
          ...inventRecord(1_000_000 + serial, 0, "written"),
          company: { name: `Polled ${company}`, domains: [hostnameOf(company)] },
        }));
        await recordAll(world.sql, records);
        for (const { source, external_id, evidence } of records) {
          world.history.acknowledged.add(`${source}/${external_id}`);
          expected.add(evidence[0]!.source_uri);
        }
      }
      writing--;
    }),
    (async () => {
      while (writing > 0) await poll();
    })(),
  ]);
  await poll();
  assert.deepEqual(new Set(seen.keys()), expected);
  assert.deepEqual([...seen].filter(([, times]) => times > 1), []);
});
