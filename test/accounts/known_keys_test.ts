import assert from "node:assert/strict";
import {
  KeyIdentities,
  KNOWN_KEYS_MAX,
  KNOWN_MILLISECONDS,
  KnownKeys,
} from "../../src/accounts/known_keys.ts";
import { createKey, hashKey } from "../../src/accounts/credential.ts";
import { revokeApiKey } from "../../src/accounts/key.ts";
import type { Sql } from "../../src/db/connect.ts";
import { Failure } from "../../src/failures.ts";
import { countStatements } from "../support/counts.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";

const INVALID = { code: "invalid_api_key" };

oneEngineTest("KnownKeys looks a key up once, and again after KNOWN_MILLISECONDS", async (t) => {
  const { caller } = await createCaller(t.sql);
  const context = countStatements(t.sql);
  let now = 0;
  const keys = new KnownKeys(() => now);
  for (const [milliseconds, statements] of [[0, 1], [KNOWN_MILLISECONDS - 1, 1], [1, 2]] as const) {
    now += milliseconds;
    await keys.subscriptionOf(context, caller);
    assert.equal(context.statements(), statements);
  }
  // A key in use is not looked up again, because each answer confirms it.
  for (let n = 0; n < 5; n++) {
    now += KNOWN_MILLISECONDS - 1;
    await keys.subscriptionOf(context, caller);
    await keys.watch(caller, () => Promise.resolve());
  }
  assert.equal(context.statements(), 2);
});

oneEngineTest("KnownKeys refuses unknown and revoked keys every time", async ({ sql }) => {
  const context = countStatements(sql);
  const keys = new KnownKeys();
  const forged = { key_hash: hashKey(createKey()) };
  await assert.rejects(keys.subscriptionOf(context, forged), INVALID);
  await assert.rejects(keys.subscriptionOf(context, forged), INVALID);
  assert.equal(context.statements(), 2);
  const { caller, key_id } = await createCaller(sql);
  await keys.subscriptionOf(context, caller);
  await revokeApiKey(sql, key_id);
  // The key is still cached, until a statement refuses it.
  await keys.subscriptionOf(context, caller);
  const refused = () => Promise.reject(new Failure("invalid_api_key"));
  await assert.rejects(keys.watch(caller, refused), INVALID);
  await assert.rejects(keys.subscriptionOf(context, caller), INVALID);
});

oneEngineTest("KeyIdentities reads a key again after a failed read, and then once", async (t) => {
  const { caller, account_id, key_id } = await createCaller(t.sql);
  const context = countStatements(t.sql);
  let isDown = true;
  const flaky = ((...statement: Parameters<Sql>) =>
    isDown ? Promise.reject(new Error("away")) : context.sql(...statement)) as unknown as Sql;
  const identities = new KeyIdentities(flaky);
  assert.equal(await identities.identify(caller), undefined);
  isDown = false;
  for (let n = 0; n < 2; n++) {
    assert.deepEqual(await identities.identify(caller), { account: account_id, key_id });
  }
  assert.equal(context.statements(), 1);
});

Deno.test("KnownKeys drops the least recently used key", async () => {
  const keys = new KnownKeys();
  const caller = (n: number) => ({ key_hash: new Uint8Array(new Uint32Array([n]).buffer) });
  let lookups = 0;
  const sql = (() => Promise.resolve([{ subscription_id: ++lookups }])) as unknown as Sql;
  const see = (n: number) => keys.subscriptionOf({ sql }, caller(n));
  const use = (n: number) => keys.watch(caller(n), () => Promise.resolve());
  for (let n = 0; n < KNOWN_KEYS_MAX; n++) await see(n);
  // After the use of key 0, key 1 is the least recently used one.
  await use(0);
  await see(KNOWN_KEYS_MAX);
  lookups = 0;
  assert.equal(await see(0), 1);
  assert.equal(await see(2), 3);
  assert.equal(lookups, 0);
  assert.equal(await see(1), 1);
  assert.equal(lookups, 1);
});
