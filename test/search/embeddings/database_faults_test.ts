import assert from "node:assert/strict";
import { oneEngineTest } from "../../support/database.ts";
import { startEmbeddingHost } from "../../support/embedding_host.ts";
import { drain, embedderOf, NEVER_ABORTED, vectorsOf } from "../../support/embeddings.ts";
import { record, sourceRecord } from "../../support/factories.ts";

const MINUTES = 60_000;

oneEngineTest("step() gives up no text after faults of the database", async ({ sql }) => {
  let fails = false;
  await using host = startEmbeddingHost(() =>
    fails ? new Response("", { status: 500 }) : undefined
  );
  const [recorded] = await record(sql, [sourceRecord()]);
  await sql.unsafe(`
    create function fault() returns trigger language plpgsql as $$
    begin
      raise exception 'injected by a test' using errcode = '55P03';
    end $$;
    create trigger fault before insert on observation_embeddings execute function fault();
  `);
  const clock = { now: 0 };
  const embedder = embedderOf(sql, host.endpoint(), { now: () => clock.now });
  for (let n = 0; n < 12; n++, clock.now += 6 * MINUTES) {
    await assert.rejects(embedder.step(NEVER_ABORTED), { code: "unavailable" });
  }
  await sql`drop trigger fault on observation_embeddings`;
  fails = true;
  assert.equal(await embedder.step(NEVER_ABORTED), false);
  fails = false;
  clock.now += 6 * MINUTES;
  const before = host.requests.length;
  await drain(embedder);
  // Before the embedder gives up a text, it sends a probe text to the endpoint. It has not done so.
  assert.equal(host.requests.length, before + 1);
  assert.ok(!host.requests[before]!.input.includes("A company builds a second hall."));
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: [recorded!.observation_id] }]);
});
