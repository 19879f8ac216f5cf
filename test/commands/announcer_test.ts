import assert from "node:assert/strict";
import { createAnnouncer } from "../../src/commands/announcer.ts";
import { createLog } from "../../src/log.ts";

const KEY_LINE = { message: "the key is in a file", fields: { file: "/d/key" }, text: "key: ce_1" };

Deno.test("createAnnouncer() writes sentences to a terminal, and JSON elsewhere", () => {
  const linesWritten = (terminal: boolean) => {
    const lines: string[] = [];
    const log = createLog("error", () => assert.fail("the log was used"));
    const { say } = createAnnouncer({ terminal, log, write: (line) => lines.push(line) });
    say(KEY_LINE);
    say({ message: "working" });
    return lines;
  };
  assert.deepEqual(linesWritten(true), ["key: ce_1", "working"]);
  assert.deepEqual(
    linesWritten(false).map((line) => {
      const { time: _, ...fields } = JSON.parse(line);
      return fields;
    }),
    [
      { level: "info", message: "the key is in a file", file: "/d/key" },
      { level: "info", message: "working" },
    ],
  );
});

Deno.test("createAnnouncer() logs the progress of a build every ten seconds", () => {
  const lines: string[] = [];
  let tick = () => {};
  let ended = false;
  const { watchBuild } = createAnnouncer({
    terminal: false,
    log: createLog("info", (line) => void lines.push(line)),
    write: () => {},
    ticker: {
      now: () => 0,
      every(milliseconds, call) {
        assert.equal(milliseconds, 10_000);
        tick = call;
        return () => ended = true;
      },
    },
  });
  let share = 0.129;
  const end = watchBuild(() => share);
  tick();
  share = 0.7;
  tick();
  end();
  assert.deepEqual(lines.map((line) => JSON.parse(line).percent), [12, 70]);
  assert.ok(ended);
});
