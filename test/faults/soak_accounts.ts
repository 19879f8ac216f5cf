/** The customers of a soak: ample and small allowances, a second key, and one that is revoked. */
import { createApiKey, revokeApiKey } from "../../src/accounts/key.ts";
import type { Account } from "./client.ts";
import type { World } from "./world.ts";

export interface SoakAccounts {
  /** Accounts whose calls nothing refuses. */
  ample: Account[];
  /** An account that is short of requests most of the time; its windows are short too. */
  small: Account;
  /** An account whose key is revoked from the start. */
  revoked: Account;
  lapsed: Account;
}

const AMPLE = 4;
const SMALL_WINDOW_SECONDS = 30;
const SMALL_REQUEST_UNITS = 15;

export async function createSoakAccounts(world: World): Promise<SoakAccounts> {
  const ample = await Promise.all(Array.from({ length: AMPLE }, () => world.account()));
  const terms = { window_seconds: SMALL_WINDOW_SECONDS, request_units: SMALL_REQUEST_UNITS };
  const small = await world.account({ terms });
  // The second key shares the subscription of the first.
  const [first] = ample as [Account];
  const second = await createApiKey(world.sql, {
    account_id: first.account_id,
    name: "second",
  });
  const revoked = await world.account();
  const extra = await createApiKey(world.sql, {
    account_id: revoked.account_id,
    name: "to be revoked",
  });
  await revokeApiKey(world.sql, extra.key_id);
  return {
    ample: [...ample, { ...first, ...second }],
    small,
    revoked: { ...revoked, ...extra },
    lapsed: await world.account({ status: "canceled" }),
  };
}
