/** Leases are given back after a broken connection, even if their process never learned of them. */
import assert from "node:assert/strict";
import { connect, type Sql } from "../../src/db/connect.ts";
import { isAnswerLost } from "../../src/db/failure.ts";
import { run, type RunContext } from "../../src/operations/run.ts";
import { drain } from "../../src/operations/worker.ts";
import { alterFunction } from "../support/alter_function.ts";
import { serverTest } from "../support/database.ts";
import { createCaller, type TestCaller } from "../support/factories.ts";
import {
  assertSettled,
  countRows,
  fixedAction,
  runContext,
  silent,
} from "../support/operations.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";
import {
  actionsOf,
  ask,
  inBackground,
  NOTHING,
  readState,
  show,
  whileLocked,
} from "../support/recovery.ts";
import { eventually } from "../support/waiting.ts";

interface ProxyCase {
  sql: Sql;
  url: string;
  who: TestCaller;
  proxy: Proxy;
  /** Context whose connections go through the proxy. */
  context: RunContext;
}

/** Registers a test with a proxy before the database. Afterwards, all usage has to be settled. */
function proxyTest(name: string, body: (t: ProxyCase) => Promise<void>): void {
  serverTest(name, async ({ sql, url }) => {
    const proxy = startProxy(url);
    const through = await connect({ database_url: proxy.url, data_dir: "", log: silent });
    const context = runContext(through.sql);
    await body({ sql, url, who: await createCaller(sql), proxy, context });
    await assertSettled(sql);
    await context.returns.close();
    await through.close();
    await proxy.close();
  });
}

proxyTest(
  "the lease of a claim whose answer is lost is given back",
  async ({ sql, who, proxy, context }) => {
    const action = fixedAction([]);
    const search = () => run(context, action, who.caller, () => ({ request_key: "k", inputs: {} }));
    // The first request prepares the statement, so that the server's next message is the answer.
    await run(context, action, who.caller, () => ({ request_key: "first", inputs: {} }));
    proxy.cutAtAnswer();
    await assert.rejects(search(), { code: "unavailable" });
    await eventually(
      "the lease is given back",
      async () => (await readState(sql))[1]?.[0] === "pending",
    );
    assert.equal((await search()).status, 202);
    assert.equal(await drain(context, actionsOf(action)), 1);
    assert.equal((await search()).status, 200);
    assert.deepEqual(await countRows(sql), { operations: 2, settlements: 2, messages: 0 });
    // A statement may also have been committed before the server crashed, but not before a shutdown.
    const mayBeDone = (code: string) => isAnswerLost(Object.assign(new Error(), { code }));
    assert.deepEqual([mayBeDone("57P02"), mayBeDone("57P01")], [true, false]);
  },
);

// The server continues the claim after its client has gone.
proxyTest(
  "a lease is given back if its claim commits after the client has disconnected",
  async ({ sql, url, who, proxy, context }) => {
    await alterFunction(sql, "claim_operation", "set lock_timeout = 0");
    await whileLocked(url, who, async () => {
      const lost = assert.rejects(
        run(context, fixedAction([]), who.caller, () => ({ request_key: "k", inputs: {} })),
        { code: "unavailable" },
      );
      const waiting = () =>
        sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
      `;
      await eventually("the claim waits", async () => (await waiting()).length > 0);
      proxy.cut();
      await lost;
      await proxy.restore();
    });
    await eventually(
      "the lease is given back",
      async () => (await readState(sql))[0]?.[0] === "pending",
    );
    assert.equal(await drain(runContext(sql), actionsOf(fixedAction([]))), 1);
  },
);

proxyTest(
  "a read of a message does not count if its answer is lost",
  async ({ sql, who, proxy, context }) => {
    const actions = actionsOf(fixedAction([]));
    assert.equal(await drain(context, actions), 0);
    await ask(sql, who, "k", inBackground);
    proxy.cutAtAnswer();
    await assert.rejects(drain(context, actions), { code: "unavailable" });
    const isBack = async () => {
      const [[status, read_ct]] = await readState(sql) as [[string, number]];
      return status === "pending" && read_ct === 0;
    };
    await eventually("the lease is given back", isBack);
    assert.equal(await drain(context, actions), 1);
    assert.equal((await ask(sql, who, "k")).status, 200);
  },
);

proxyTest(
  "a lease is given back when the database is reachable again",
  async ({ sql, who, proxy, context }) => {
    await ask(sql, who, "k", inBackground);
    const action = fixedAction(() => {
      proxy.cut();
      return Promise.resolve(NOTHING);
    });
    assert.equal(await drain(context, actionsOf(action)), 1);
    assert.deepEqual(await readState(sql), [["processing", 1]]);
    await proxy.restore();
    await eventually(
      "the lease is given back",
      async () => (await readState(sql))[0]![0] === "pending",
    );
    assert.deepEqual(await readState(sql), [["pending", 0]]);
    await show(sql);
    assert.equal(await drain(runContext(sql), actionsOf(fixedAction([]))), 1);
  },
);
