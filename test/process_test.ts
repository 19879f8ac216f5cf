/** First starts, kills, stops and wrong settings of a process. */
import assert from "node:assert/strict";
import { readSettings, SettingError } from "../src/config.ts";
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

/** Repeats a request until its operation has ended. Returns the last answer. */
async function finished(
  service: Service,
  request: { key: string; request_key: string; query?: string },
): Promise<SearchAnswer> {
  for (;;) {
    const answer = await search(service, request);
    if (answer.status !== 202 && answer.status !== 503) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

Deno.test("a first start gives demo data and a key, and its keys survive a stop and a kill", async () => {
  await withDataDir(async (DATA_DIR) => {
    await using first = await startService({ env: { DATA_DIR } });
    const key = await readDemoKey(DATA_DIR);
    // The log names the file of the key, because a log may contain no key.
    assert.match(first.stderr, /"message":"demo data is in; .*"file":"[^"]+demo_key"/);
    assert.ok(!first.stderr.includes(key));
    assert.equal((await Deno.stat(`${DATA_DIR}/demo_key`)).mode! & 0o777, 0o600);
    // Answers contain the remaining units of the window. A long window is unlikely to end between
    // the two answers that are compared.
    await changeDemoPlan(DATA_DIR, { window_seconds: 604_800 });
    const { status, body } = await search(first, {
      key,
      request_key: "first",
      query: "new warehouse with cold storage",
    });
    assert.equal(status, 200);
    assert.equal(CompanySearchResult.parse(body).companies.length, 10);
    // Other commands reach the database of the service through its socket.
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

    // After a kill under load and another start, every key has one outcome.
    await changeDemoPlan(DATA_DIR, { request_units: 600 });
    // A subscription may have 100 requests at once.
    const keys = Array.from({ length: 96 }, (_, n) => `key ${n}`);
    let answered = 0;
    const load = keys.map((request_key) =>
      search(again, { key, request_key }).then(() => answered++, () => {})
    );
    // The service is killed while many requests are at different points.
    await eventually("a third of the requests is answered", () => Promise.resolve(answered >= 32));
    await again.kill("SIGKILL");
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
    // The units of the week are compared, because a window may have ended meanwhile.
    assert.equal(report.usage.weekly_request_units, keys.length + 1);
    assert.deepEqual(report.reservations, { request_units: 0, delivered_units: 0 });
    assert.equal((await runCommand(verify, { DATA_DIR })).code, 0);
    await service.stop();
  });
});

/** Runs `use` while all settlements wait, so that claimed requests do not end. */
async function whileNothingSettles(sql: Sql, use: () => Promise<void>): Promise<void> {
  // Settlements wait until their statement time-out instead of their lock time-out.
  await alterFunction(sql, "settle_operation", "set lock_timeout = 0");
  await sql.begin(async (tx) => {
    await tx`lock table ledger in exclusive mode`;
    await use();
  });
}

serverTest("a request is charged once, whenever its process is killed", async (t) => {
  const { sql, url: DATABASE_URL } = t;
  const { key } = await createCaller(sql);
  await record(sql, [{ observed_fact: "A freezer warehouse." }]);
  // This process is started before the lease begins, because the lease is short.
  await using other = await startService({ env: { DATABASE_URL } });

  // The first process is killed before it settles.
  await using claimer = await startService({ env: { DATABASE_URL } });
  const claimed = { key, request_key: "claimed" };
  await whileNothingSettles(sql, async () => {
    const lost = search(claimer, claimed).catch(() => {});
    const settling = () =>
      sql`
      from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `;
    const isSettling = async () => (await sql`select pid ${settling()}`).length > 0;
    await eventually("the request is claimed, and about to settle", isSettling);
    await claimer.kill("SIGKILL");
    // The server does not notice that the client of a waiting statement has ended, and would finish
    // the statement.
    await sql`select pg_terminate_backend(pid) ${settling()}`;
    await eventually("its statement has ended", async () => !await isSettling());
    await lost;
  });
  assert.equal((await search(other, claimed)).status, 202);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 0, messages: 0 });
  await sql`update operations set lease_expires_at = now()`;
  const delivered = await finished(other, claimed);
  assert.equal(delivered.status, 200);
  const { usage } = delivered.body;
  assert.deepEqual([usage.id, usage.delivered_units], [1, 1]);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });

  // The next process is killed after it has settled.
  const settled = { key, request_key: "settled" };
  const lost = search(other, settled).catch(() => {});
  await eventually("settled", async () => (await countRows(sql)).settlements === 2);
  await other.kill("SIGKILL");
  await lost;
  const limited = { OPERATION_DEADLINE_SECONDS: "600", OPERATION_RETENTION_DAYS: "1" };
  await using last = await startService({ env: { DATABASE_URL, WORKERS: "0", ...limited } });
  const { status, body } = await search(last, settled);
  assert.deepEqual([status, body.companies.length], [200, 1]);
  assert.deepEqual(await countRows(sql), { operations: 2, settlements: 2, messages: 0 });

  // The last process is killed when it has accepted work that no worker has read.
  const accepted = { key, request_key: "accepted", query: "freezer", background: true };
  assert.equal((await postSearch(last, accepted)).status, 202);
  await last.kill("SIGKILL");
  assert.deepEqual(await countRows(sql), { operations: 3, settlements: 2, messages: 1 });
  const [{ seconds }] = await sql<[{ seconds: number }]>`
    select extract(epoch from deadline_at - claimed_at)::integer as seconds
    from operations where status = 'pending'
  `;
  assert.equal(seconds, 600);
  await sql`update operations set finished_at = finished_at - interval '1 day' where id = 1`;
  // Only a serving process can be without workers.
  await using worker = await startService({
    env: { DATABASE_URL, WORKERS: "0", ...limited },
    args: ["work"],
    ready: WORKING,
  });
  await eventually("delivered", async () => (await countRows(sql)).settlements === 3);
  const expired = () => sql`select from operations where id = 1 and status = 'expired'`;
  await eventually("the first result has expired", async () => (await expired()).length === 1);
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
    // A load balancer reads this, and sends the next requests to other processes.
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
  serverTest(`${command} stops with 0 while the database is unreachable`, async ({ url }) => {
    await using proxy = startFaultProxy(url, createChoose(1));
    const env = { DATABASE_URL: proxy.url };
    await using service = await startService({ env, args: [command], ready });
    proxy.refuse();
    const { code } = await service.kill("SIGTERM");
    assert.equal(code, 0, service.stderr);
  });
}

serverTest("a read-only database makes a service not ready, and stops a start", async (t) => {
  const { sql, url: DATABASE_URL } = t;
  await using service = await startService({ env: { DATABASE_URL } });
  const [{ name }] = await sql<[{ name: string }]>`select current_database() as name`;
  await sql.unsafe(`alter database "${name}" set default_transaction_read_only = on`);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = ${name} and pid <> pg_backend_pid()`;
  const readiness = async () => (await (await fetch(`${service.url}/readyz`)).json()).reason;
  await eventually("not ready", async () => await readiness() === "the database is read-only");
  const { code, stderr } = await runCommand(["start"], { DATABASE_URL });
  assert.match(
    code + stderr,
    /^1[^]*"reason":"The database is read-only\. DATABASE_URL must name the primary/,
  );
});

Deno.test("an invalid setting stops `start`, and is named", async () => {
  const cases = "PORT=eighty|PORT=70000|DATABASE_URL=mysql://nowhere|DEMO=yes|WORKERS=-1|" +
    "OPERATION_DEADLINE_SECONDS=0|OPERATION_RETENTION_DAYS=1.5|FETCH_CONTACT=office) nowhere|" +
    "FETCH_OPEN_ADDRESSES=nowhere|SAM_API_KEY=two words|LOG_LEVEL=loud";
  for (const [name, value] of cases.split("|").map((pair) => pair.split("="))) {
    assert.throws(() => readSettings({ [name!]: value }), (error) => {
      assert.ok(error instanceof SettingError);
      return error.message.startsWith(`setting ${name}: `) && !error.message.includes("nowhere");
    });
  }
  const { code, stdout, stderr } = await runCommand(["start"], {
    FETCH_CONTACT: "office) nowhere",
  });
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /"reason":"setting FETCH_CONTACT: /);
  assert.ok(!stderr.includes("nowhere"));
});
