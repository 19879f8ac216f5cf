/** A process is stopped while searches wait for a planner that does not answer. */
import assert from "node:assert/strict";
import { startService } from "../support/service.ts";
import { untilEnded } from "../support/waiting.ts";
import { checked, startRawHost } from "../support/web.ts";

Deno.test({
  name: "`start` stops in time, and a search that waits for a plan does not fail",
  ...checked,
  async fn() {
    await using directory = await makeDirectory();
    const DATA_DIR = directory.path;
    const heard = Promise.withResolvers<void>();
    await using mute = startRawHost(({ hungUp }) => {
      heard.resolve();
      return hungUp;
    });
    const env = { DATA_DIR, PLANNER_URL: mute.url, PLANNER_MODEL: "planner-1" };
    await using service = await startService({ env });
    const key = (await Deno.readTextFile(`${DATA_DIR}/demo_key`)).trim();
    const search = async ({ url }: { url: string }) => {
      const response = await fetch(`${url}/api/companies/search`, {
        method: "POST",
        headers: {
          "authorization": `Bearer ${key}`,
          "idempotency-key": "k",
          "content-type": "application/json",
        },
        body: JSON.stringify({ query: "cold storage" }),
      });
      return { status: response.status, body: await response.json() };
    };
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
  },
});

/** Creates a directory, which is removed at the end of its block. */
async function makeDirectory(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "ce" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
