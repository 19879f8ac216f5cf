/** Background work as tasks (extension io.modelcontextprotocol/tasks, revision 2026-07-28). */
import assert from "node:assert/strict";
import type { App } from "../../src/app.ts";
import { drain } from "../../src/operations/worker.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { goodCall, modernRpc, request, rpc, toolCall } from "../support/mcp.ts";
import { assertSettled } from "../support/operations.ts";
import { createWorld, type World } from "../support/world.ts";

const TASKS = "io.modelcontextprotocol/tasks";
const DECLARED = { extensions: { [TASKS]: {} } };
const WEEK_MILLISECONDS = 7 * 86_400_000;

/** Returns a client that declares the extension. */
function declaring(app: App, world: World, key = world.keys.entitled) {
  const send = (message: object, capabilities: object = DECLARED) =>
    modernRpc(app, message, { key, capabilities });
  return {
    send,
    call: (name: string, args: object) => send(toolCall(name, args)),
    task: (method: "get" | "cancel" | "update", taskId: string) =>
      send(request(`tasks/${method}`, { taskId })),
  };
}

oneEngineTest("background work is a task for clients that declare tasks", async (t) => {
  const { db, sql } = t;
  const world = await createWorld(sql);
  let now = new Date();
  await withApp(db, async ({ app, ask }) => {
    const { call, task, send } = declaring(app, world);
    const discovered = await send(request("server/discover"));
    assert.deepEqual(discovered.body.result.capabilities, { tools: {}, ...DECLARED });
    const query = { query: "freezer warehouse" };
    const asked = [
      ["search_companies", { ...query, background: true, request_key: "one" }],
      ["create_usage", { ...query, request_key: "two" }],
    ] as const;
    for (const [name, args] of asked) {
      const { body } = await call(name, args);
      const { _meta, ...created } = body.result;
      const { taskId, createdAt } = created;
      assert.deepEqual(created, {
        resultType: "task",
        taskId,
        status: "working",
        createdAt,
        lastUpdatedAt: createdAt,
        ttlMs: WEEK_MILLISECONDS,
        pollIntervalMs: 1_000,
      });
      assert.match(createdAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      assert.ok(_meta["Request-Id"]);
      const working = await task("get", taskId);
      const { resultType, status } = working.body.result;
      assert.deepEqual([resultType, status, working.body.result.result], [
        "complete",
        "working",
        undefined,
      ]);
      // A poll is answered by a result. Only the call that queues work becomes a task.
      const poll = await call("get_usage", { id: Number(taskId) });
      assert.deepEqual(
        [poll.body.result.resultType, poll.body.result.structuredContent.usage.status],
        ["complete", "pending"],
      );
      now = new Date(now.getTime() + 5_000);
      while (await drain(app.context, app.actions.metered) > 0);
      const done = await task("get", taskId);
      const { result, ...completed } = done.body.result;
      assert.equal(completed.status, "completed");
      assert.deepEqual(
        [Date.parse(completed.createdAt), Date.parse(completed.lastUpdatedAt)],
        [Date.parse(createdAt), now.getTime()],
      );
      const overHttp = await ask(`/api/usages/${taskId}`, { key: world.keys.entitled });
      assert.deepEqual(result.structuredContent, overHttp.body);
      // The key identifies the operation, so a retry gets the result at once.
      const again = await call(name, args);
      assert.equal(again.body.result.resultType, "complete");
      assert.deepEqual(again.body.result.structuredContent, overHttp.body);
    }
    const acknowledged = await task("update", "1");
    assert.equal(acknowledged.body.result.resultType, "complete");
  }, { now: () => now, env: { OPERATION_RETENTION_DAYS: "7" } });
  await assertSettled(sql);
});

oneEngineTest("clients that do not declare tasks get none", async ({ db, sql }) => {
  const world = await createWorld(sql);
  const key = world.keys.entitled;
  await withApp(db, async ({ app }) => {
    const { args } = goodCall(world, "create_usage");
    for (const send of [modernRpc, rpc]) {
      const { body } = await send(app, toolCall("create_usage", args), { key });
      assert.equal(body.result.structuredContent.usage.status, "pending");
    }
    // The request key may also be in the header.
    const query = { query: "freezer warehouse" };
    const headers = { "idempotency-key": "in the header" };
    const queued = await rpc(app, toolCall("create_usage", query), { key, headers });
    assert.equal(queued.body.result.structuredContent.usage.status, "pending");
    for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
      const { status, body } = await modernRpc(app, request(method, { taskId: "1" }), { key });
      assert.deepEqual([status, body.error.code, body.error.data], [400, -32021, {
        requiredCapabilities: DECLARED,
      }], method);
      const legacy = await rpc(app, request(method, { taskId: "1" }), { key });
      assert.deepEqual([legacy.status, legacy.body.error.code], [200, -32601], method);
    }
  });
});

oneEngineTest("a task that has not started can be cancelled, for free", async (t) => {
  const { db, sql } = t;
  const world = await createWorld(sql);
  await withApp(db, async ({ app, ask }) => {
    const { call, task } = declaring(app, world);
    const args = { query: "freezer warehouse", request_key: "cancelled" };
    const { taskId } = (await call("create_usage", args)).body.result;
    for (let n = 0; n < 2; n++) {
      const cancelled = await task("cancel", taskId);
      assert.deepEqual([cancelled.status, cancelled.body.result?.resultType], [200, "complete"]);
    }
    assert.equal(await drain(app.context, app.actions.metered), 0);
    const { status, result } = (await task("get", taskId)).body.result;
    assert.deepEqual([status, result], ["cancelled", undefined]);
    const report = await ask("/api/usage", { key: world.keys.entitled });
    assert.deepEqual(
      [report.body.usage.request_units, report.body.reservations],
      [0, { request_units: 0, delivered_units: 0 }],
    );
    const retry = await call("create_usage", args);
    const { error, usage } = retry.body.result.structuredContent;
    assert.deepEqual([error.code, usage.request_units], ["usage_failed", 0]);
    assert.equal(
      error.message,
      "The operation was cancelled before it began, and nothing was charged. Use a new key to run " +
        "the request again.",
    );
    const delivered = (await call("create_usage", { ...args, request_key: "d" })).body.result;
    const isRefusedAs = async (state: string) => {
      const { status, body } = await task("cancel", delivered.taskId);
      const data = { error: { code: "task_not_cancellable", status: state } };
      assert.deepEqual([status, body.error?.code, body.error?.data], [200, -32001, data]);
    };
    await sql`select take_operation(gen_random_uuid(), 46, null)`;
    await isRefusedAs("processing");
    await sql`select end_leases()`;
    while (await drain(app.context, app.actions.metered) > 0);
    await isRefusedAs("delivered");
    assert.equal((await task("get", delivered.taskId)).body.result.status, "completed");
  });
  await assertSettled(sql);
});

oneEngineTest(
  "a task of another account is treated as if it did not exist",
  async ({ db, sql }) => {
    const world = await createWorld(sql);
    const now = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 20_000);
    await withApp(db, async ({ app }) => {
      const { call, task } = declaring(app, world);
      const { args } = goodCall(world, "create_usage");
      const { taskId } = (await call("create_usage", args)).body.result;
      for (const id of [`0${taskId}`, `+${taskId}`, `${taskId}.0`]) {
        assert.equal((await task("cancel", id)).body.error?.code, -32602, id);
      }
      const foreign = declaring(app, world, world.keys.trialing);
      for (const method of ["get", "cancel", "update"] as const) {
        for (const id of [taskId, "0", "1e3", "x", String(Number.MAX_SAFE_INTEGER)]) {
          const { status, body } = await foreign.task(method, id);
          assert.deepEqual([status, body.error?.code], [200, -32602], `${method} ${id}`);
        }
        const revoked = await declaring(app, world, world.keys.revoked).task(method, taskId);
        assert.equal(revoked.status, 401);
        const lapsed = await declaring(app, world, world.keys.lapsed).task(method, taskId);
        assert.equal(lapsed.body.error.data?.error.code, "subscription_required", method);
      }
      await sql`update plans set reads_per_minute = 1`;
      const poll = () => declaring(app, world, world.keys.builder).task("get", taskId);
      await poll();
      const { code, retry_after_seconds } = (await poll()).body.error.data.error;
      assert.deepEqual([code, retry_after_seconds], ["too_many_requests", 40]);
    }, { now: () => now });
  },
);
