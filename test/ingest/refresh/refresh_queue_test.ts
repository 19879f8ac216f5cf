import assert from "node:assert/strict";
import { readMetrics } from "../../../src/db/queue.ts";
import {
  archive,
  giveBack,
  hide,
  readInTurn,
  remove,
} from "../../../src/ingest/refresh/refresh_queue.ts";
import { databaseTest } from "../../support/database.ts";
import { createCaller } from "../../support/factories.ts";
import { send } from "../../support/queue.ts";

const queue = "refreshes";

databaseTest(
  "readInTurn() hides a message until its time-out, and counts the read",
  async ({ sql }) => {
    const msg_id = await send(sql, { queue, message: { operation_id: 7 } });
    assert.deepEqual({ ...await readInTurn(sql, 60) }, {
      msg_id,
      read_ct: 1,
      message: { operation_id: 7 },
    });
    assert.equal(await readInTurn(sql, 60), undefined);
    assert.equal(await hide(sql, msg_id, 0), true);
    assert.equal((await readInTurn(sql, 60))!.read_ct, 2);
  },
);

databaseTest("readInTurn() lets accounts take turns, each with its oldest first", async (t) => {
  const { sql } = t;
  const [busy, other] = [await createCaller(sql), await createCaller(sql)];
  const sendAs = (operation_id: number, account_id?: number) =>
    send(sql, { queue, message: { operation_id }, account_id });
  const readNext = async () => (await readInTurn(sql, 60))?.message as object;
  for (const id of [1, 2, 3, 4]) await sendAs(id, busy.account_id);
  assert.deepEqual(await readNext(), { operation_id: 1 });
  for (const id of [5, 6]) await sendAs(id, other.account_id);
  await sendAs(7);
  const read = [];
  for (let n = 0; n < 6; n++) read.push(await readNext());
  assert.deepEqual(read, [5, 7, 2, 6, 3, 4].map((operation_id) => ({ operation_id })));
  assert.equal(await readNext(), undefined);
});

databaseTest("readInTurn() keeps the turns of each queue apart", async ({ sql }) => {
  const [first, second] = [await createCaller(sql), await createCaller(sql)];
  const sendAs = (to: "operations" | "refreshes", account_id: number) =>
    send(sql, { queue: to, message: { account_id }, account_id });
  await sendAs("operations", first.account_id);
  await sql`select read_in_turn('operations', 60)`;
  await sendAs("refreshes", first.account_id);
  await sendAs("refreshes", second.account_id);
  const read = await readInTurn(sql, 60);
  assert.deepEqual(read!.message, { account_id: first.account_id });
});

databaseTest("giveBack() uncounts one read, and does not affect other reads", async ({ sql }) => {
  const msg_id = await send(sql, { queue, message: { operation_id: 7 } });
  const { read_ct } = (await readInTurn(sql, 60))!;
  // A caller repeats the call if its answer is lost.
  for (let n = 0; n < 2; n++) {
    await giveBack(sql, { msg_id, read_ct }, 0);
  }
  assert.equal((await readInTurn(sql, 60))!.read_ct, 1);
  await sql`select pgmq.set_vt('refreshes', ${msg_id}::bigint, 0)`;
  assert.equal((await readInTurn(sql, 60))!.read_ct, 2);
  // The second reader gives the message back late, while the third one has it.
  await giveBack(sql, { msg_id, read_ct: 1 }, 0);
  assert.equal(await readInTurn(sql, 60), undefined);
  await sql`select pgmq.set_vt('refreshes', ${msg_id}::bigint, 0)`;
  assert.equal((await readInTurn(sql, 60))!.read_ct, 2);
});

databaseTest(
  "remove() deletes a message, and archive() keeps it for the operator",
  async ({ sql }) => {
    const removed = await send(sql, { queue, message: { hostname: "removed" } });
    const archived = await send(sql, { queue, message: { hostname: "archived" } });
    await remove(sql, removed);
    await archive(sql, archived);
    assert.equal(await readInTurn(sql, 60), undefined);
    assert.equal(await hide(sql, archived, 1), false);
    assert.deepEqual([...await sql`select msg_id from pgmq.a_refreshes`], [{ msg_id: archived }]);
  },
);

databaseTest("readMetrics() counts the visible messages", async ({ sql }) => {
  assert.deepEqual({ ...await readMetrics(sql, queue) }, {
    queue_visible_length: 0,
    oldest_msg_age_sec: null,
  });
  await send(sql, { queue, message: { operation_id: 1 } });
  await send(sql, { queue, message: { operation_id: 2 } });
  await readInTurn(sql, 60);
  assert.equal((await readMetrics(sql, queue)).queue_visible_length, 1);
});
