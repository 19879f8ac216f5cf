/** Entitlement: an active or trialing subscription behind the key (specification 5). */
import type { Sql } from "../db/connect.ts";
import { Failure } from "../failures.ts";

/** Terms of a key's subscription at this moment. */
export interface SubscriptionTerms {
  entitled: boolean;
  /** Entries a page: the plan's, whether entitled or not. */
  page_limit: number;
}

/** Database and clock of a look at accounts. */
export interface AccountsContext {
  sql: Sql;
  now?: () => Date;
}

/**
 * One indexed read.
 * @throws Failure invalid_api_key
 */
export async function getTerms(
  context: AccountsContext,
  caller: { key_hash: Uint8Array },
): Promise<SubscriptionTerms> {
  const [row] = await context.sql<SubscriptionTerms[]>`
    select entitled, page_limit
    from find_caller(${caller.key_hash}, coalesce(${context.now?.() ?? null}::timestamptz, now()))
  `;
  if (row === undefined) throw new Failure("invalid_api_key");
  return row;
}

/** @throws Failure invalid_api_key or subscription_required */
export async function requireEntitled(
  context: AccountsContext,
  caller: { key_hash: Uint8Array },
): Promise<void> {
  const { entitled } = await getTerms(context, caller);
  if (!entitled) throw new Failure("subscription_required");
}
