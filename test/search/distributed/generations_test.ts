/**
 * Tests that a second set of search tables is filled while the first set serves searches, even if
 * writers die. Searches then use the second set.
 */
import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import { DistributedRetriever } from "../../../src/search/distributed/distributed_retriever.ts";
import type { Retriever } from "../../../src/search/retriever.ts";
import { embeddedTest } from "../../support/database.ts";
import { startHoldingProxy } from "../../support/holding_proxy.ts";
import { silent } from "../../support/operations.ts";
import { HAS_SPHINX, startSphinx } from "../../support/sphinx.ts";
import { findCompanies } from "../conformance/asking.ts";
import {
  BEYOND_LEASE,
  endLease,
  moverOf,
  namesOf,
  openWriter,
  recordVersion,
  Tables,
} from "./writers.ts";

/** Changes the id of the dataset, as a restored backup does. All tables are then filled again. */
async function becomeAnotherDataset(sql: Sql): Promise<void> {
  await sql`update dataset_clock set dataset_id = gen_random_uuid()`;
}

/** Dates the swap back by two minutes. No search reads the former tables a minute after a swap. */
async function retireFormerTables(sql: Sql): Promise<void> {
  await sql`update search_tables set served_since = served_since - interval '2 minutes'`;
}

/** Searches repeatedly, and compares each answer with the first one. */
class Searches {
  readonly #retriever: Retriever;
  readonly #expected: unknown;
  readonly #running: Promise<void>[];
  #ended = false;
  #waiting: (() => void)[] = [];
  count = 0;

  constructor(retriever: Retriever, { loops, expected }: { loops: number; expected: unknown }) {
    this.#retriever = retriever;
    this.#expected = expected;
    this.#running = Array.from({ length: loops }, () => this.#search());
    // end() awaits the searches, and reports their failures.
    for (const one of this.#running) one.catch(() => {});
  }

  /** Resolves after one more answer, or when a search has failed. */
  async another(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await Promise.race([promise, ...this.#running]);
  }

  /** Ends the searches. @throws if a search failed, or an answer differed */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#running);
  }

  async #search(): Promise<void> {
    while (!this.#ended) {
      assert.deepEqual(await findCompanies(this.#retriever, { query: "crane" }), this.#expected);
      this.count++;
      for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }
}

embeddedTest("answers stay the same while tables are filled again and swapped", async ({ sql }) => {
  await using sphinx = await startSphinx({ shards: 2 });
  await using proxy = startHoldingProxy(sphinx.nodes[0]!.mysql);
  await using tables = new Tables(sql, sphinx.url);
  await using writer = openWriter(sql, [proxy.url, sphinx.url.split(",")[1]].join());
  await recordVersion(sql, { names: namesOf(24), version: 1 });
  assert.equal(await writer.writer.catchUp(), true);
  const retriever = new DistributedRetriever({
    sql,
    log: silent,
    search_url: sphinx.url,
    writes: false,
    poll_milliseconds: 5,
  });
  try {
    await retriever.start();
    const expected = await findCompanies(retriever, { query: "crane" });
    assert.equal(expected.flatMap(({ observation_ids }) => observation_ids).length, 24);
    const searches = new Searches(retriever, { loops: 2, expected });
    try {
      await becomeAnotherDataset(sql);
      let isFilled = false;
      const filled = writer.writer.catchUp().finally(() => {
        isFilled = true;
        void proxy.release();
      });
      // Each packet to the node waits until a search has been answered.
      while (!isFilled) {
        await Promise.race([proxy.hold(""), filled]);
        await searches.another();
        void proxy.release();
      }
      assert.equal(await filled, true);
      assert.equal(await tables.serving(), "b");
      assert.ok(searches.count > 50, `${searches.count} searches`);
      // The former tables are kept, because a process that has not noticed the swap still searches
      // them.
      assert.equal(await writer.writer.catchUp(), true);
      assert.ok(await tables.size("a") > 24);
      await retriever.refresh();
      await searches.another();
      await retireFormerTables(sql);
      writer.ahead += BEYOND_LEASE;
      assert.equal(await writer.writer.catchUp(), true);
      assert.equal(await tables.size("a"), 0);
      await searches.another();
    } finally {
      void proxy.release();
      await searches.end();
    }
    await tables.assertWhole();
  } finally {
    await retriever.close();
  }
}, { ignore: !HAS_SPHINX });

for (const phase of ["filling", "following changes"]) {
  embeddedTest(`a writer may die at any statement while ${phase}`, async ({ sql }) => {
    await using sphinx = await startSphinx({ shards: 2 });
    await using tables = new Tables(sql, sphinx.url);
    const names = namesOf(6);
    const move = moverOf(sql, await recordVersion(sql, { names, version: 1 }));
    {
      await using first = openWriter(sql, sphinx.url);
      assert.equal(await first.writer.catchUp(), true);
    }
    for (let last = 1, isDone = false; !isDone; last++) {
      const isFilling = phase === "filling";
      // These changes include a record that moves to the other shard, and records of both shards.
      const changeAll = async () => {
        await move();
        await recordVersion(sql, { names, version: 1 + last % 28 });
      };
      await (isFilling ? becomeAnotherDataset(sql) : changeAll());
      await endLease(sql);
      {
        await using doomed = openWriter(sql, sphinx.url);
        let calls = 0;
        doomed.onClock = () => {
          if (++calls > last) throw new Error("died");
        };
        isDone = await doomed.writer.catchUp().catch(({ message }) => {
          assert.equal(message, "died");
          return false;
        });
      }
      await endLease(sql);
      if (isFilling) await changeAll();
      await using next = openWriter(sql, sphinx.url);
      assert.equal(await next.writer.catchUp(), true);
      await retireFormerTables(sql);
      next.ahead += BEYOND_LEASE;
      assert.equal(await next.writer.catchUp(), true);
      await tables.assertWhole();
      const former = await tables.serving() === "a" ? "b" : "a";
      assert.equal(await tables.size(former), 0, `after ${last} clock reads`);
      const [{ filling }] = await sql<[{ filling: string | null }]>`
        select filling from search_tables
      `;
      assert.equal(filling, null);
      if (isDone) assert.ok(last > 20, `${last} clock reads`);
    }
  }, { ignore: !HAS_SPHINX });
}
