/** Tests the reported progress of a build of the index. */
import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { readSettings } from "../../src/config.ts";
import type { Sql } from "../../src/db/connect.ts";
import { oneEngineTest } from "../support/database.ts";
import { record } from "../support/factories.ts";
import { silent } from "../support/operations.ts";

/** Returns a connection that delays the second page of changes until `open` is called. */
function gated(sql: Sql): { sql: Sql; reached: Promise<void>; open: () => void } {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let pages = 0;
  const proxy = new Proxy(sql, {
    apply(target, self, args) {
      const ask = () => Reflect.apply(target, self, args);
      if (!String(args[0]).includes("index_rows(") || ++pages !== 2) return ask();
      reached.resolve();
      return gate.promise.then(ask);
    },
  });
  return { sql: proxy, reached: reached.promise, open: gate.resolve };
}

oneEngineTest("/readyz states the progress of the index build", async ({ db, sql }) => {
  for (let write = 0; write < 4; write++) await record(sql, Array(200).fill({}));
  const gate = gated(sql);
  const shares: number[] = [];
  let watching = false;
  const app = createApp({
    db: { ...db, sql: gate.sql },
    log: silent,
    settings: readSettings({ WORKERS: "0" }),
    watchBuild: (progress) => {
      watching = true;
      shares.push(progress());
      return () => {
        watching = false;
        shares.push(progress());
      };
    },
  });
  const readiness = async () => {
    const answer = await app.fetch(new Request("http://127.0.0.1/readyz"));
    return { status: answer.status, ...await answer.json() };
  };
  const starting = app.start();
  await gate.reached;
  assert.deepEqual(await readiness(), {
    status: "not ready",
    reason: "the index is loading",
    // The first page of 500 records ends within the third of the four writes.
    progress_percent: 75,
  });
  assert.ok(watching);
  gate.open();
  await starting;
  assert.deepEqual(await readiness(), { status: "ready" });
  assert.ok(!watching);
  assert.equal(shares[0], 0);
  assert.equal(app.retriever.source.state.documents, 800);
  assert.equal(app.retriever.source.state.progress, undefined);
  await app.close();
});
