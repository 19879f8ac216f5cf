/** A process is stopped while searches wait for a planner that does not answer. */
import assert from "node:assert/strict";
import { postSearch, readDemoKey, withDataDir } from "../support/data_dir.ts";
import { type Service, startService } from "../support/service.ts";
import { untilEnded } from "../support/waiting.ts";
import { checkedTest, startRawHost } from "../support/web.ts";

checkedTest(
  "`start` stops in time, and a search that waits for a plan does not fail",
  () =>
    withDataDir(async (DATA_DIR) => {
      const heard = Promise.withResolvers<void>();
      await using mute = startRawHost(({ hungUp }) => {
        heard.resolve();
        return hungUp;
      });
      const env = { DATA_DIR, PLANNER_URL: mute.url, PLANNER_MODEL: "planner-1" };
      await using service = await startService({ env });
      const key = await readDemoKey(DATA_DIR);
      const search = (asked: Service) =>
        postSearch(asked, { key, request_key: "k", query: "cold storage" });
      const waiting = search(service);
      await heard.promise;
      const started = Date.now();
      await service.stop();
      assert.ok(Date.now() - started < 13_000, `${Date.now() - started}`);
      const { status, body } = await waiting;
      assert.deepEqual([status, body.error.code], [503, "unavailable"]);
      assert.ok(!service.stderr.includes("work still open"), service.stderr);

      await using again = await startService({ env: { DATA_DIR } });
      const answer = await untilEnded(() => search(again));
      assert.deepEqual([answer.status, answer.body.usage.status], [200, "delivered"]);
      await again.stop();
    }),
);
