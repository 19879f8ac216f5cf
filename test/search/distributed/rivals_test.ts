/**
 * Tests two processes that compete for the lease of the search tables. A write is late if it reaches
 * a node after its writer has lost the lease.
 */
import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import { withdrawObservation } from "../../../src/ingest/record/withdraw.ts";
import { readNodeAddresses } from "../../../src/search/distributed/node_connection.ts";
import { SearchEngine } from "../../../src/search/distributed/search_engine.ts";
import { TableReader } from "../../../src/search/distributed/table_reader.ts";
import { WholeTables } from "../../../src/search/distributed/whole_tables.ts";
import { embeddedTest } from "../../support/database.ts";
import { type HoldingProxy, holdNext, startHoldingProxy } from "../../support/holding_proxy.ts";
import { HAS_SPHINX, startSphinx } from "../../support/sphinx.ts";
import {
  BEYOND_LEASE,
  endLease,
  moverOf,
  namesOf,
  openWriter,
  recordVersion,
  Tables,
  type TestWriter,
} from "./writers.ts";

const NAMES = namesOf(10);
const SHARDS = 2;

interface Rivals {
  sql: Sql;
  /** Moves a record to the other shard. */
  move: () => Promise<void>;
  tables: Tables;
  /** Writer that reaches the first node through `proxy1`. */
  first: TestWriter;
  proxy1: HoldingProxy;
  /** Writer that reaches the second node through `proxy2`. */
  second: TestWriter;
  proxy2: HoldingProxy;
  /** Address of the first node, as `host:port`. */
  node: string;
}

/** Text that occurs in each statement that writes observations, but in none that writes markers. */
const A_ROW = "(id,company,";

function rivalTest(name: string, body: (rivals: Rivals) => Promise<void>): void {
  embeddedTest(name, async ({ sql }) => {
    await using sphinx = await startSphinx({ shards: SHARDS });
    const node = sphinx.nodes[0]!.mysql;
    await using proxy1 = startHoldingProxy(node);
    await using proxy2 = startHoldingProxy(sphinx.nodes[1]!.mysql);
    const [direct0, direct1] = sphinx.url.split(",");
    await using first = openWriter(sql, [proxy1.url, direct1].join());
    await using second = openWriter(sql, [direct0, proxy2.url].join());
    await using tables = new Tables(sql, sphinx.url);
    const recorded = await recordVersion(sql, { names: NAMES, version: 1 });
    const move = moverOf(sql, recorded);
    await body({ sql, move, tables, first, proxy1, second, proxy2, node });
  }, { ignore: !HAS_SPHINX });
}

rivalTest("one of two writers holds the lease, and the other one takes it over", async (t) => {
  const { sql, move, tables, first, second } = t;
  const both = await Promise.all([first.writer.catchUp(), second.writer.catchUp()]);
  assert.deepEqual(both.toSorted(), [false, true]);
  await tables.assertWhole();
  const [holder, waiting] = both[0] ? [first, second] : [second, first];
  await recordVersion(sql, { names: NAMES, version: 2 });
  await move();
  assert.equal(await waiting.writer.catchUp(), false);
  assert.equal(await holder.writer.catchUp(), true);
  await tables.assertWhole();

  // The writer dies without releasing its lease. When the lease ends, the other writer continues
  // with the same tables.
  await recordVersion(sql, { names: NAMES.slice(3), version: 3 });
  assert.equal(await waiting.writer.catchUp(), false);
  await endLease(sql);
  assert.equal(await waiting.writer.catchUp(), true);
  assert.equal(await tables.serving(), "a");
  assert.equal(await tables.size("b"), 0);
  await tables.assertWhole();
});

rivalTest("a released lease can be claimed at once", async ({ tables, first, second }) => {
  assert.equal(await first.writer.catchUp(), true);
  await first.writer.close();
  assert.equal(await first.writer.catchUp(), false);
  assert.equal(await second.writer.catchUp(), true);
  await tables.assertWhole();
});

rivalTest("a writer sends no further statement after its lease has ended", async (t) => {
  const { sql, move, tables, first, second, proxy1 } = t;
  await first.writer.catchUp();
  await recordVersion(sql, { names: NAMES, version: 2 });
  const stuck = proxy1.hold("BEGIN");
  const late = first.writer.catchUp();
  await stuck;
  await endLease(sql);
  first.ahead += BEYOND_LEASE;
  await recordVersion(sql, { names: NAMES, version: 3 });
  await move();
  assert.equal(await second.writer.catchUp(), true);
  const before = await tables.positions("a");
  void proxy1.release();
  assert.equal(await late, false);
  assert.deepEqual(await tables.positions("a"), before);
  await tables.assertWhole();
});

rivalTest(
  "a writer loses its lease if another process has held it meanwhile",
  async (t) => {
    const { sql, move, tables, first, second, proxy1 } = t;
    await first.writer.catchUp();
    await recordVersion(sql, { names: NAMES, version: 2 });
    const stuck = proxy1.hold("COMMIT");
    const late = first.writer.catchUp();
    await stuck;
    // After a suspension of the machine, the writer's own clock says that only a renewal is due.
    first.ahead += 6_000;
    await endLease(sql);
    await recordVersion(sql, { names: NAMES, version: 3 });
    await move();
    assert.equal(await second.writer.catchUp(), true);
    await second.writer.close();
    void proxy1.release();
    assert.equal(await late, false);
    assert.equal(await first.writer.catchUp(), true);
    await tables.assertWhole();
  },
);

rivalTest("withdrawn observations are deleted from the tables", async ({ sql, tables, first }) => {
  const recorded = await recordVersion(sql, { names: NAMES, version: 2 });
  await first.writer.catchUp();
  const before = await tables.size("a");
  for (const { observation_id } of recorded.slice(0, 3)) {
    await withdrawObservation(sql, observation_id);
  }
  await first.writer.catchUp();
  assert.equal(await tables.size("a"), before - 3);
});

for (
  const [kind, heldTexts] of [
    ["rows", [A_ROW, "COMMIT"]],
    ["deletions", ["DELETE", "COMMIT"]],
  ] as const
) {
  rivalTest(`late ${kind} are neither searched nor kept`, async (t) => {
    const { sql, move, tables, first, second, proxy1 } = t;
    await first.writer.catchUp();
    await recordVersion(sql, { names: NAMES, version: 2 });
    await move();
    const late = first.writer.catchUp();
    for (const text of heldTexts) await holdNext(proxy1, text);
    await endLease(sql);
    first.ahead += BEYOND_LEASE;
    await recordVersion(sql, { names: NAMES, version: 3 });
    await move();
    assert.equal(await second.writer.catchUp(), true);
    await tables.assertWhole();
    const { state } = await new TableReader({ sql, engine: tables.engine }).read();
    const search = () =>
      new WholeTables(tables.engine, state).search(["SELECT id FROM evidence_a"]);
    await search();

    void proxy1.release();
    assert.equal(await late, false);
    const [node] = await tables.positions("a");
    assert.equal(node!.sessions.length, 2);
    await assert.rejects(search, { code: "unavailable" });
    assert.equal(await second.writer.catchUp(), true);
    await tables.assertWhole();
    await search();
  });
}

rivalTest("late rows are detected in tables that are being filled", async (t) => {
  const { sql, move, tables, first, second, proxy1, proxy2 } = t;
  const late = first.writer.catchUp();
  for (const text of [A_ROW, "COMMIT"]) await holdNext(proxy1, text);
  await endLease(sql);
  first.ahead += BEYOND_LEASE;
  await recordVersion(sql, { names: NAMES, version: 2 });
  await move();
  const held = proxy2.hold(A_ROW);
  const filled = second.writer.catchUp();
  await held;
  void proxy1.release();
  assert.equal(await late, false);
  void proxy2.release();
  assert.equal(await filled, true);
  await tables.assertWhole();
});

rivalTest(
  "tables that a late statement has emptied serve only after they are filled again",
  async (t) => {
    const { sql, tables, first, second, proxy1, proxy2 } = t;
    const stuck = proxy1.hold("TRUNCATE");
    const late = first.writer.catchUp();
    await stuck;
    await endLease(sql);
    first.ahead += BEYOND_LEASE;
    const filled = second.writer.catchUp();
    // When a second statement with rows is held, all shards have the rows of the first page.
    for (const text of [A_ROW, A_ROW]) await holdNext(proxy2, text);
    void proxy1.release();
    assert.equal(await late, false);
    void proxy2.release();
    await assert.rejects(filled, /emptied while being filled/);
    assert.equal(await second.writer.catchUp(), true);
    await tables.assertWhole();
  },
);

rivalTest("a search is repeated if a late write is repaired during the search", async (t) => {
  const { sql, move, tables, first, proxy1, second, node } = t;
  await first.writer.catchUp();
  await recordVersion(sql, { names: NAMES, version: 2 });
  await move();
  const late = first.writer.catchUp();
  for (const text of [A_ROW, "COMMIT"]) await holdNext(proxy1, text);
  await endLease(sql);
  first.ahead += BEYOND_LEASE;
  await recordVersion(sql, { names: NAMES, version: 3 });
  await move();
  assert.equal(await second.writer.catchUp(), true);

  const { state } = await new TableReader({ sql, engine: tables.engine }).read();
  // The statements reach the node in several packets, so that the proxy can hold a part of them.
  const statements = Array.from(
    { length: 65 },
    (_, n) =>
      `SELECT id, occurred_at FROM evidence_${state.set} WHERE expires_at > ${1000 + n} ` +
      "ORDER BY id ASC LIMIT 100",
  );
  const expected = await new WholeTables(tables.engine, state).search(statements);
  await using front = startHoldingProxy(node);
  const engine = new SearchEngine(readNodeAddresses(front.url));
  try {
    const isHeld = front.hold("expires_at > 1029 ");
    const search = new WholeTables(engine, state).search(statements);
    await isHeld;
    void proxy1.release();
    assert.equal(await late, false);
    await holdNext(front, "expires_at > 1060 ");
    assert.equal(await second.writer.catchUp(), true);
    void front.release();
    const answers = await search;
    assert.deepEqual(answers.map(({ rows }) => rows), expected.map(({ rows }) => rows));
    await tables.assertWhole();
  } finally {
    await engine.close();
  }
});

rivalTest(
  "a stopped writer ends before its next statement, and releases the lease",
  async (t) => {
    const { tables, first, second, proxy1 } = t;
    const filling = first.writer.catchUp();
    await holdNext(proxy1, A_ROW);
    first.writer.stop();
    void proxy1.release();
    assert.equal(await filling, false);
    await first.writer.close();
    assert.equal(await second.writer.catchUp(), true);
    await tables.assertWhole();
  },
);

rivalTest("a writer repairs late rows of a connection that it has lost", async (t) => {
  const { sql, move, tables, proxy1, proxy2 } = t;
  await using writer = openWriter(sql, [proxy1.url, proxy2.url].join());
  await writer.writer.catchUp();
  await recordVersion(sql, { names: NAMES, version: 2 });
  const failing = writer.writer.catchUp();
  for (const text of [A_ROW, "COMMIT"]) await holdNext(proxy1, text);
  proxy1.hangUp();
  await assert.rejects(failing, /closed|lost|reset/i);

  await move();
  await recordVersion(sql, { names: NAMES, version: 3 });
  const again = writer.writer.catchUp();
  // When a second statement with rows is held, the first page is complete.
  for (const text of [A_ROW, A_ROW]) await holdNext(proxy2, text);
  await proxy1.release();
  void proxy2.release();
  assert.equal(await again, true);
  assert.equal(await writer.writer.catchUp(), true);
  await tables.assertWhole();
});
