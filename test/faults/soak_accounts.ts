/** The accounts of a soak: ample and small allowances, a second key, and a revoked key. */
import { createApiKey, revokeApiKey } from "../../src/accounts/key.ts";
import type { Account } from "./client.ts";
import type { World } from "./world.ts";

export interface SoakAccounts {
  /** Accounts whose calls are never refused. */
  ample: Account[];
  /** An account with short windows, whose allowance of requests is used up most of the time. */
  small: Account;
  /** An account with a key that is revoked from the start. */
  revoked: Account;
  /** An account whose subscription is canceled. */
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
  const second = await createApiKey(world.sql, { account_id: first.account_id, name: "second" });
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
