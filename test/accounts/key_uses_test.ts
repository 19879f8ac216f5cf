import assert from "node:assert/strict";
import { KeyUses } from "../../src/accounts/known_keys.ts";
import type { Sql } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";
import { askAdmin } from "../support/admin.ts";
import { withApp } from "../support/app.ts";
import { countStatements } from "../support/counts.ts";
import { oneEngineTest, serverTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { silent } from "../support/operations.ts";

const daysOf = async (sql: Sql) =>
  (await sql<{ day: string | null }[]>`
    select (current_date - last_used_on)::text as day from api_keys order by id
  `).map(({ day }) => day);

oneEngineTest("KeyUses stores the day of a key's use once per day", async ({ sql }) => {
  const hash = (await createCaller(sql)).caller.key_hash.toHex();
  const secondHash = (await createCaller(sql)).caller.key_hash.toHex();
  const counted = countStatements(sql);
  const uses = new KeyUses({ sql: counted.sql, log: silent });
  for (let n = 0; n < 5; n++) uses.note(hash);
  assert.equal(counted.statements(), 0, "a request does not wait for a statement");
  await uses.flush();
  assert.deepEqual(await daysOf(sql), ["0", null]);
  const versionOf = async () => (await sql`select xmin::text from api_keys where id = 1`)[0];
  const stored = await versionOf();
  uses.note(hash);
  uses.note(secondHash);
  await uses.close();
  assert.deepEqual(await daysOf(sql), ["0", "0"]);
  assert.deepEqual(await versionOf(), stored, "a second use on a day writes no row");
  uses.note(hash);
  await uses.flush();
  assert.equal(counted.statements(), 2);
});

oneEngineTest("KeyUses keeps uses that could not be stored", async ({ sql }) => {
  const hash = (await createCaller(sql)).caller.key_hash.toHex();
  const lines: string[] = [];
  let isDown = true;
  const flaky = ((...statement: Parameters<Sql>) =>
    isDown ? Promise.reject(new Error("away")) : sql(...statement)) as unknown as Sql;
  const uses = new KeyUses({
    sql: flaky,
    log: createLog("warn", (line) =>
      void lines.push(line)),
  });
  uses.note(hash);
  await uses.flush();
  assert.match(lines.join(), /last uses of keys not noted/);
  isDown = false;
  await uses.close();
  assert.deepEqual(await daysOf(sql), ["0"]);
});

serverTest("KeyUses does not wait for a locked row of a key", async ({ sql }) => {
  const hash = (await createCaller(sql)).caller.key_hash.toHex();
  await sql.begin(async (tx) => {
    await tx`select from api_keys for update`;
    const uses = new KeyUses({ sql, log: silent });
    uses.note(hash);
    await uses.close();
  });
  assert.deepEqual(await daysOf(sql), [null]);
});

oneEngineTest(
  "the list of accounts shows the last day on which a key was accepted",
  async (t) => {
    const { db, sql } = t;
    const { key } = await createCaller(sql);
    const revoked = await createCaller(sql);
    await sql`update api_keys set revoked_at = now() where id = ${revoked.key_id}`;
    await withApp(db, async ({ ask }) => {
      assert.equal((await ask("/api/usage", { key })).status, 200);
      assert.equal((await ask("/api/usage", { key: revoked.key })).status, 401);
    });
    assert.deepEqual(await daysOf(sql), ["0", null]);
    await sql`insert into api_keys (account_id, hash, prefix, last_used_on)
      select account_id, sha256('older'), 'ce_older', current_date - 9 from api_keys where id = 1`;
    const [{ today }] = await sql<[{ today: string }]>`select current_date::text as today`;
    const { answer } = await askAdmin(db, "account", "list");
    assert.equal(answer.accounts[0].last_used_on, today);
  },
);
