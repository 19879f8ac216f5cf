import assert from "node:assert/strict";
import { type Sql } from "../../src/db/connect.ts";
import { suppressCompany, withdrawObservation } from "../../src/ingest/record/withdraw.ts";
import { normalizeFilters, normalizeQuery } from "../support/inputs.ts";
import type { RecordAnswer, RecordRequest, RecordSource } from "../../src/search/record_source.ts";
import { Retriever } from "../../src/search/retriever.ts";
import { oneEngineTest, serverTest } from "../support/database.ts";
import { record } from "../support/factories.ts";
import { entryOf, silent } from "../support/operations.ts";
import { eventually } from "../support/waiting.ts";

/** Milliseconds between polls. No test runs that long. */
const NEVER_POLLS = 3_600_000;

/** Returns a loaded retriever. By default it follows changes only on `refresh()`. */
async function loaded(sql: Sql, poll_milliseconds = NEVER_POLLS) {
  const retriever = new Retriever({ sql, log: silent, poll_milliseconds });
  await retriever.source.start();
  return retriever;
}

async function find(retriever: Retriever, query: string, filters: unknown = {}) {
  const { entries } = await retriever.search({
    query: normalizeQuery(query),
    filters: normalizeFilters(filters),
    now: new Date(),
  });
  return entries;
}

const observations = async (retriever: Retriever, query: string, filters?: unknown) =>
  (await find(retriever, query, filters)).flatMap(({ observation_ids }) => observation_ids);

oneEngineTest(
  "search() returns companies with their observations, and how they were found",
  async ({ sql }) => {
    const [, steel] = await record(sql, [
      { observed_fact: "Structural beams are sold." },
      { observed_fact: "Structural beams are wanted.", country: "US" },
    ]);
    await using retriever = await loaded(sql);
    assert(retriever.source.ready);
    const filters = normalizeFilters({ countries: ["US"] });
    assert.deepEqual(
      await retriever.search({ query: "beam", filters, now: new Date() }),
      {
        ...{ entries: [entryOf(steel!)], found_by_words: 1, terms: ["beam"] },
        ...{ retrieval: "lexical", limitations: [] },
      },
    );
  },
);

oneEngineTest("a retriever is not ready before the first load", async ({ sql }) => {
  const retriever = new Retriever({ sql, log: silent });
  assert.equal(retriever.source.ready, false);
  await assert.rejects(find(retriever, "hall"), { code: "retrieval_unavailable" });
  await retriever.source.close();
});

oneEngineTest(
  "start() builds the same index from many pages as refresh() does from single changes",
  async ({ sql }) => {
    const word = (n: number) => ["crane", "roof", "snow", "beam", "boiler"][n % 5]!;
    const parts = Array.from({ length: 1203 }, (_, n) => ({
      external_id: `many-${n}`,
      observed_fact: `${word(n)} ${word(n * 7 + 3)} and ${word(Math.floor(n / 5))} wanted`,
      company: { name: `Buyer ${n % 90}`, external_id: String(n % 90) },
    }));
    const recorded = await record(sql, parts);
    await using follower = await loaded(sql);
    // These changes are not in the order of the ids.
    for (const n of [700, 3, 1100, 250]) {
      await withdrawObservation(sql, recorded[n]!.observation_id);
      await follower.source.refresh();
    }
    await record(sql, parts.slice(40, 80).map((part) => ({ ...part, observed_fact: "snow roof" })));
    await follower.source.refresh();
    await suppressCompany(sql, recorded[17]!.company_id);
    await follower.source.refresh();
    await using loader = await loaded(sql);
    for (const query of ["crane", "snow roof", "beam boiler crane", "wanted"]) {
      const entries = await find(loader, query);
      assert(entries.length > 30, query);
      assert.deepEqual(await find(follower, query), entries);
      const one = { company_ids: [recorded[2]!.company_id] };
      assert.deepEqual(await find(follower, query, one), await find(loader, query, one));
    }
    const wanted = { query: "wanted", filters: normalizeFilters({}) };
    assert.equal((await loader.searchObservations(wanted)).entries.length, 100);
  },
);

oneEngineTest("start() polls for changes until close()", async ({ sql }) => {
  const retriever = await loaded(sql, 5);
  await record(sql, [{ observed_fact: "A crane is wanted." }]);
  await until(async () => (await find(retriever, "crane")).length === 1);
  await retriever.source.close();
  await retriever.source.close();
  await record(sql, [{ observed_fact: "Another crane is wanted." }]);
  await retriever.source.refresh();
  assert.equal((await find(retriever, "crane")).length, 1);
});

oneEngineTest("start() and the polling survive failures of the database", async ({ sql }) => {
  const database = { down: true };
  const flaky = ((...statement: Parameters<Sql>) =>
    database.down ? Promise.reject(new Error("connection refused")) : sql(...statement)) as Sql;
  const retriever = new Retriever({ sql: flaky, log: silent, poll_milliseconds: 5 });
  const started = retriever.source.start();
  await record(sql, [{ observed_fact: "A crane is wanted." }]);
  await assert.rejects(retriever.source.refresh(), { message: "connection refused" });
  assert.equal(retriever.source.ready, false);
  database.down = false;
  await started;
  assert.equal((await find(retriever, "crane")).length, 1);

  database.down = true;
  await record(sql, [{ observed_fact: "Another crane is wanted." }]);
  await assert.rejects(retriever.source.refresh());
  assert(retriever.source.ready);
  assert.equal((await find(retriever, "crane")).length, 1);
  database.down = false;
  await until(async () =>
    (await find(retriever, "crane")).length === 2
  );
  await retriever.source.close();
});

oneEngineTest("start() ends if close() is called before the load", async ({ sql }) => {
  const broken = (() => Promise.reject(new Error("connection refused"))) as unknown as Sql;
  const unreachable = new Retriever({ sql: broken, log: silent });
  const started = unreachable.source.start();
  await unreachable.source.close();
  await started;
  assert.equal(unreachable.source.ready, false);
  const closed = new Retriever({ sql, log: silent });
  await closed.source.close();
  await closed.source.start();
  assert.equal(closed.source.ready, false);
});

oneEngineTest("refresh() loads everything again after the clock was set back", async ({ sql }) => {
  const [lost] = await record(sql, [{ observed_fact: "A crane is wanted." }]);
  const [kept] = await record(sql, [{ observed_fact: "A crane is leased." }]);
  await using retriever = await loaded(sql);
  assert.equal((await find(retriever, "crane")).length, 2);
  // As after a restored backup: the dataset's clock is earlier, and rows have other contents under
  // a `change_seq` that the retriever has already followed.
  await sql`update observations set change_seq = 1 where id = ${kept!.observation_id}`;
  await sql`
    update observations set change_seq = 1, withdrawn_at = now() where id = ${lost!.observation_id}
  `;
  await sql`update dataset_clock set change_seq = 1`;
  await retriever.source.refresh();
  assert.deepEqual(await find(retriever, "crane"), [entryOf(kept!)]);
});

serverTest("refresh() skips no change of concurrent writers", async ({ sql }) => {
  await using retriever = await loaded(sql, 1);
  const rounds = 15;
  const writer = async (name: number) => {
    for (let round = 0; round < rounds; round++) {
      const parts = Array.from({ length: 5 }, () => ({
        source: `writer-${name}`,
        observed_fact: "A crane is wanted.",
      }));
      const [first] = await record(sql, parts);
      await withdrawObservation(sql, first!.observation_id);
    }
  };
  await Promise.all([1, 2, 3, 4].map(writer));
  await retriever.source.refresh();
  const company_ids = (await sql<{ id: number }[]>`select id from companies`).map(({ id }) => id);
  assert.equal(company_ids.length, 4 * rounds * 5);
  const found = new Set<number>();
  for (let start = 0; start < company_ids.length; start += 100) {
    const filters = { company_ids: company_ids.slice(start, start + 100) };
    for (const id of await observations(retriever, "crane", filters)) found.add(id);
  }
  const rows = await sql<{ id: number }[]>`select id from deliverable_observations order by id`;
  assert.deepEqual([...found].sort((a, b) => a - b), rows.map(({ id }) => id));
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!await condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

oneEngineTest("Retriever.now returns the database's time after the load", async ({ sql }) => {
  const databaseNow = async () =>
    (await sql<{ now: Date }[]>`select clock_timestamp() as now`)[0]!.now;
  const retriever = new Retriever({ sql, log: silent, poll_milliseconds: 3_600_000 });
  assert.throws(() => retriever.source.now, { name: "Failure", code: "retrieval_unavailable" });
  const { now } = performance;
  try {
    const before = await databaseNow();
    await retriever.source.start();
    const loaded = new Date(retriever.source.now);
    assert(before <= loaded && loaded <= await databaseNow());
    performance.now = () => now.call(performance) + 60_000;
    assert(retriever.source.state.lag_seconds >= 60);
    await retriever.source.refresh();
    assert(retriever.source.state.lag_seconds < 60);
    assert(loaded <= new Date(retriever.source.now));
  } finally {
    performance.now = now;
    await retriever.source.close();
  }
});

oneEngineTest("the polling loads everything again if a failover has lost commits", async (t) => {
  const [kept] = await record(t.sql, [{ observed_fact: "A crane is wanted." }]);
  const [lost] = await record(t.sql, [{ observed_fact: "A crane is leased." }]);
  const database = { down: false, refused: 0 };
  const sql = ((...statement: Parameters<Sql>) => {
    if (!database.down) return t.sql(...statement);
    database.refused++;
    return Promise.reject(new Error("connection refused"));
  }) as Sql;
  const retriever = new Retriever({ sql, log: silent, poll_milliseconds: 5 });
  await retriever.source.start();
  const findCranes = async () => {
    const { entries } = await retriever.search({
      query: "crane",
      filters: normalizeFilters({}),
      now: new Date(),
    });
    return entries.map(({ company_id }) => company_id);
  };
  assert.equal((await findCranes()).length, 2);
  database.down = true;
  await eventually("a poll fails", () => Promise.resolve(database.refused > 1));
  // The new primary lacks the last commit, and has reached the same clock by another one.
  await t.sql`
    update observations set change_seq = 1, withdrawn_at = now() where id = ${lost!.observation_id}
  `;
  database.down = false;
  await eventually("the lost record is gone", async () => (await findCranes()).length === 1);
  assert.deepEqual(await findCranes(), [kept!.company_id]);
  await retriever.source.close();
});

Deno.test("search() refuses a query of exclusions alone before any records are fetched", async () => {
  const words = { frequency: () => 0, corrections: () => [] };
  const source = {
    now: "2026-07-01T00:00:00.000000Z",
    ask({ read }: RecordRequest): Promise<RecordAnswer> {
      read(words);
      throw new Error("The records were fetched.");
    },
  } as unknown as RecordSource;
  const sql = undefined as unknown as Sql;
  const retriever = new Retriever({ sql, log: silent, source });
  await assert.rejects(find(retriever, "not construction"), { code: "unsupported_request" });
  await assert.rejects(find(retriever, "construction"), /were fetched/);
});
