/** Manages customers. A customer is an account together with its subscription and its keys. */
import type { Sql } from "../db/connect.ts";
import { checkName, checkTerms, listAccounts } from "./account.ts";
import { createKey, hashKey, prefixOf } from "./credential.ts";

/** A new customer. No later call can return the key. */
interface NewCustomer {
  account_id: number;
  subscription_id: number;
  key_id: number;
  key: string;
}

/**
 * Creates an account, its subscription and its first key in one statement.
 * @throws Error for a name in use, or an unknown plan or status
 */
export async function addCustomer(
  sql: Sql,
  { name, plan, status, key_name }: {
    name: string;
    plan: string;
    status: string;
    key_name: string;
  },
): Promise<NewCustomer> {
  checkName(name);
  const [namesake] = await findByName(sql, name);
  if (namesake !== undefined) {
    throw new Error(`account ${namesake.account_id} has this name already`);
  }
  await checkTerms(sql, { plan, status });
  const key = createKey();
  const [row] = await sql<Omit<NewCustomer, "key">[]>`
    with made as materialized (
      select create_account(${name}, ${plan}, ${status}) as account
    )
    insert into api_keys (account_id, name, hash, prefix)
    select (account ->> 'account_id')::bigint, ${key_name}, ${hashKey(key)}, ${prefixOf(key)}
    from made
    returning
      account_id,
      (select (account ->> 'subscription_id')::bigint from made) as subscription_id,
      id as key_id
  `;
  return { ...row!, key };
}

/**
 * Returns the account id of a customer, which is named by the id or by the exact name.
 * @throws Error if no account or several accounts have the name
 */
export async function findCustomer(sql: Sql, customer: string): Promise<number> {
  if (/^[0-9]{1,15}$/.test(customer)) {
    const [account] = await listAccounts(sql, Number(customer));
    if (account !== undefined) return account.account_id;
  }
  const found = await findByName(sql, customer);
  if (found.length === 1) return found[0]!.account_id;
  if (found.length === 0) throw new Error(`there is no customer ${customer}`);
  const ids = found.map(({ account_id }) => account_id).join(", ");
  throw new Error(`several accounts have this name: ${ids}. Name the customer by its id`);
}

async function findByName(sql: Sql, name: string): Promise<{ account_id: number }[]> {
  return await sql<{ account_id: number }[]>`
    select id as account_id from accounts where name = ${name} order by id
  `;
}

/**
 * Suspends a customer: its requests are refused from the next one on. A second call changes
 * nothing.
 * @throws Error if the subscription is canceled
 */
export async function suspendCustomer(sql: Sql, account_id: number): Promise<string> {
  const [row] = await sql<{ status: string }[]>`
    select suspend_subscription(${account_id}) as status
  `;
  if (row!.status === "paused") return row!.status;
  throw new Error(`the subscription of account ${account_id} is ${row!.status}`);
}

/**
 * Restores the status that a customer had before its suspension.
 * @throws Error if the customer is neither suspended nor entitled
 */
export async function resumeCustomer(sql: Sql, account_id: number): Promise<string> {
  const [row] = await sql<{ status: string }[]>`
    select resume_subscription(${account_id}) as status
  `;
  if (row!.status === "canceled") {
    throw new Error(`the subscription of account ${account_id} is canceled`);
  }
  return row!.status;
}
