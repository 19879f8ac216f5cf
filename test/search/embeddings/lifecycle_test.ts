import assert from "node:assert/strict";
import { Embeddings } from "../../../src/search/embeddings/embeddings.ts";
import { withApp } from "../../support/app.ts";
import { databaseTest } from "../../support/database.ts";
import { startEmbeddingHost } from "../../support/embedding_host.ts";
import { drain, embedderOf } from "../../support/embeddings.ts";
import { record } from "../../support/factories.ts";
import { silent } from "../../support/operations.ts";

databaseTest("a process without workers has nothing embedded", async ({ db, sql }) => {
  await using host = startEmbeddingHost();
  await record(sql, [{}]);
  const env = { EMBEDDINGS_URL: `${host.url}/v1`, EMBEDDINGS_MODEL: "m-1" };
  const named = async () => (await sql`select name from embedding_models`).map(({ name }) => name);
  await withApp(db, async () => {}, { workers: 0, env });
  assert.deepEqual(await named(), []);
  // One with workers has at least begun when it stops.
  await withApp(db, async () => {}, { workers: 1, env });
  assert.deepEqual(await named(), ["m-1"]);
});

databaseTest("close() gives the lease back, and leaves nothing running", async ({ sql }) => {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<Response>();
  let holds = true;
  await using host = startEmbeddingHost(() => {
    if (!holds) return undefined;
    asked.resolve();
    return held.promise;
  });
  await record(sql, [{}]);
  const endpoint = host.endpoint();
  const embeddings = new Embeddings({ sql, log: silent, endpoint, works: true });
  embeddings.start();
  await asked.promise;
  const leases = async () =>
    (await sql`select lease_token is not null as held from embedding_models`)[0]!.held;
  assert.equal(await leases(), true);
  await embeddings.close();
  assert.equal(await leases(), false);

  holds = false;
  await drain(embedderOf(sql, endpoint));
  assert.equal(host.asked.length, 2);
  held.resolve(new Response());
});
