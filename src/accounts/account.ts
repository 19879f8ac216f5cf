/** Accounts, their subscriptions and the plans these are on. One statement each. */
import type { Sql } from "../db/connect.ts";

export const SUBSCRIPTION_STATUSES = ["trialing", "active", "past_due", "paused", "canceled"];

/** @throws Error naming the plan or status that is unknown */
export async function createAccount(
  sql: Sql,
  { name, plan, status }: { name: string; plan: string; status: string },
): Promise<{ account_id: number; subscription_id: number }> {
  if (name.length < 1 || name.length > 200) throw new Error("NAME: 1 to 200 characters, please");
  await checkTerms(sql, { plan, status });
  const [row] = await sql<{ account: { account_id: number; subscription_id: number } }[]>`
    select create_account(${name}, ${plan}, ${status}) as account
  `;
  return row!.account;
}

export interface SubscriptionState {
  account_id: number;
  subscription_id: number;
  plan: string;
  status: string;
  current_period_start: string;
  current_period_end: string;
}

/** Changes what is given. @returns nothing where there is no such account */
export async function setSubscription(
  sql: Sql,
  { account_id, plan, status }: { account_id: number; plan?: string; status?: string },
): Promise<SubscriptionState | null> {
  await checkTerms(sql, { plan, status });
  const [row] = await sql<{ subscription: SubscriptionState | null }[]>`
    select set_subscription(${account_id}, ${plan ?? null}, ${status ?? null}) as subscription
  `;
  return row!.subscription;
}

export interface PlanTerms {
  page_limit: number;
  window_seconds: number;
  request_units: number;
  weekly_request_units: number;
  delivered_units: number;
  weekly_delivered_units: number;
}

/** Changes what is given, from the next request on. @returns nothing where there is no such plan */
export async function setPlan(
  sql: Sql,
  name: string,
  terms: Partial<PlanTerms>,
): Promise<PlanTerms & { name: string } | undefined> {
  const [plan] = await sql<(PlanTerms & { name: string })[]>`
    update plans set ${sql(terms)} where name = ${name} returning *
  `;
  return plan;
}

async function checkTerms(
  sql: Sql,
  { plan, status }: { plan?: string; status?: string },
): Promise<void> {
  if (status !== undefined && !SUBSCRIPTION_STATUSES.includes(status)) {
    throw new Error(`there is no status ${status}; known: ${SUBSCRIPTION_STATUSES.join(", ")}`);
  }
  if (plan === undefined) return;
  const plans = await sql<{ name: string }[]>`select name from plans order by name`;
  if (!plans.some(({ name }) => name === plan)) {
    throw new Error(`there is no plan ${plan}; known: ${plans.map((p) => p.name).join(", ")}`);
  }
}
