/** Scenarios 34, 35 and 37 to 40: regression tests of defects that outside attacks found. */
import assert from "node:assert/strict";
import { createKey } from "../../src/accounts/credential.ts";
import { mergeCompanies, splitCompany } from "../../src/ingest/record/company_merges.ts";
import { setSource } from "../../src/ingest/record/withdraw.ts";
import { alterFunction } from "../support/alter_function.ts";
import { eventually } from "../support/waiting.ts";
import type { Account, Called, FaultCall } from "./client.ts";
import { inventRecord, recordAll, word } from "./dataset.ts";
import { residentBytes } from "../support/resident_bytes.ts";
import { connectRaw, type RawConnection, rawStatus } from "./raw_http.ts";
import { scenarios } from "./scenario.ts";
import { callAt, insist, searchCall } from "./searching.ts";
import type { Post, World } from "./world.ts";

// Only the worker process does background work, so that a scenario can delay it. The command `work`
// has at least one worker, even with this setting.
const scenario = scenarios({ seed: 106, env: { WORKERS: "0" } });

const MEBIBYTE = 1024 * 1024;
const CHUNKS = 10_000;
const GROWTH_BYTES = 30 * MEBIBYTE;
const SERVED_MILLISECONDS = 200;

/** Sends a body in chunks of one byte, and does not end the request. */
async function drip(url: string, key: string | undefined): Promise<RawConnection> {
  const connection = await connectRaw(url);
  const head = [
    "POST /api/companies/search HTTP/1.1",
    "Host: 127.0.0.1",
    ...key === undefined ? [] : [`Authorization: Bearer ${key}`],
    "Idempotency-Key: drip",
    "Content-Type: application/json",
    "Transfer-Encoding: chunked",
  ];
  await connection.write(head.join("\r\n") + "\r\n\r\n");
  for (let n = 0; n < CHUNKS; n++) {
    // A server that refuses the body hangs up before its end.
    const isOpen = await connection.write("1\r\n \r\n").then(() => true, () => false);
    if (!isOpen) break;
  }
  return connection;
}

/** Returns the max milliseconds of a `/healthz` request while `work` is under way. */
async function slowestHealth(world: World, post: Post, work: Promise<unknown>): Promise<number> {
  let slowest = 0;
  let isOver = false;
  void work.finally(() => isOver = true).catch(() => {});
  for (let count = 0; !isOver || count < 5; count++) {
    const started = performance.now();
    const replica = { name: post.name, url: post.process.url };
    await (await world.client.fetch(replica, "/healthz")).body?.cancel();
    slowest = Math.max(slowest, performance.now() - started);
  }
  return slowest;
}

/**
 * Number of attacks per key. A garbage collection, for example, may delay the attacked process
 * during one attack. An attack that blocks the process delays it every time.
 */
const ATTACKS = 3;
const MAX_LATE_ATTACKS = 1;

scenario(34, "ten thousand chunks of one byte cost little memory and time", async (world) => {
  const [post, spared] = world.replicas as [Post, Post];
  const { url, pid } = post.process;
  const { key } = await world.account();
  for (const [name, used] of [["no", undefined], ["a forged", createKey()], ["a valid", key]]) {
    const times: number[] = [];
    for (let attack = 0; attack < ATTACKS; attack++) {
      const before = await residentBytes(pid);
      const dripping = drip(url, used);
      // A delay of the whole machine also shows at the replica that is not attacked.
      const [attacked, usual] = await Promise.all(
        [post, spared].map((one) => slowestHealth(world, one, dripping)),
      );
      times.push(attacked! - usual!);
      using _ = await dripping;
      const grown = await residentBytes(pid) - before;
      assert.ok(grown < GROWTH_BYTES, `${name} key: ${(grown / MEBIBYTE).toFixed(0)} MiB`);
    }
    const late = times.filter((milliseconds) => milliseconds >= SERVED_MILLISECONDS);
    assert.ok(late.length <= MAX_LATE_ATTACKS, `${name} key: ${times.map(Math.round)} ms`);
  }
});

scenario(35, "a host, method or target that does not parse gives 400", async (world) => {
  const [{ process: { url } }] = world.replicas as [Post];
  const secret = word(77);
  const { key } = await world.account();
  const get = (target: string, host: string, ...headers: string[]) =>
    [`GET ${target} HTTP/1.1`, `Host: ${host}`, ...headers, "Connection: close", "", ""].join(
      "\r\n",
    );
  const authorized = `Authorization: Bearer ${key}`;
  const requests = [
    get(`/api/usage?${secret}`, `${secret}:99999`, authorized),
    get("/api/usage", `${secret}^b`, authorized),
    get("/api/usage", `${secret}%`, authorized),
    get(`/${secret}`, "%"),
    get(`http://${secret}:99999/api/usage`, "127.0.0.1", authorized),
    get(`http://[${secret}/api/usage`, "127.0.0.1", authorized),
    [
      "POST /mcp HTTP/1.1",
      `Host: ${secret}:99999`,
      `Origin: https://${secret}.example`,
      authorized,
      "Content-Type: application/json",
      "Content-Length: 2",
      "Connection: close",
      "",
      "{}",
    ].join("\r\n"),
  ];
  for (const request of requests) {
    assert.equal(await rawStatus(url, request), 400, request.split("\r\n").slice(0, 2).join(" "));
  }
  const unknown = get("/api/usage", "127.0.0.1").replace("GET", `${secret.toUpperCase()}`);
  assert.ok([400, 405, 501].includes(await rawStatus(url, unknown) ?? 0));
  // A path inside Host must not select another route.
  assert.equal(await rawStatus(url, get("/api/usage", "x/docs#", authorized)), 400);
});

scenario(37, "work that waits for a locked allowance is delivered afterwards", async (world) => {
  const LOCKED_MILLISECONDS = 20_000;
  const account = await world.account();
  const { subscription_id } = account;
  const [first, ...calls] = Array.from(
    { length: 7 },
    (_, n) => searchCall(account, world.newKey(), { observation: n, background: true }),
  );
  const accept = async (call: FaultCall) => {
    assert.equal((await callAt(world, world.replicas[0]!, call)).status, 202);
  };
  // The short time-out makes each settlement fail on the lock many times within 20 seconds.
  await alterFunction(world.sql, "settle_operation", "set lock_timeout = '100ms'");
  const trap = world.worker.proxy.holdBefore("settle_operation");
  try {
    await accept(first!);
    await trap.sprung;
    // One operation is about to settle. The others are not leased before the lock is taken.
    world.worker.process.signal("SIGSTOP");
    for (const call of calls) await accept(call);
    await world.sql.begin(async (tx) => {
      await tx`select from allowances where subscription_id = ${subscription_id} for update`;
      const start = performance.now();
      world.worker.process.signal("SIGCONT");
      trap.release();
      await eventually("the settlement has given its lease back", async () => {
        const [row] = await world.sql<{ status: string }[]>`
          select status from operations
          where account_id = ${account.account_id} and request_key = ${first!.request_key!}
        `;
        return row!.status === "pending";
      });
      await pause(LOCKED_MILLISECONDS - (performance.now() - start));
    });
  } finally {
    trap.release();
    world.worker.process.signal("SIGCONT");
    await alterFunction(world.sql, "settle_operation", "reset lock_timeout");
  }
  const answers = await Promise.all([first!, ...calls].map((call) => insist(world, call)));
  assert.deepEqual(answers.map(({ status }) => status), answers.map(() => 200));
});

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Polls all pages since an instant. Returns the observations, and the instant of the next poll. */
async function pollAll(
  world: World,
  { account, domains, since }: { account: Account; domains: string[]; since: string },
): Promise<{ ids: number[]; as_of: string }> {
  const ids: number[] = [];
  let cursor: string | undefined;
  while (true) {
    const inputs = { domains, since, limit: 100, ...cursor && { cursor } };
    const { status, body }: Called = await insist(world, {
      account,
      action: "list_observations",
      request_key: world.newKey(),
      inputs,
    });
    assert.equal(status, 200);
    ids.push(...body.observations.map(({ id }: { id: number }) => id));
    if (body.next_cursor === null) return { ids, as_of: body.as_of };
    cursor = body.next_cursor;
  }
}

scenario(38, "a poller that follows as_of sees all that a fresh poll sees", async (world) => {
  const account = await world.account();
  const domains = [`${word(60)}-late.example`, `${word(61)}-kept.example`];
  const [late, kept] = domains as [string, string];
  const company = (name: string, domains: string[]) => ({ name: `${word(62)} ${name}`, domains });
  const record = (number: number, owner: ReturnType<typeof company>) =>
    recordAll(world.sql, [{
      ...inventRecord(920_000 + number, 0, "followed"),
      country: "CA",
      company: owner,
    }]);
  const idOf = async (name: string) => {
    const [row] = await world.sql<{ id: number }[]>`
      select id from companies where name = ${`${word(62)} ${name}`}
    `;
    return row!.id;
  };
  const LONG_AGO = "2020-01-01T00:00:00Z";
  const seen = new Set<number>();
  let since = LONG_AGO;
  const compare = async (step: string) => {
    const { ids, as_of } = await pollAll(world, { account, domains, since });
    for (const id of ids) seen.add(id);
    since = as_of;
    const fresh = await pollAll(world, { account, domains, since: LONG_AGO });
    assert.deepEqual(fresh.ids.filter((id) => !seen.has(id)), [], step);
    return fresh.ids.length;
  };
  await record(1, company("north", []));
  await record(2, company("south", [kept]));
  assert.equal(await compare("at first"), 1);
  await record(3, company("north", [late]));
  assert.ok(await compare("after a company gained a hostname") > 1);
  const [south, north] = [await idOf("south"), await idOf("north")];
  const { merge } = await mergeCompanies(world.sql, { kept: south, merged: north, reason: "one" });
  await compare("after a merge");
  await record(4, company("south", [kept]));
  await splitCompany(world.sql, merge);
  await compare("after a split");
  await setSource(world.sql, "followed", false);
  assert.equal(await compare("without permission"), 0);
  await record(5, company("north", [late]));
  await setSource(world.sql, "followed", true);
  assert.ok(await compare("with permission again") > 1);
  world.history.disturbed.add(`c${south}`).add(`c${north}`);
  for (const id of seen) world.history.disturbed.add(`o${id}`);
});

scenario(39, "a retry after a lost claim is answered within 3 seconds", async (world) => {
  const ANSWER_MILLISECONDS = 3_000;
  const [post] = world.replicas as [Post];
  const account = await world.account();
  const times: number[] = [];
  // A busy machine may delay some of the runs.
  for (let run = 0; run < 3; run++) {
    const call = searchCall(account, world.newKey(), { observation: run });
    const trap = post.proxy.cutAtAnswer("claim_operation");
    const [first] = await Promise.all([callAt(world, post, call), trap.sprung]);
    assert.deepEqual([first.status, first.body.error.code], [503, "unavailable"]);
    const started = performance.now();
    assert.equal((await insist(world, call)).status, 200);
    times.push(performance.now() - started);
  }
  assert.ok(Math.min(...times) < ANSWER_MILLISECONDS, `${times.map(Math.round)} ms`);
});

scenario(40, "any JSON value is removed from the queue without harm", async (world) => {
  const values = [
    null,
    true,
    0,
    -1,
    1e300,
    "",
    word(5),
    [],
    [null],
    {},
    { operation_id: null },
    { operation_id: "1" },
    { operation_id: -1 },
    { operation_id: 1.5 },
    { operation_id: 2 ** 52 },
    { operation_id: { operation_id: 1 } },
    { other: 1 },
  ];
  try {
    for (const value of values) {
      await world.sql`select pgmq.send('operations', ${JSON.stringify(value)}::text::jsonb)`;
    }
    await eventually("the queue is empty", async () => {
      const [row] = await world.sql<{ messages: number }[]>`
        select count(*)::integer as messages from pgmq.q_operations
      `;
      return row!.messages === 0;
    });
  } finally {
    // Messages that are left must not fail later scenarios.
    await world.sql`select pgmq.purge_queue('operations')`;
  }
  const account = await world.account();
  const call = searchCall(account, world.newKey(), { background: true });
  assert.equal((await insist(world, call)).status, 200);
});
