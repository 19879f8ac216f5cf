/** The Idempotency-Key header with and without the quotes of its IETF draft. */
import assert from "node:assert/strict";
import { readHeaderKey } from "../../src/doors/request.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";

const KEYS: [header: string, key: string][] = [
  ["k1", "k1"],
  ['"k1"', "k1"],
  ['"a b"', "a b"],
  [String.raw`"a\"b\\c"`, String.raw`a"b\c`],
  ['""', ""],
  // These are no strings of structured fields, so they are keys as they are.
  ['"k1', '"k1'],
  ['k"1"', 'k"1"'],
  ['"a"b"', '"a"b"'],
  [String.raw`"a\b"`, String.raw`"a\b"`],
];

Deno.test("readHeaderKey() reads a structured string and a bare key", () => {
  for (const [header, expected] of KEYS) {
    const { key, faults } = readHeaderKey(new Headers({ "Idempotency-Key": header }));
    assert.deepEqual({ key, faults }, { key: expected, faults: [] }, header);
  }
});

oneEngineTest("a quoted and a bare idempotency key name one operation", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ search }) => {
    const bare = await search({ query: "freezer" }, { key, request_key: "k1" });
    const quoted = await search({ query: "freezer" }, { key, request_key: '"k1"' });
    assert.deepEqual([bare.status, quoted.status], [200, 200]);
    assert.equal(quoted.headers.get("idempotency-replayed"), "true");
    assert.deepEqual(quoted.body.usage, bare.body.usage);
    assert.equal(quoted.body.usage.request_key, "k1");
  });
});
