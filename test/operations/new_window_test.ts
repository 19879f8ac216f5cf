import assert from "node:assert/strict";
import { claim } from "../../src/operations/claim.ts";
import { serverTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { fixedAction, LONG_WINDOW, runContext } from "../support/operations.ts";

serverTest("claims that meet a new window at once each reserve their units", async ({ sql }) => {
  for (let round = 0; round < 10; round++) {
    const { caller } = await createCaller(sql, LONG_WINDOW);
    const context = runContext(sql);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        claim(context, {
          action: fixedAction([]),
          caller,
          request_key: `${round} ${n}`,
          request: { inputs: { query: "", limit: 10 }, cursor: null, background: false },
          deadline_seconds: 900,
        })),
    );
    assert.equal(replies.filter((reply) => "token" in reply).length, 8);
    const [row] = await sql`
      select reserved_request_units as reserved
      from allowances a join api_keys k on k.hash = ${caller.key_hash}
      join subscriptions s on s.account_id = k.account_id and s.id = a.subscription_id
    `;
    assert.deepEqual({ ...row }, { reserved: 8 });
  }
});
