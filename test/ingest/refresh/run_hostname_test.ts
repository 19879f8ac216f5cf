import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import { refreshNextHostname } from "../../../src/ingest/refresh/run_hostname.ts";
import { setSourceTerms } from "../../../src/ingest/refresh/schedule.ts";
import { setSource } from "../../../src/ingest/record/withdraw.ts";
import { withApp } from "../../support/app.ts";
import { oneEngineTest } from "../../support/database.ts";
import { failInserts } from "../../support/failing_inserts.ts";
import { createCaller } from "../../support/factories.ts";
import {
  bulletin,
  listing,
  NEVER,
  type Publisher,
  refreshContext,
  startPublisher,
  TEST_SOURCES,
} from "../../support/publisher.ts";
import { send } from "../../support/queue.ts";

async function prepare(sql: Sql, { address }: Publisher): Promise<void> {
  await setSourceTerms(sql, TEST_SOURCES.get("bulletin")!, {
    address,
    hostname_interval_seconds: 86_400,
  });
}

const ask = (sql: Sql, message: object) => send(sql, { queue: "refreshes", message });

const WANTED = { source: "bulletin", hostname: "north.example" };

/** Returns the number of waiting messages and of archived ones. */
async function countMessages(sql: Sql): Promise<{ waiting: number; archived: number }> {
  const [row] = await sql<[{ waiting: number; archived: number }]>`
    select
      (select count(*) from pgmq.q_refreshes) as waiting,
      (select count(*) from pgmq.a_refreshes) as archived
  `;
  return { ...row };
}

oneEngineTest("a hostname without records is refreshed, and then found", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await using publisher = startPublisher(() =>
    listing([
      bulletin("north", { company: { name: "Northwind Foods", domains: ["north.example"] } }),
    ])
  );
  await prepare(sql, publisher);
  await withApp(db, async (app) => {
    const statuses = async (request_key: string) => {
      const path = "/api/observations?domains[]=north.example&since=2020-01-01T00:00:00Z";
      return (await app.ask(path, { key, request_key })).body.domains;
    };
    assert.deepEqual(await statuses("1"), [{ hostname: "north.example", status: "not_found" }]);
    const context = refreshContext(sql, publisher);
    assert.equal(await refreshNextHostname(context, NEVER), true);
    assert.equal(await refreshNextHostname(context, NEVER), false);
    assert.deepEqual(publisher.asked, ["/companies/north.example"]);
    assert.deepEqual(await statuses("2"), [{ hostname: "north.example", status: "found" }]);
  });
  assert.deepEqual(await countMessages(sql), { waiting: 0, archived: 0 });
});

oneEngineTest(
  "refreshNextHostname() succeeds if a source has no records of a hostname",
  async ({ sql }) => {
    await using publisher = startPublisher(() => listing([]));
    await prepare(sql, publisher);
    for (const status of [200, 404]) {
      publisher.answer = () => new Response(null, { status });
      await ask(sql, WANTED);
      assert.equal(await refreshNextHostname(refreshContext(sql, publisher), NEVER), true);
    }
    assert.equal(publisher.asked.length, 2);
    assert.deepEqual(await countMessages(sql), { waiting: 0, archived: 0 });
  },
);

oneEngineTest(
  "refreshNextHostname() retries a failing source with growing pauses",
  async ({ sql }) => {
    await using publisher = startPublisher(() =>
      new Response(null, { status: 429, headers: { "retry-after": "31536000" } })
    );
    await prepare(sql, publisher);
    await ask(sql, WANTED);
    const context = refreshContext(sql, publisher);
    const fetch = () => Promise.reject(new TypeError("a defect of this program"));
    // The pause is a day at most, whatever the source requests.
    for (const pause of [86_400, 120, 240, 480]) {
      const fetcher = pause === 120 ? { fetch } : context.fetcher;
      assert.equal(await refreshNextHostname({ ...context, fetcher }, NEVER), true);
      assert.equal(await refreshNextHostname(context, NEVER), false);
      const [{ seconds }] = await sql<[{ seconds: number }]>`
      select extract(epoch from vt - clock_timestamp())::integer as seconds from pgmq.q_refreshes
    `;
      assert.ok(seconds > pause - 10 && seconds <= pause, `${seconds} of ${pause}`);
      publisher.answer = () => new Response(null, { status: 500 });
      await sql`select pgmq.set_vt('refreshes', msg_id, 0) from pgmq.q_refreshes`;
    }
    assert.equal(await refreshNextHostname(context, NEVER), true);
    assert.deepEqual(await countMessages(sql), { waiting: 0, archived: 0 });
  },
);

oneEngineTest("refreshNextHostname() archives a message at its sixth read", async (t) => {
  const { sql } = t;
  await using publisher = startPublisher(() => listing([]));
  await prepare(sql, publisher);
  await ask(sql, WANTED);
  for (let read = 1; read <= 5; read++) {
    // The reader does not delete the message, as if its process had been killed.
    await sql`select from pgmq.read('refreshes', 0, 1)`;
  }
  assert.equal(await refreshNextHostname(refreshContext(sql, publisher), NEVER), true);
  assert.deepEqual(await countMessages(sql), { waiting: 0, archived: 1 });
  assert.deepEqual(publisher.asked, []);
});

oneEngineTest(
  "refreshNextHostname() archives invalid messages, and drops outdated ones",
  async ({ sql }) => {
    await using publisher = startPublisher(() => listing([]));
    await prepare(sql, publisher);
    const context = refreshContext(sql, publisher);
    for (
      const message of [{}, { source: 7, hostname: "a.example" }, { ...WANTED, hostname: "A b" }]
    ) {
      await ask(sql, message);
      assert.equal(await refreshNextHostname(context, NEVER), true);
    }
    assert.deepEqual(await countMessages(sql), { waiting: 0, archived: 3 });
    await setSource(sql, "bulletin", false);
    for (const source of ["bulletin", "boards", "unknown"]) {
      await ask(sql, { ...WANTED, source });
      assert.equal(await refreshNextHostname(context, NEVER), true);
    }
    assert.deepEqual(await countMessages(sql), { waiting: 0, archived: 3 });
    assert.deepEqual(publisher.asked, []);
  },
);

oneEngineTest("refreshNextHostname() removes any JSON value from its queue", async ({ sql }) => {
  await using publisher = startPublisher(() => listing([]));
  await prepare(sql, publisher);
  const values = [
    ...["null", "7", "1e400", "true", '"text"', "[]", "[[[null]]]", "{}", '["source"]'],
    ...['{"source": null, "hostname": null}', '{"source": {}, "hostname": ["north.example"]}'],
    ...['{"source": "bulletin"}', `{"source": ${"9".repeat(400)}, "hostname": "north.example"}`],
    ...["[".repeat(500) + "]".repeat(500)],
  ];
  for (const text of values) await sql`select pgmq.send('refreshes', ${text}::text::jsonb)`;
  await ask(sql, WANTED);
  while (await refreshNextHostname(refreshContext(sql, publisher), NEVER));
  assert.deepEqual(await countMessages(sql), { waiting: 0, archived: values.length });
  assert.deepEqual(publisher.asked, ["/companies/north.example"]);
});

oneEngineTest(
  "failures of the database and stops of the process do not count as reads of a message",
  async ({ sql }) => {
    await using publisher = startPublisher(() => listing([bulletin("north")]));
    await prepare(sql, publisher);
    await ask(sql, WANTED);
    await failInserts(sql, "observations");
    const context = refreshContext(sql, publisher);
    const makeVisible = () => sql`select pgmq.set_vt('refreshes', msg_id, 0) from pgmq.q_refreshes`;
    for (let round = 0; round < 4; round++) {
      await assert.rejects(refreshNextHostname(context, NEVER), { code: "unavailable" });
      await makeVisible();
      const stop = new AbortController();
      publisher.answer = () => {
        stop.abort();
        return listing([]);
      };
      assert.equal(await refreshNextHostname(context, stop.signal), true);
      publisher.answer = () => listing([bulletin("north")]);
    }
    const [{ read_ct }] = await sql<[{ read_ct: number }]>`select read_ct from pgmq.q_refreshes`;
    assert.equal(read_ct, 0);
    await sql`drop trigger fault on observations`;
    assert.equal(await refreshNextHostname(context, NEVER), true);
    assert.deepEqual(await countMessages(sql), { waiting: 0, archived: 0 });
    assert.equal((await sql`select from observations`).length, 1);
  },
);

oneEngineTest(
  "refreshNextHostname() returns its message to the queue at once when it is stopped",
  async ({ sql }) => {
    const stop = new AbortController();
    await using publisher = startPublisher(() => {
      stop.abort();
      return listing([]);
    });
    await prepare(sql, publisher);
    await ask(sql, WANTED);
    await refreshNextHostname(refreshContext(sql, publisher), stop.signal);
    assert.equal(await refreshNextHostname(refreshContext(sql, publisher), NEVER), true);
    assert.deepEqual(await countMessages(sql), { waiting: 0, archived: 0 });
  },
);

oneEngineTest("two workers share messages, but never read the same one", async ({ sql }) => {
  await using publisher = startPublisher(() => listing([]));
  await prepare(sql, publisher);
  const hostnames = ["a.example", "b.example", "c.example", "d.example"];
  for (const hostname of hostnames) await ask(sql, { ...WANTED, hostname });
  const worker = async () => {
    while (await refreshNextHostname(refreshContext(sql, publisher), NEVER));
  };
  await Promise.all([worker(), worker()]);
  assert.deepEqual(publisher.asked.sort(), hostnames.map((name) => `/companies/${name}`));
});
