/** Tests two processes that compete for writing the search tables. */
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
  endLease,
  LONG,
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
  /** Makes a record change shards. */
  move: () => Promise<void>;
  tables: Tables;
  /** Writer that reaches the first node through `line`. */
  first: TestWriter;
  line: HoldingProxy;
  /** Writer that reaches the second node through `slow`. */
  second: TestWriter;
  slow: HoldingProxy;
  /** Address of the first node, as `host:port`. */
  node: string;
}

/** Text that statements contain which write observations, but not those that write markers. */
const A_ROW = "(id,company,";

function rivalTest(
  name: string,
  body: (rivals: Rivals) => Promise<void>,
  { sanitize = true } = {},
): void {
  embeddedTest(name, async ({ sql }) => {
    await using sphinx = await startSphinx({ shards: SHARDS });
    const node = sphinx.nodes[0]!.mysql;
    await using line = startHoldingProxy(node);
    await using slow = startHoldingProxy(sphinx.nodes[1]!.mysql);
    const [direct0, direct1] = sphinx.url.split(",");
    await using first = openWriter(sql, [line.url, direct1].join());
    await using second = openWriter(sql, [direct0, slow.url].join());
    await using tables = new Tables(sql, sphinx.url);
    const recorded = await recordVersion(sql, { names: NAMES, version: 1 });
    await body({ sql, move: moverOf(sql, recorded), tables, first, line, second, slow, node });
  }, { ignore: !HAS_SPHINX, sanitizeOps: sanitize, sanitizeResources: sanitize });
}

rivalTest("one of two writers holds the lease, and the other follows its death", async (t) => {
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

  // The writer dies without giving its lease back. The lease ends, and nothing is filled anew.
  await recordVersion(sql, { names: NAMES.slice(3), version: 3 });
  assert.equal(await waiting.writer.catchUp(), false);
  await endLease(sql);
  assert.equal(await waiting.writer.catchUp(), true);
  assert.equal(await tables.serving(), "a");
  assert.equal(await tables.size("b"), 0);
  await tables.assertWhole();
});

rivalTest("a lease that is given back passes on at once", async ({ tables, first, second }) => {
  assert.equal(await first.writer.catchUp(), true);
  await first.writer.close();
  assert.equal(await first.writer.catchUp(), false);
  assert.equal(await second.writer.catchUp(), true);
  await tables.assertWhole();
});

rivalTest("a writer that wakes up late sends no further statement", async (t) => {
  const { sql, move, tables, first, second, line } = t;
  await first.writer.catchUp();
  await recordVersion(sql, { names: NAMES, version: 2 });
  const stuck = line.hold("BEGIN");
  const late = first.writer.catchUp();
  await stuck;
  await endLease(sql);
  first.ahead += LONG;
  await recordVersion(sql, { names: NAMES, version: 3 });
  await move();
  assert.equal(await second.writer.catchUp(), true);
  const before = await tables.positions("a");
  void line.release();
  assert.equal(await late, false);
  assert.deepEqual(await tables.positions("a"), before);
  await tables.assertWhole();
});

rivalTest(
  "a lease that another process has had in between is lost, though it is free",
  async (t) => {
    const { sql, move, tables, first, second, line } = t;
    await first.writer.catchUp();
    await recordVersion(sql, { names: NAMES, version: 2 });
    const stuck = line.hold("COMMIT");
    const late = first.writer.catchUp();
    await stuck;
    // The machine was suspended: its clock has hardly moved, but a renewal is due.
    first.ahead += 6_000;
    await endLease(sql);
    await recordVersion(sql, { names: NAMES, version: 3 });
    await move();
    assert.equal(await second.writer.catchUp(), true);
    await second.writer.close();
    void line.release();
    assert.equal(await late, false);
    assert.equal(await first.writer.catchUp(), true);
    await tables.assertWhole();
  },
);

rivalTest("what is withdrawn leaves the tables", async ({ sql, tables, first }) => {
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
  const [what, held] of [
    ["rows", [A_ROW, "COMMIT"]],
    ["deletions", ["DELETE", "COMMIT"]],
  ] as const
) {
  rivalTest(`${what} that arrive late are neither searched nor kept`, async (t) => {
    const { sql, move, tables, first, second, line } = t;
    await first.writer.catchUp();
    await recordVersion(sql, { names: NAMES, version: 2 });
    await move();
    const late = first.writer.catchUp();
    for (const text of held) await holdNext(line, text);
    await endLease(sql);
    first.ahead += LONG;
    await recordVersion(sql, { names: NAMES, version: 3 });
    await move();
    assert.equal(await second.writer.catchUp(), true);
    await tables.assertWhole();
    const { state } = await new TableReader({ sql, engine: tables.engine }).read();
    const search = () =>
      new WholeTables(tables.engine, state).search(["SELECT id FROM evidence_a"]);
    await search();

    void line.release();
    assert.equal(await late, false);
    const [node] = await tables.positions("a");
    assert.equal(node!.sessions.length, 2);
    await assert.rejects(search, { code: "unavailable" });
    assert.equal(await second.writer.catchUp(), true);
    await tables.assertWhole();
    await search();
  });
}

rivalTest("rows that arrive late in tables that are being filled are found", async (t) => {
  const { sql, move, tables, first, second, line, slow } = t;
  const late = first.writer.catchUp();
  for (const text of [A_ROW, "COMMIT"]) await holdNext(line, text);
  await endLease(sql);
  first.ahead += LONG;
  await recordVersion(sql, { names: NAMES, version: 2 });
  await move();
  const inBetween = slow.hold(A_ROW);
  const filled = second.writer.catchUp();
  await inBetween;
  void line.release();
  assert.equal(await late, false);
  void slow.release();
  assert.equal(await filled, true);
  await tables.assertWhole();
});

rivalTest(
  "tables that a late statement empties do not serve before they are filled anew",
  async (t) => {
    const { sql, tables, first, second, line, slow } = t;
    const stuck = line.hold("TRUNCATE");
    const late = first.writer.catchUp();
    await stuck;
    await endLease(sql);
    first.ahead += LONG;
    const filled = second.writer.catchUp();
    // All shards have the rows of the first page when the second statement is held.
    for (const text of [A_ROW, A_ROW]) await holdNext(slow, text);
    void line.release();
    assert.equal(await late, false);
    void slow.release();
    await assert.rejects(filled, /emptied while being filled/);
    assert.equal(await second.writer.catchUp(), true);
    await tables.assertWhole();
  },
);

rivalTest("a search that lasts over a late write and its repair is asked once more", async (t) => {
  const { sql, move, tables, first, line, second, node } = t;
  await first.writer.catchUp();
  await recordVersion(sql, { names: NAMES, version: 2 });
  await move();
  const late = first.writer.catchUp();
  for (const text of [A_ROW, "COMMIT"]) await holdNext(line, text);
  await endLease(sql);
  first.ahead += LONG;
  await recordVersion(sql, { names: NAMES, version: 3 });
  await move();
  assert.equal(await second.writer.catchUp(), true);

  const { state } = await new TableReader({ sql, engine: tables.engine }).read();
  // They go to the node in several packets. Each can be held back by its text.
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
    void line.release();
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
  "a writer that is stopped ends before its next statement, and gives the lease back",
  async (t) => {
    const { tables, first, second, line } = t;
    const filling = first.writer.catchUp();
    await holdNext(line, A_ROW);
    first.writer.stop();
    void line.release();
    assert.equal(await filling, false);
    await first.writer.close();
    assert.equal(await second.writer.catchUp(), true);
    await tables.assertWhole();
  },
);

rivalTest("a statement that a writer has given up is found in what it writes again", async (t) => {
  const { sql, move, tables, line, slow } = t;
  await using writer = openWriter(sql, [line.url, slow.url].join());
  await writer.writer.catchUp();
  await recordVersion(sql, { names: NAMES, version: 2 });
  const failing = writer.writer.catchUp();
  for (const text of [A_ROW, "COMMIT"]) await holdNext(line, text);
  line.hangUp();
  await assert.rejects(failing, /closed|lost|reset/i);

  await move();
  await recordVersion(sql, { names: NAMES, version: 3 });
  const again = writer.writer.catchUp();
  // The first page is complete when the second statement is held.
  for (const text of [A_ROW, A_ROW]) await holdNext(slow, text);
  await line.release();
  void slow.release();
  assert.equal(await again, true);
  assert.equal(await writer.writer.catchUp(), true);
  await tables.assertWhole();
  // The driver keeps the time-out of a query whose connection was lost.
}, { sanitize: false });
