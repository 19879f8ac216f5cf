/** Each check of `doctor`, with and without a fault. */
import assert from "node:assert/strict";
import { doctor, examine } from "../../src/commands/doctor.ts";
import {
  checkClock,
  checkLeases,
  checkLedger,
  checkMigrations,
  checkQueue,
  checkSources,
  checkVersion,
} from "../../src/commands/doctor_database.ts";
import {
  checkDirectory,
  checkDisk,
  checkMemory,
  checkService,
  readService,
} from "../../src/commands/doctor_machine.ts";
import type { Finding } from "../../src/commands/finding.ts";
import { readSettings } from "../../src/config.ts";
import type { Sql } from "../../src/db/connect.ts";
import { NOTHING_READ } from "../../src/ingest/record/pipeline.ts";
import { runCommand } from "../support/command.ts";
import { createDataDir, withDataDir } from "../support/data_dir.ts";
import { databaseTest, serverTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { silent } from "../support/operations.ts";
import { addFeed } from "../support/own_feeds.ts";
import { startService } from "../support/service.ts";
import { withApp } from "../support/app.ts";

/** Returns the check and level of each finding. A finding that is not ok must have a remedy. */
function levelsOf(findings: Finding[]): string[] {
  for (const { level, remedy } of findings) assert.equal(remedy === undefined, level === "ok");
  return findings.map(({ check, level }) => `${check} ${level}`);
}

const GB = 1e9;

Deno.test("doctor reports a full disk and a lack of memory", () => {
  const disk = (free: number, total: number) =>
    levelsOf(checkDisk({ free_bytes: free * GB, total_bytes: total * GB }));
  assert.deepEqual([disk(5.1, 100), disk(1.1, 2)], [["disk ok"], ["disk ok"]]);
  assert.deepEqual(disk(4.9, 100), ["disk warning"]);
  assert.deepEqual(disk(1, 2), ["disk fault"]);
  const memory = (available: number, observations: number) =>
    levelsOf(checkMemory({ available_bytes: available * GB, observations }));
  assert.deepEqual(memory(1, 100_000), ["memory ok"]);
  assert.deepEqual(memory(1, 1_000_000), ["memory fault"]);
});

Deno.test("doctor reports a directory without a database, half restored, or open to other users", () =>
  withDataDir(async (directory) => {
    const look = async () => levelsOf(await checkDirectory(directory));
    assert.deepEqual(await look(), ["directory fault"]);
    await Deno.mkdir(`${directory}/pglite`, { mode: 0o700 });
    await Deno.writeTextFile(`${directory}/pglite/PG_VERSION`, "18", { mode: 0o600 });
    assert.deepEqual(await look(), ["directory ok"]);
    await Deno.chmod(`${directory}/pglite/PG_VERSION`, 0o644);
    assert.deepEqual(await look(), ["directory fault"]);
    assert.equal(Deno.statSync(`${directory}/pglite/PG_VERSION`).mode! & 0o777, 0o644);
    // Access by other users does not end the checks.
    const settings = readSettings({ DATA_DIR: directory });
    const database = () => Promise.reject(new Error("doctor opens the database itself"));
    const [last] = levelsOf(await examine({ settings, log: silent, database })).slice(-1);
    assert.equal(last, "database fault");
    await Deno.remove(`${directory}/pglite`, { recursive: true });
    await Deno.mkdir(`${directory}/pglite.restoring`);
    const [finding] = await checkDirectory(directory);
    assert.match(finding!.message, /was interrupted/);
  }));

const METRICS = "ce_index_documents 100\nce_index_lag_seconds 0.2\n";

Deno.test("doctor reports a service that does not answer, is not ready, or has a lagging index", () => {
  const look = (state: Parameters<typeof checkService>[0], deliverable = 100) =>
    levelsOf(checkService(state, { url: "http://127.0.0.1:1", deliverable }));
  const ready = { status: "ready" };
  assert.deepEqual(look({}), ["service warning"]);
  assert.deepEqual(look({ ready: { status: "not ready", reason: "draining" } }), ["service fault"]);
  assert.deepEqual(look({ ready }), ["service ok", "index warning"]);
  assert.deepEqual(look({ ready, metrics: METRICS }), ["service ok", "index ok"]);
  assert.deepEqual(look({ ready, metrics: METRICS }, 200), ["service ok", "index fault"]);
  for (const [lag, level] of [["60", "ok"], ["61", "fault"]] as const) {
    const metrics = METRICS.replace("0.2", lag);
    assert.deepEqual(look({ ready, metrics }), ["service ok", `index ${level}`]);
  }
});

databaseTest("doctor reports a missing extension and missing migrations", async ({ sql }) => {
  assert.deepEqual(levelsOf(await checkVersion(sql)), ["database ok", "extension ok"]);
  const standby = sql.begin((tx) => tx`set transaction read only`.then(() => checkVersion(tx)));
  assert.deepEqual(levelsOf(await standby), ["database fault", "extension ok"]);
  assert.deepEqual(levelsOf(await checkMigrations(sql)), ["migrations ok"]);
  await sql`delete from migrations where name = 'functions/metering/allowance'`;
  assert.deepEqual(levelsOf(await checkMigrations(sql)), ["migrations fault"]);
  await sql`alter schema pgmq rename to elsewhere`;
  assert.deepEqual(levelsOf(await checkVersion(sql)), ["database ok", "extension fault"]);
});

databaseTest("doctor reports a clock that differs from the database's", async ({ sql }) => {
  for (const [seconds, level] of [[4, "ok"], [-4, "ok"], [6, "fault"], [-6, "fault"]] as const) {
    const wrong = () => Date.now() + seconds * 1000;
    assert.deepEqual(levelsOf(await checkClock(sql, wrong)), [`clock ${level}`]);
  }
});

databaseTest("doctor reports work that no process takes, and poison messages", async ({ sql }) => {
  assert.deepEqual(levelsOf(await checkQueue(sql)), ["queue ok"]);
  await sql`select pgmq.send('operations', '{"operation_id": 1}')`;
  assert.deepEqual(levelsOf(await checkQueue(sql)), ["queue ok"]);
  for (const [seconds, level] of [[100, "ok"], [122, "fault"]] as const) {
    await sql`update pgmq.q_operations set enqueued_at = now() - ${`${seconds} s`}::interval`;
    assert.deepEqual(levelsOf(await checkQueue(sql)), [`queue ${level}`]);
  }
  // A process has taken the message.
  await sql`update pgmq.q_operations set vt = now() + interval '1 min'`;
  assert.deepEqual(levelsOf(await checkQueue(sql)), ["queue ok"]);
  await sql`select pgmq.archive('operations', msg_id) from pgmq.q_operations`;
  assert.deepEqual(levelsOf(await checkQueue(sql)), ["queue ok", "queue warning"]);
});

/** Gives each operation an expired lease, as if its process had died. Sets a wrong counter. */
async function breakOperations(sql: Sql): Promise<void> {
  await sql`
    update operations set status = 'processing', finished_at = null, request_units = 0,
      delivered_units = 0, inputs = '{}', result = null, lease_token = gen_random_uuid(),
      lease_expires_at = now() - interval '10 min'
  `;
  await sql`update allowances set week_request_units = 7`;
}

databaseTest("doctor reports abandoned leases and wrong counters", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await record(sql, [{ observed_fact: "A freezer warehouse." }]);
  await withApp(db, async ({ search }) => {
    await search({ query: "freezer" }, { key, request_key: "k" });
  });
  assert.deepEqual(levelsOf(await checkLeases(sql)), ["leases ok"]);
  assert.deepEqual(levelsOf(await checkLedger(sql)), ["ledger ok"]);
  await breakOperations(sql);
  assert.deepEqual(levelsOf(await checkLeases(sql)), ["leases fault"]);
  // A running process sweeps within a minute.
  await sql`update operations set lease_expires_at = now() - interval '50 s'`;
  assert.deepEqual(levelsOf(await checkLeases(sql)), ["leases ok"]);
  assert.deepEqual(levelsOf(await checkLedger(sql)), ["ledger fault"]);
});

databaseTest("doctor reports failing schedules, and ones that no process runs", async ({ sql }) => {
  const look = async (asks_sources = true) =>
    levelsOf(await checkSources(sql, { asks_sources, header_variables: [] }));
  assert.deepEqual(await look(false), ["sources ok"]);
  await sql`insert into sources (name) values ('one')`;
  await sql`
    insert into source_feeds (source_id, refresh_interval, due_at)
    select id, interval '1 h', now() from sources
  `;
  assert.deepEqual(await look(), ["sources ok"]);
  assert.deepEqual(await look(false), ["sources fault"]);
  // Another process polls it.
  await sql`update source_feeds set last_started_at = now()`;
  assert.deepEqual(await look(false), ["sources ok"]);
  await sql`update source_feeds set last_started_at = null`;
  await sql`update source_feeds set failures = 2, last_outcome = 'failed', last_error = 'HTTP 500'`;
  assert.deepEqual(await look(), ["sources ok"]);
  await sql`update source_feeds set failures = 3`;
  const [finding] = await checkSources(sql, { asks_sources: true, header_variables: [] });
  assert.equal(finding!.message, "one has failed 3 times in a row: HTTP 500.");
  await sql`update source_feeds set failures = 0, last_outcome = 'suspicious'`;
  assert.deepEqual(await look(), ["sources fault"]);
});

databaseTest(
  "doctor warns of a feed that is late, empty, shrinking or without header",
  async (t) => {
    const { sql } = t;
    const look = async (...header_variables: string[]) =>
      (await checkSources(sql, { asks_sources: true, header_variables }))
        .map(({ level, message }) => `${level}: ${message}`);
    await addFeed(sql, "https://feeds.example/a", {
      full_listing: true,
      header_variable: "FEED_TENDERS",
    });
    assert.deepEqual(await look(), ["warning: tenders needs FEED_TENDERS, which is not set."]);
    assert.deepEqual(await look("FEED_TENDERS"), ["ok: 1 schedules, none with failures."]);
    await sql`update source_feeds set due_at = now() - interval '181 minutes'`;
    assert.deepEqual(await look("FEED_TENDERS"), [
      "warning: tenders has not succeeded for 3 intervals.",
    ]);
    await sql`update sources set permitted = false`;
    assert.deepEqual(await look("FEED_TENDERS"), ["ok: 1 schedules, none with failures."]);
    const run = async (unchanged: number) => {
      const counts = JSON.stringify({ ...NOTHING_READ, unchanged });
      await sql`
      update source_feeds set last_succeeded_at = now(), usual_records = 20,
        last_outcome = 'complete', last_counts = ${counts}::text::jsonb
    `;
      return await look("FEED_TENDERS");
    };
    assert.deepEqual(await run(18), ["ok: 1 schedules, none with failures."]);
    assert.deepEqual(await run(17), ["warning: tenders is shrinking: 17 records instead of 20."]);
    assert.deepEqual(await run(0), ["warning: tenders is empty."]);
  },
);

Deno.test("doctor reports an unreachable database", async () => {
  const settings = readSettings({ DATABASE_URL: "postgres://x@127.0.0.1:1/x" });
  const database = () => Promise.reject(new Error("doctor opens the database itself"));
  const findings = await examine({ settings, log: silent, database });
  assert.deepEqual(levelsOf(findings), ["settings ok", "database fault"]);
  const lines: string[] = [];
  const context = { settings, log: silent, database };
  assert.equal(await doctor([], context, (line) => lines.push(line)), 1);
  assert.match(
    lines[1]!,
    /^fault {3}database +The database cannot be reached: .*\n +Check DATABASE/,
  );
});

serverTest("doctor, run as a task, finds no fault in a running service", async (t) => {
  await createCaller(t.sql);
  await record(t.sql, [{}]);
  await withDataDir(async (DATA_DIR) => {
    // Metrics have another address than requests.
    const env = { DATABASE_URL: t.url, DATA_DIR, METRICS_HOST: "127.0.0.2" };
    await using service = await startService({ env: { ...env, METRICS_PORT: "0" } });
    const { port } = new URL(service.url);
    const metrics = /"message":"metrics are served".*"port":(\d+)/.exec(service.stderr)![1]!;
    const settings = { ...env, PORT: port, METRICS_PORT: metrics };
    const { code, stdout, stderr } = await runCommand(["doctor", "--json"], settings);
    const { findings, faults } = JSON.parse(stdout);
    assert.deepEqual([code, faults, stderr], [0, 0, ""], stdout);
    const checks = "settings database extension migrations clock queue leases ledger sources " +
      "service index";
    assert.deepEqual(levelsOf(findings), checks.split(" ").map((check) => `${check} ok`));
    // Without METRICS_PORT, the index is not compared. The memory is that of a ready process.
    const unmeasured = await runCommand(["doctor"], { ...settings, METRICS_PORT: "" });
    assert.match(unmeasured.stdout, /^ok +service .*\nwarning +index .*\n +Set METRICS_PORT.*\n$/m);
    // The service has another database than this directory.
    await createDataDir(`${DATA_DIR}/other`);
    const other = await runCommand(["doctor"], { DATA_DIR: `${DATA_DIR}/other`, PORT: port });
    assert.match(other.stdout, /^warning service +No service runs with this DATA_DIR/m);
    // The address for callers does not serve the metrics.
    const response = await fetch(`${service.url}/metrics`);
    await response.body?.cancel();
    assert.equal(response.status, 404);
    await service.stop();
    // A stopped service gives a warning, and the memory for a start is checked.
    assert.deepEqual(await readService({ url: service.url }), {
      ready: undefined,
      metrics: undefined,
    });
    const after = await runCommand(["doctor"], settings);
    assert.equal(after.code, 0, after.stderr);
    assert.match(after.stdout, /^warning service/m);
    assert.match(after.stdout, /^ok {6}memory/m);
  });
});
