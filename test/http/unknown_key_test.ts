/** Requests with an invalid key are refused before their body is read. */
import assert from "node:assert/strict";
import { createKey } from "../../src/accounts/credential.ts";
import { revokeApiKey } from "../../src/accounts/key.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";

/** Returns a body, and a function that returns the number of its reads. */
function watchedBody(text: string): { body: ReadableStream<Uint8Array>; reads: () => number } {
  let reads = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (reads++ === 0) controller.enqueue(new TextEncoder().encode(text));
      else controller.close();
    },
  }, { highWaterMark: 0 });
  return { body, reads: () => reads };
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

oneEngineTest("an unknown key is refused before the body is read", async ({ db, sql }) => {
  const { key, key_id } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    const send = async (path: string, bearer: string | undefined, text: string) => {
      const { body, reads } = watchedBody(text);
      const response = await app.fetch(
        new Request(`http://127.0.0.1${path}`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "idempotency-key": crypto.randomUUID(),
            ...bearer !== undefined && { authorization: `Bearer ${bearer}` },
          },
          body,
        }),
      );
      await response.body?.cancel();
      return { status: response.status, read: reads() > 0 };
    };
    for (const path of ["/api/companies/search", "/mcp"]) {
      const text = path === "/mcp" ? PING : '{"query":"freezer"}';
      for (const bearer of [undefined, "ce_short", createKey(), createKey()]) {
        assert.deepEqual(await send(path, bearer, text), { status: 401, read: false }, path);
      }
      assert.deepEqual(await send(path, key, text), { status: 200, read: true }, path);
    }
    await revokeApiKey(sql, key_id);
    // The first request after the revocation is refused. Its body may be read, because the process
    // still caches the key as valid.
    const search = '{"query":"freezer"}';
    assert.equal((await send("/api/companies/search", key, search)).status, 401);
    assert.deepEqual(await send("/mcp", key, PING), { status: 401, read: false });
  });
});

const HEADER = "Send the header Authorization: Bearer ce_…";

oneEngineTest("the message of a refused key explains its fault", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const last = key.at(-1) === "0" ? "1" : "0";
  const sentences: [string | undefined, string][] = [
    [undefined, `The request has no API key. ${HEADER}`],
    [key, `The Authorization header is not "Bearer" and one key. ${HEADER}`],
    [
      `Bearer ${key.slice(0, -1)}${last}`,
      "The text after Bearer is no API key: a letter is missing or wrong, or it is another " +
      "service's. Keys begin with ce_.",
    ],
    [`Bearer ${createKey()}`, "The API key is unknown, revoked or expired."],
  ];
  await withApp(db, async ({ ask }) => {
    for (const [authorization, message] of sentences) {
      const headers = authorization === undefined ? undefined : { authorization };
      const { status, body } = await ask("/api/usage", { headers });
      assert.deepEqual([status, body], [401, { error: { code: "invalid_api_key", message } }]);
    }
  });
});
