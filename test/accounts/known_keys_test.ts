import assert from "node:assert/strict";
import { KeyIdentities, KnownKeys } from "../../src/accounts/known_keys.ts";
import { createKey, hashKey } from "../../src/accounts/credential.ts";
import { revokeApiKey } from "../../src/accounts/key.ts";
import type { Sql } from "../../src/db/connect.ts";
import { Failure } from "../../src/failures.ts";
import { countStatements } from "../support/counts.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";

const INVALID = { code: "invalid_api_key" };

oneEngineTest("KnownKeys reads the terms of a key once a minute", async (t) => {
  const { caller } = await createCaller(t.sql);
  const context = countStatements(t.sql);
  let now = 30_000;
  const keys = new KnownKeys(() => now);
  for (const [milliseconds, statements] of [[0, 1], [29_999, 1], [1, 2], [59_999, 2]] as const) {
    now += milliseconds;
    await keys.termsOf(context, caller);
    assert.equal(context.statements(), statements);
  }
});

oneEngineTest("KnownKeys refuses unknown and revoked keys every time", async ({ sql }) => {
  const context = countStatements(sql);
  const keys = new KnownKeys(() => 0);
  const forged = { key_hash: hashKey(createKey()) };
  await assert.rejects(keys.termsOf(context, forged), INVALID);
  await assert.rejects(keys.termsOf(context, forged), INVALID);
  assert.equal(context.statements(), 2);
  const { caller, key_id } = await createCaller(sql);
  await keys.termsOf(context, caller);
  await revokeApiKey(sql, key_id);
  // The key is still cached, until a statement refuses it.
  await keys.termsOf(context, caller);
  const refused = () => Promise.reject(new Failure("invalid_api_key"));
  await assert.rejects(keys.watch(caller, refused), INVALID);
  await assert.rejects(keys.termsOf(context, caller), INVALID);
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
