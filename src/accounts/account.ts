/** Manages accounts, customers, subscriptions and plans. Each change is one statement. */
import { hasControls } from "../contract/control_characters.ts";
import type { Sql } from "../db/connect.ts";
import { UsageError } from "../failures.ts";
import { createKey, hashKey, prefixOf } from "./credential.ts";

/** Statuses of subscriptions. */
const SUBSCRIPTION_STATUSES = ["trialing", "active", "past_due", "paused", "canceled"];

/** Creates an account with its subscription. @throws Error that names an unknown plan or status */
export async function createAccount(
  sql: Sql,
  { name, plan, status }: { name: string; plan: string; status: string },
): Promise<{ account_id: number; subscription_id: number }> {
  checkName(name);
  await checkTerms(sql, { plan, status });
  const [row] = await sql<{ account: { account_id: number; subscription_id: number } }[]>`
    select create_account(${name}, ${plan}, ${status}) as account
  `;
  return row!.account;
}

/** Returns the account of the demo. Creates it on the demo's plan if there is none. */
export async function createDemoAccount(sql: Sql): Promise<{ account_id: number }> {
  const [row] = await sql<{ account_id: number }[]>`select create_demo_account() as account_id`;
  return row!;
}

/** An account as a list shows it. */
interface AccountSummary {
  account_id: number;
  name: string;
  plan: string;
  status: string;
  /** Number of valid keys. */
  keys: number;
  /** Day on which a key of the account was last used. */
  last_used_on: string | null;
  is_demo: boolean;
  created_at: Date;
}

/** Lists all accounts in the order of their creation, or only the requested one. */
export async function listAccounts(sql: Sql, accountId?: number): Promise<AccountSummary[]> {
  return await sql<AccountSummary[]>`
    select
      a.id as account_id,
      a.name,
      s.plan,
      s.status,
      count(k.id) filter (
        where k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      ) as keys,
      max(k.last_used_on)::text as last_used_on,
      a.is_demo,
      a.created_at
    from accounts a
    join subscriptions s on s.account_id = a.id
    left join api_keys k on k.account_id = a.id
    where ${accountId ?? null}::bigint is null or a.id = ${accountId ?? null}
    group by a.id, s.id
    order by a.id
  `;
}

/** Returns one account with its period, limits and usage; undefined if it does not exist. */
export async function showAccount(sql: Sql, accountId: number): Promise<object | undefined> {
  const [summary] = await listAccounts(sql, accountId);
  if (summary === undefined) return undefined;
  const [terms] = await sql<{ report: object }[]>`select account_report(${accountId}) as report`;
  return { ...summary, ...terms!.report };
}

/** Changes the name of an account. Returns undefined if it does not exist. */
export async function renameAccount(
  sql: Sql,
  { account_id, name }: { account_id: number; name: string },
): Promise<{ account_id: number; name: string } | undefined> {
  checkName(name);
  const [row] = await sql<{ account_id: number; name: string }[]>`
    update accounts set name = ${name} where id = ${account_id} returning id as account_id, name
  `;
  return row;
}

/** Checks the name of an account. @throws UsageError that describes the fault */
function checkName(name: string): void {
  if (name.length < 1 || name.length > 200) {
    throw new UsageError("NAME: 1 to 200 characters, please");
  }
  if (hasControls(name) || name.trim() !== name) {
    throw new UsageError(
      "NAME: no control characters, line breaks, or space at either end, please",
    );
  }
  // Commands that take a name or an id would read it as an id.
  if (!/\D/.test(name)) throw new UsageError("NAME: a name of digits alone would be an id");
}

/**
 * Changes the plan, the status, or both. Returns the subscription with its period; null if there is
 * no such account.
 */
export async function setSubscription(
  sql: Sql,
  { account_id, plan, status }: { account_id: number; plan?: string; status?: string },
): Promise<object | null> {
  await checkTerms(sql, { plan, status });
  const [row] = await sql<{ subscription: object | null }[]>`
    select set_subscription(${account_id}, ${plan ?? null}, ${status ?? null}) as subscription
  `;
  return row!.subscription;
}

/** Limits of a plan. */
export interface PlanTerms {
  page_limit: number;
  window_seconds: number;
  request_units: number;
  weekly_request_units: number;
  delivered_units: number;
  weekly_delivered_units: number;
  /** Unmetered reads per minute that one process answers a subscription. */
  reads_per_minute: number;
}

/** Changes terms of a plan from the next request on. Returns undefined if there is no such plan. */
export async function setPlan(
  sql: Sql,
  name: string,
  terms: Partial<PlanTerms>,
): Promise<object | undefined> {
  const [plan] = await sql`
    update plans p
    set
      page_limit = n.page_limit,
      window_seconds = n.window_seconds,
      request_units = n.request_units,
      weekly_request_units = n.weekly_request_units,
      delivered_units = n.delivered_units,
      weekly_delivered_units = n.weekly_delivered_units,
      reads_per_minute = n.reads_per_minute
    from plans present, jsonb_populate_record(present, ${sql.json(terms)}) n
    where p.name = ${name} and present.name = p.name
    returning p.*
  `;
  return plan;
}

/** Creates a plan. @throws Error if a plan has this name already */
export async function createPlan(sql: Sql, name: string, terms: PlanTerms): Promise<object> {
  const [plan] = await sql`
    insert into plans as p
    select (jsonb_populate_record(null::plans, ${sql.json({ ...terms, name })})).*
    on conflict (name) do nothing
    returning p.*
  `;
  if (plan === undefined) throw new Error(`there is already a plan ${name}`);
  return plan;
}

/** Lists the plans with their limits and their numbers of accounts. */
export async function listPlans(sql: Sql): Promise<object[]> {
  return await sql`
    select p.*, (select count(*) from subscriptions s where s.plan = p.name) as accounts
    from plans p
    order by p.name
  `;
}

/** Requires known terms. @throws Error that names the unknown plan or status, and the known ones */
async function checkTerms(
  sql: Sql,
  { plan, status }: { plan?: string; status?: string },
): Promise<void> {
  if (status !== undefined && !SUBSCRIPTION_STATUSES.includes(status)) {
    throw new UsageError(
      `there is no status ${status}; known: ${SUBSCRIPTION_STATUSES.join(", ")}`,
    );
  }
  if (plan === undefined) return;
  const plans = await sql<{ name: string }[]>`select name from plans order by name`;
  if (!plans.some(({ name }) => name === plan)) {
    throw new Error(`there is no plan ${plan}; known: ${plans.map((p) => p.name).join(", ")}`);
  }
}

/**
 * Creates an account, its subscription and its first key in one statement. Returns their ids and
 * the key, which no later call can return.
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
): Promise<object> {
  checkName(name);
  const [namesake] = await findByIdOrName(sql, name);
  if (namesake !== undefined) {
    throw new Error(`account ${namesake.account_id} has this name already`);
  }
  await checkTerms(sql, { plan, status });
  const key = createKey();
  const [row] = await sql`
    with made as materialized (select create_account(${name}, ${plan}, ${status}) as account)
    insert into api_keys (account_id, name, hash, prefix)
    select (account ->> 'account_id')::bigint, ${key_name}, ${hashKey(key)}, ${prefixOf(key)}
    from made
    returning
      account_id,
      (select (account ->> 'subscription_id')::bigint from made) as subscription_id,
      id as key_id
  `;
  return { ...row, key };
}

/**
 * Returns the account id of a customer, which is named by the id or by the exact name.
 * @throws Error if no account has the id or the name, or if several have
 */
export async function findCustomer(sql: Sql, customer: string): Promise<number> {
  const found = await findByIdOrName(sql, customer);
  if (found.length === 1) return found[0]!.account_id;
  if (found.length === 0) throw new Error(`there is no customer ${customer}`);
  const ids = found.map(({ account_id }) => account_id).join(", ");
  throw new Error(`several accounts have this name or id: ${ids}. Rename one, or give its id`);
}

async function findByIdOrName(sql: Sql, text: string): Promise<{ account_id: number }[]> {
  return await sql<{ account_id: number }[]>`
    select id as account_id from accounts where name = ${text} or id::text = ${text} order by id
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
 * @throws Error if the subscription was canceled
 */
export async function resumeCustomer(sql: Sql, account_id: number): Promise<string> {
  const [row] = await sql<{ status: string }[]>`
    select resume_subscription(${account_id}) as status
  `;
  if (row!.status !== "canceled") return row!.status;
  throw new Error(`the subscription of account ${account_id} is canceled`);
}
