import assert from "node:assert/strict";
import { closeLogged } from "../../src/commands/start.ts";
import { createLog } from "../../src/log.ts";

Deno.test("closeLogged() logs an error of closing a part, and does not throw it", async () => {
  const lines: string[] = [];
  const log = createLog("warn", (line) => void lines.push(line));
  let closed = 0;
  await closeLogged(log, () => Promise.reject(new Error("the database is away")));
  await closeLogged(log, () => Promise.resolve(closed++));
  assert.equal(closed, 1);
  const [{ time: _, ...line }, ...rest] = lines.map((text) => JSON.parse(text));
  assert.deepEqual(rest, []);
  assert.deepEqual([line.level, line.message], ["warn", "stopped with an error"]);
});

Deno.test("closeLogged() resolves only after the part is closed", async () => {
  const closing = Promise.withResolvers<void>();
  let isDone = false;
  const done = closeLogged(createLog("error"), () => closing.promise).then(() => isDone = true);
  await Promise.resolve();
  assert.equal(isDone, false);
  closing.resolve();
  await done;
});
