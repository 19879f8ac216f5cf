import assert from "node:assert/strict";
import { type TestApp, withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { DocumentedLoop } from "../support/documented_loop.ts";
import { AMPLE, createCaller, record } from "../support/factories.ts";
import { ids, LONG_AGO, of } from "../support/poller.ts";

const A = "a.example";
const B = "b.example";

async function withServer(app: TestApp, use: (url: string) => Promise<void>): Promise<void> {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => app.app.fetch(request),
  );
  try {
    await use(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}

oneEngineTest("the loop of docs/polling.md gets all observations despite a kill", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql, { terms: AMPLE });
  const recorded = ids(await record(sql, Array.from({ length: 60 }, () => of(A))));
  const dir = await Deno.makeTempDir({ prefix: "polling_" });
  try {
    await withApp(db, (app) =>
      withServer(app, async (SERVICE_URL) => {
        const env = { SERVICE_URL, CE_API_KEY: key, HOSTNAMES: `${A},${B}`, PAGE_LIMIT: "7" };
        const seen = new Set<number>();
        const killed = await DocumentedLoop.start(dir, env);
        for (const id of await killed.read(20)) seen.add(id);
        for (const id of await killed.kill()) seen.add(id);
        // After a kill, the program may print a page again, which is not charged again.
        const { since } = JSON.parse(await Deno.readTextFile(`${dir}/poll.json`));
        assert.ok(since > LONG_AGO);
        await using loop = await DocumentedLoop.start(dir, env);
        while (seen.size < recorded.length) for (const id of await loop.read(1)) seen.add(id);
        assert.deepEqual([...seen].sort((a, b) => a - b), recorded);
        // The loop continues with new observations, and with those that a hostname has gained.
        const [south] = await record(sql, [{ company: { name: "South", domains: ["s.example"] } }]);
        const [next] = await record(sql, [of(A)]);
        let [id] = await loop.read(1);
        while (seen.has(id!)) [id] = await loop.read(1);
        assert.deepEqual([id], ids([next!]));
        await record(sql, [{ company: { name: "South", domains: ["s.example", B] } }]);
        assert.ok((await loop.read(2)).includes(south!.observation_id));
      }));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
