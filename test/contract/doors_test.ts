import assert from "node:assert/strict";
import { withApp } from "../support/app.ts";
import type { Call, Door, DoorAnswer } from "../support/calls.ts";
import { errorCode } from "../support/contract.ts";
import { databaseTest } from "../support/database.ts";
import { assertSettled } from "../support/operations.ts";
import { untilEnded } from "../support/waiting.ts";
import { createWorld } from "../support/world.ts";
import { createHttpDoor } from "./http_door.ts";
import { createMcpDoor } from "./mcp_door.ts";

// The modes of a request are an answer at once, and work in the background.
databaseTest(
  "concurrent requests with one key over all doors and in both modes are one operation",
  async (t) => {
    const { db, sql } = t;
    const { keys, newKey, countOperations } = await createWorld(sql);
    await withApp(db, async ({ app }) => {
      const document = await (await app.fetch(new Request("http://127.0.0.1/openapi.json"))).json();
      const http = patient(createHttpDoor({ fetch: app.fetch, document }).door);
      const { fetch } = app;
      const key = keys.entitled;
      const mcp = patient(await createMcpDoor({ fetch, key }));
      const modern = patient(await createMcpDoor({ fetch, key, era: "modern" }));
      const search: Call = {
        action: "search_companies",
        inputs: { query: "freezer warehouse", limit: 2 },
        key: keys.entitled,
        request_key: newKey(),
      };
      const observations: Call = {
        ...search,
        action: "search_observations",
        request_key: newKey(),
      };
      const before = await countOperations();
      const rivals = await Promise.all(
        Array.from({ length: 8 }).flatMap(() => [
          http(search),
          mcp(search),
          modern(search),
          http({ ...search, background: true }),
          mcp({ ...search, background: true }),
          modern({ ...search, background: true }),
        ]),
      );
      const observers = await Promise.all(
        Array.from({ length: 8 }).flatMap(() => [
          mcp(observations),
          modern(observations),
          mcp({ ...observations, background: true }),
          modern({ ...observations, background: true }),
        ]),
      );
      assert.equal(await countOperations(), before + 2);
      for (const [call, answers] of [[search, rivals], [observations, observers]] as const) {
        const id = oneId(answers);
        const poll = { action: "get_operation", key: call.key, inputs: { id } } as const;
        const done = await untilEnded(() => http(poll));
        assert.equal(done.body.usage.request_units, 1);
        assert.ok(done.body.usage.delivered_units > 0);
        const again = [await mcp(poll), await mcp(call), await modern(poll), await modern(call)];
        for (const { status, body } of [...answers, ...again]) {
          if (status === 202) continue;
          assert.deepEqual([status, withoutAllowance(body)], [200, withoutAllowance(done.body)]);
        }
      }
      const [{ settlements }] = await sql<[{ settlements: number }]>`
      select count(*) as settlements from ledger
    `;
      assert.equal(settlements, 2);
    }, { workers: 1 });
    await assertSettled(sql);
  },
);

/** Returns a door that repeats a request, as a client would, while the answer is `unavailable`. */
function patient(door: Door): (call: Call) => Promise<DoorAnswer> {
  return async function ask(call): Promise<DoorAnswer> {
    const answered = await door(call);
    return errorCode(answered.body) === "unavailable" ? await ask(call) : answered;
  };
}

function oneId(answers: DoorAnswer[]): number {
  const ids = new Set(answers.map(({ body }) => body.usage.id));
  assert.equal(ids.size, 1);
  return [...ids][0]!;
}

/** Removes the allowance, because another operation may be charged between two answers. */
// deno-lint-ignore no-explicit-any -- any delivered body
function withoutAllowance({ request_allowance: _, ...body }: any): unknown {
  return body;
}
