import assert from "node:assert/strict";
import {
  archive,
  giveBack,
  OPERATIONS_QUEUE as queue,
  read,
  readMetrics,
  remove,
  setVisibility,
} from "../../src/db/queue.ts";
import { databaseTest } from "../support/database.ts";
import { send } from "../support/queue.ts";

databaseTest("read() hides a message until its time-out, and counts the read", async ({ sql }) => {
  const msg_id = await send(sql, { queue, message: { operation_id: 7 } });
  const [first, ...others] = await read(sql, { queue, visibility_seconds: 60, quantity: 5 });
  assert.deepEqual(others, []);
  assert.deepEqual({ ...first }, { msg_id, read_ct: 1, message: { operation_id: 7 } });
  assert.deepEqual(await read(sql, { queue, visibility_seconds: 60, quantity: 5 }), []);
  assert.equal(await setVisibility(sql, { queue, msg_id, visibility_seconds: 0 }), true);
  const [again] = await read(sql, { queue, visibility_seconds: 60, quantity: 5 });
  assert.equal(again!.read_ct, 2);
});

databaseTest("giveBack() uncounts one read, and does not affect other reads", async ({ sql }) => {
  const msg_id = await send(sql, { queue, message: { operation_id: 7 } });
  const once = { queue, visibility_seconds: 60, quantity: 1 } as const;
  const [first] = await read(sql, once);
  const { read_ct } = first!;
  // A caller repeats the call if its answer is lost.
  for (let n = 0; n < 2; n++) {
    await giveBack(sql, { queue, msg_id, read_ct, visibility_seconds: 0 });
  }
  const [again] = await read(sql, once);
  assert.equal(again!.read_ct, 1);
  await sql`select pgmq.set_vt('operations', ${msg_id}::bigint, 0)`;
  const [third] = await read(sql, once);
  assert.equal(third!.read_ct, 2);
  // The second reader gives the message back late, while the third one has it.
  await giveBack(sql, { queue, msg_id, read_ct: 1, visibility_seconds: 0 });
  assert.deepEqual(await read(sql, once), []);
  await sql`select pgmq.set_vt('operations', ${msg_id}::bigint, 0)`;
  assert.equal((await read(sql, once))[0]!.read_ct, 2);
});

databaseTest("read() returns at most `quantity` messages, oldest first", async ({ sql }) => {
  const sent = [];
  for (let i = 0; i < 3; i++) sent.push(await send(sql, { queue, message: { operation_id: i } }));
  const messages = await read(sql, { queue, visibility_seconds: 60, quantity: 2 });
  assert.deepEqual(messages.map(({ msg_id }) => msg_id), sent.slice(0, 2));
});

databaseTest("remove() and archive() return whether the message existed", async ({ sql }) => {
  const removed = await send(sql, { queue, message: { operation_id: 1 } });
  const archived = await send(sql, { queue, message: { operation_id: 2 } });
  assert.equal(await remove(sql, queue, removed), true);
  assert.equal(await remove(sql, queue, removed), false);
  assert.equal(await archive(sql, queue, archived), true);
  assert.equal(await archive(sql, queue, archived), false);
  assert.equal(await setVisibility(sql, { queue, msg_id: archived, visibility_seconds: 1 }), false);
  assert.deepEqual([...await sql`select msg_id from pgmq.a_operations`], [{ msg_id: archived }]);
});

databaseTest("readMetrics() counts the visible messages", async ({ sql }) => {
  assert.deepEqual({ ...await readMetrics(sql, queue) }, {
    queue_visible_length: 0,
    oldest_msg_age_sec: null,
  });
  await send(sql, { queue, message: { operation_id: 1 } });
  await send(sql, { queue, message: { operation_id: 2 } });
  await read(sql, { queue, visibility_seconds: 60, quantity: 1 });
  assert.equal((await readMetrics(sql, queue)).queue_visible_length, 1);
});
