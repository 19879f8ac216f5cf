/** Tests search nodes that crash and restart while the service is in use. */
import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import type { Retriever } from "../../../src/search/retriever.ts";
import { type TestApp, withApp } from "../../support/app.ts";
import { embeddedTest } from "../../support/database.ts";
import { AMPLE, createCaller, record, type Recorded } from "../../support/factories.ts";
import { assertSettled, countUnfinished } from "../../support/operations.ts";
import { HAS_SPHINX, type Sphinx, startSphinx } from "../../support/sphinx.ts";
import { eventually } from "../../support/waiting.ts";

const NODES = 3;
const FIRST_RECORDS = 30;
/** Number of new records, and of searches, while nodes are killed, absent or resumed. */
const RECORDS_MEANWHILE = 12;
const SEARCHES_MEANWHILE = 12;

/** A record with a unique word. `wasFound` tells whether a search has found the record. */
interface Kept extends Recorded {
  word: string;
  wasFound: boolean;
}

/** Yields words that differ so much that spelling correction never replaces one by another. */
function* words(): Generator<string> {
  for (let state = 12_345;;) {
    let word = "";
    while (word.length < 14) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      word += "bcdfghjklmnpqrtvwxz"[(state >>> 16) % 19];
    }
    yield word;
  }
}

/** Traffic of a test: records that must be found, and searches for them. */
class Traffic {
  readonly kept: Kept[] = [];
  readonly statuses = new Map<number, number>();
  readonly #sql: Sql;
  readonly #app: TestApp;
  readonly #key: string;
  readonly #words = words();
  #serial = 0;

  constructor(sql: Sql, app: TestApp, key: string) {
    this.#sql = sql;
    this.#app = app;
    this.#key = key;
  }

  get retriever(): Retriever {
    return this.#app.app.retriever;
  }

  async record(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const word: string = this.#words.next().value;
      const [recorded] = await record(this.#sql, [{ observed_fact: `A ${word} is wanted.` }]);
      this.kept.push({ ...recorded!, word, wasFound: false });
    }
  }

  /**
   * Searches for a record, and returns whether it was found. Once a search has found the record,
   * every later answer with status 200 must contain it.
   */
  async search(one: Kept): Promise<boolean> {
    const body = { query: one.word, limit: 5 };
    const request_key = `search ${this.#serial++}`;
    const answer = await this.#app.search(body, { key: this.#key, request_key });
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    if (answer.status !== 200) {
      assert.deepEqual([answer.status, answer.body.error.code], [503, "unavailable"]);
      return false;
    }
    const ids = answer.body.companies.map(({ id }: { id: number }) => id);
    if (ids.length === 0) {
      assert.ok(!one.wasFound, `${one.word} was found before, but not now`);
      return false;
    }
    assert.deepEqual(ids, [one.company_id]);
    one.wasFound = true;
    return true;
  }

  /** Searches for several records in turn. Together, these records are on all shards. */
  async searchMany(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      await this.search(this.kept[(7 * n + this.#serial) % this.kept.length]!);
    }
  }

  async untilAllFound(): Promise<void> {
    for (const one of this.kept) {
      await eventually(`${one.word} is found`, () => this.search(one));
    }
    assert.equal(this.retriever.state.documents, this.kept.length);
  }
}

function faultTest(
  name: string,
  body: (parts: { traffic: Traffic; sphinx: Sphinx; app: TestApp; key: string }) => Promise<void>,
): void {
  embeddedTest(`${name} [sphinx]`, async ({ db, sql }) => {
    await using sphinx = await startSphinx({ shards: NODES });
    const { key } = await createCaller(sql, { terms: { ...AMPLE, window_seconds: 604_800 } });
    await withApp(db, async (app) => {
      const traffic = new Traffic(sql, app, key);
      await traffic.record(FIRST_RECORDS);
      await traffic.untilAllFound();
      await body({ traffic, sphinx, app, key });
      // Searches that failed because of a dead node continue in the background.
      await eventually("all operations end", async () => await countUnfinished(sql) === 0);
    }, { workers: 1, env: { SEARCH_URL: sphinx.url } });
    await assertSettled(sql);
  }, { ignore: !HAS_SPHINX });
}

faultTest("no record is lost when a node is killed during searches and ingest", async (t) => {
  const { traffic, sphinx } = t;
  for (let node = 0; node < NODES; node++) {
    const meanwhile = Promise.all([
      traffic.record(RECORDS_MEANWHILE),
      traffic.searchMany(SEARCHES_MEANWHILE),
    ]);
    await sphinx.kill(node);
    await meanwhile;
    // While a shard is missing, no search may succeed with an incomplete result.
    const before = traffic.statuses.get(200) ?? 0;
    await traffic.searchMany(NODES);
    assert.equal(traffic.statuses.get(200) ?? 0, before);
    await traffic.record(1);
    const resumed = sphinx.resume(node);
    await Promise.all([traffic.record(RECORDS_MEANWHILE), traffic.searchMany(SEARCHES_MEANWHILE)]);
    await resumed;
    await traffic.untilAllFound();
  }
});

faultTest("a node that has lost its disk is filled again", async ({ traffic, sphinx }) => {
  await sphinx.kill(1);
  sphinx.wipe(1);
  await traffic.record(RECORDS_MEANWHILE);
  // Searches may miss the records of the node until it is filled again.
  for (const one of traffic.kept) one.wasFound = false;
  await sphinx.resume(1);
  await traffic.untilAllFound();
});

faultTest("without the search engine only new searches fail with 503", async (t) => {
  const { traffic, sphinx, app: { ask, search }, key } = t;
  const [one] = traffic.kept as [Kept];
  const body = { query: one.word, limit: 5 };
  const before = await search(body, { key, request_key: "before" });
  assert.equal(before.status, 200);
  assert.equal((await ask("/readyz")).status, 200);
  const { body: { usage } } = await ask("/api/usage", { key });

  for (let node = 0; node < NODES; node++) await sphinx.kill(node);
  const refused = await search({ query: "crane", limit: 5 }, { key, request_key: "away" });
  assert.deepEqual([refused.status, refused.body.error.code], [503, "unavailable"]);
  assert.equal(refused.headers.get("retry-after"), "1");
  await eventually("/readyz answers 503", async () => (await ask("/readyz")).status === 503);
  assert.match(JSON.stringify((await ask("/readyz")).body), /search engine/);
  assert.equal((await ask("/healthz")).status, 200);

  // Lookups, reads, replays and the usage report need no search engine.
  const lookup = await ask(`/api/companies?ids[]=${one.company_id}`, {
    key,
    request_key: "lookup",
  });
  assert.equal(lookup.status, 200);
  assert.equal(lookup.body.lookups[0].status, "found");
  assert.equal((await ask(`/api/companies/${one.company_id}`, { key })).status, 200);
  assert.equal((await ask(`/api/observations/${one.observation_id}`, { key })).status, 200);
  const replayed = await search(body, { key, request_key: "before" });
  assert.deepEqual([replayed.status, replayed.body.companies], [200, before.body.companies]);
  const after = (await ask("/api/usage", { key })).body.usage;
  assert.equal(after.request_units, usage.request_units + 1);

  await traffic.record(RECORDS_MEANWHILE);
  for (let node = 0; node < NODES; node++) await sphinx.resume(node);
  await traffic.untilAllFound();
  assert.equal((await ask("/readyz")).status, 200);
});
