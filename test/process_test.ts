/** Events in the life of a process: kills, stops, wrong settings, a first start. */
import assert from "node:assert/strict";
import { CompanySearchResult } from "../src/contract/search.ts";
import type { Sql } from "../src/db/connect.ts";
import { startFaultProxy } from "./faults/proxy.ts";
import { createChoose } from "../src/demo/random.ts";
import { alterFunction } from "./support/alter_function.ts";
import { runCommand } from "./support/command.ts";
import {
  changeDemoPlan,
  postSearch,
  readDemoKey,
  type SearchAnswer,
  withDataDir,
} from "./support/data_dir.ts";
import { serverTest } from "./support/database.ts";
import { createCaller, record } from "./support/factories.ts";
import { assertSettled, countRows } from "./support/operations.ts";
import { type Service, startService, WORKING } from "./support/service.ts";
import { eventually } from "./support/waiting.ts";

function search(
  service: Service,
  { query = "freezer", ...request }: { key: string; request_key: string; query?: string },
): Promise<SearchAnswer> {
  return postSearch(service, { ...request, query });
}

/** Repeats a request until its operation is finished. */
async function finished(
  service: Service,
  request: { key: string; request_key: string; query?: string },
): Promise<SearchAnswer> {
  for (;;) {
    const found = await search(service, request);
    if (found.status !== 202 && found.status !== 503) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

Deno.test("a first start gives demo data and a key that finds companies in it", async () => {
  await withDataDir(async (DATA_DIR) => {
    await using first = await startService({ env: { DATA_DIR } });
    const key = await readDemoKey(DATA_DIR);
    // A log holds no key, so it names the file.
    assert.match(first.stderr, /"message":"demo data is in; .*"file":"[^"]+demo_key"/);
    assert.ok(!first.stderr.includes(key));
    assert.equal((await Deno.stat(`${DATA_DIR}/demo_key`)).mode! & 0o777, 0o600);
    // Answers tell what is left of a window: as long as one may be, it hardly ends between two.
    await changeDemoPlan(DATA_DIR, { window_seconds: 604_800 });
    const { status, body } = await search(first, {
      key,
      request_key: "first",
      query: "new warehouse with cold storage",
    });
    assert.equal(status, 200);
    assert.equal(CompanySearchResult.parse(body).companies.length, 10);
    // Other commands reach the held directory through its socket.
    const verified = await runCommand(["admin", "usage", "verify"], { DATA_DIR });
    assert.equal(verified.code, 0, verified.stderr);
    assert.deepEqual(JSON.parse(verified.stdout), {
      operations: 1,
      settlements: 1,
      differences: [],
    });
    const second = await runCommand(["start"], { DATA_DIR, PORT: "0" });
    assert.equal(second.code, 1);
    assert.match(second.stderr, /in use by process [0-9]+/);
    await first.stop();

    await using again = await startService({ env: { DATA_DIR } });
    assert.ok(!again.stderr.includes("demo data"));
    const replay = await search(again, {
      key,
      request_key: "first",
      query: "new warehouse with cold storage",
    });
    assert.deepEqual(replay.body, body);
    await again.stop();
  });
});

Deno.test("a service killed under load, started again: every key has one outcome", async () => {
  await withDataDir(async (DATA_DIR) => {
    await using doomed = await startService({ env: { DATA_DIR } });
    const key = await readDemoKey(DATA_DIR);
    await changeDemoPlan(DATA_DIR, { request_units: 600 });
    const keys = Array.from({ length: 120 }, (_, n) => `key ${n}`);
    let answered = 0;
    const load = keys.map((request_key) =>
      search(doomed, { key, request_key }).then(() => answered++, () => {})
    );
    // In the middle of it, whatever each of them is doing just then.
    await eventually("a third answered", () => Promise.resolve(answered >= 40));
    await doomed.kill("SIGKILL");
    await Promise.all(load);

    await using service = await startService({ env: { DATA_DIR } });
    const verify = ["admin", "usage", "verify"];
    assert.equal((await runCommand(verify, { DATA_DIR })).code, 0);
    // Leases of the dead process ended when this one opened the database.
    const outcomes = await Promise.all(
      keys.map((request_key) => finished(service, { key, request_key })),
    );
    for (const { status } of outcomes) assert.equal(status, 200);
    assert.equal(new Set(outcomes.map(({ body }) => body.usage.id)).size, keys.length);
    const report = await fetch(`${service.url}/api/usage`, {
      headers: { authorization: `Bearer ${key}` },
    }).then((response) => response.json());
    // Of the week, which began with the account: an hour may have ended in between.
    assert.equal(report.usage.weekly_request_units, keys.length);
    assert.deepEqual(report.reservations, { request_units: 0, delivered_units: 0 });
    assert.equal((await runCommand(verify, { DATA_DIR })).code, 0);
    await service.stop();
  });
});

/** Runs `use` while all settlements wait, so that claimed requests go no further. */
async function whileNothingSettles(sql: Sql, use: () => Promise<void>): Promise<void> {
  // Settlements wait as long as a statement may, not only as long as it may for a lock.
  await alterFunction(sql, "settle_operation", "set lock_timeout = 0");
  await sql.begin(async (tx) => {
    await tx`lock table ledger in exclusive mode`;
    await use();
  });
}

serverTest("a process killed after claim: the retry is answered, charged once", async (t) => {
  const { sql, url: DATABASE_URL } = t;
  const { key } = await createCaller(sql);
  await record(sql, [{ observed_fact: "A freezer warehouse." }]);
  const request = { key, request_key: "k" };
  await using doomed = await startService({ env: { DATABASE_URL } });
  // Up before the lease begins, which it will not outlive.
  await using other = await startService({ env: { DATABASE_URL } });
  await whileNothingSettles(sql, async () => {
    const lost = search(doomed, request).catch(() => {});
    const settling = () =>
      sql`
      from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `;
    const isSettling = async () => (await sql`select pid ${settling()}`).length > 0;
    await eventually("claimed, and about to settle", isSettling);
    await doomed.kill("SIGKILL");
    // A server does not notice that a waiting statement's client is gone, and would finish it.
    await sql`select pg_terminate_backend(pid) ${settling()}`;
    await eventually("its statement is gone", async () => !await isSettling());
    await lost;
  });
  assert.equal((await search(other, request)).status, 202);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 0, messages: 0 });
  await sql`update operations set lease_expires_at = now()`;
  const { status, body } = await finished(other, request);
  assert.equal(status, 200);
  assert.deepEqual([body.usage.id, body.usage.delivered_units], [1, 1]);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  await assertSettled(sql);
  await other.stop();
});

serverTest("a process killed after settle: the retry is the answer, charged once", async (t) => {
  const { sql, url: DATABASE_URL } = t;
  const { key } = await createCaller(sql);
  await record(sql, [{ observed_fact: "A freezer warehouse." }]);
  const request = { key, request_key: "k" };
  await using doomed = await startService({ env: { DATABASE_URL } });
  await using other = await startService({ env: { DATABASE_URL } });
  const lost = search(doomed, request).catch(() => {});
  await eventually("settled", async () => (await countRows(sql)).settlements === 1);
  await doomed.kill("SIGKILL");
  await lost;
  const { status, body } = await search(other, request);
  assert.equal(status, 200);
  assert.deepEqual([body.usage.id, body.companies.length], [1, 1]);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  await assertSettled(sql);
  await other.stop();
});

serverTest("a worker takes what a killed serving process accepted", async (t) => {
  const { sql, url: DATABASE_URL } = t;
  const { key } = await createCaller(sql);
  await record(sql, [{ observed_fact: "A freezer warehouse." }]);
  await using doomed = await startService({ env: { DATABASE_URL, WORKERS: "0" } });
  const request = { key, request_key: "k", query: "freezer", background: true };
  assert.equal((await postSearch(doomed, request)).status, 202);
  await doomed.kill("SIGKILL");
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 0, messages: 1 });
  await using worker = await startService({
    env: { DATABASE_URL },
    args: ["work"],
    ready: WORKING,
  });
  await eventually("delivered", async () => (await countRows(sql)).settlements === 1);
  await worker.stop();
  await assertSettled(sql);
});

serverTest("a stop lets open requests finish and exits with 0", async (t) => {
  const { sql, url: DATABASE_URL } = t;
  const { key } = await createCaller(sql);
  await record(sql, [{ observed_fact: "A freezer warehouse." }]);
  await using service = await startService({ env: { DATABASE_URL } });
  let open: Promise<SearchAnswer> | undefined;
  let stopped: Promise<void> | undefined;
  let readiness;
  await whileNothingSettles(sql, async () => {
    open = search(service, { key, request_key: "k" });
    await eventually("claimed", async () => (await countRows(sql)).operations === 1);
    stopped = service.stop();
    await eventually("stopping", () => Promise.resolve(service.stderr.includes("stopping")));
    // A balancer reads this, and sends the next requests elsewhere.
    const answer = await fetch(`${service.url}/readyz`);
    readiness = { status: answer.status, body: await answer.json() };
  });
  assert.equal((await open!).status, 200);
  await stopped;
  const body = { status: "not ready", reason: "draining" };
  assert.deepEqual(readiness, { status: 503, body });
  await assertSettled(sql);
});

const COMMANDS = { start: undefined, work: WORKING };

for (const [command, ready] of Object.entries(COMMANDS)) {
  serverTest(`${command} stops with 0 although the database is away`, async ({ url }) => {
    await using proxy = startFaultProxy(url, createChoose(1));
    await using service = await startService({
      env: { DATABASE_URL: proxy.url },
      args: [command],
      ready,
    });
    proxy.refuse();
    const { code } = await service.kill("SIGTERM");
    assert.equal(code, 0, service.stderr);
  });
}

Deno.test("a setting that cannot be used stops every command and is named", async () => {
  const cases: [string, string][] = [
    ["PORT", "eighty"],
    ["PORT", "70000"],
    ["DATABASE_URL", "mysql://nowhere"],
    ["DEMO", "yes"],
    ["WORKERS", "-1"],
    ["OPERATION_DEADLINE_SECONDS", "0"],
    ["OPERATION_RETENTION_DAYS", "1.5"],
    ["FETCH_CONTACT", "office) nowhere"],
    ["FETCH_OPEN_ADDRESSES", "nowhere"],
    ["SAM_API_KEY", "two words"],
    ["LOG_LEVEL", "loud"],
  ];
  await Promise.all(cases.map(async ([name, value]) => {
    const { code, stdout, stderr } = await runCommand(["start"], { [name]: value });
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, new RegExp(`"reason":"setting ${name}: `));
    assert.ok(!stderr.includes("nowhere"));
  }));
});

Deno.test("wrong usage exits with 2 and says what there is", async () => {
  for (const args of [["sing"], ["start", "now"], ["admin"], ["ingest"]]) {
    const { code, stdout, stderr } = await runCommand(args, { DATABASE_URL: "" });
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, /admin|ingest/);
  }
});
