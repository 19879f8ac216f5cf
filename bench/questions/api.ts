/** Asks the service over its public interface, within this process. */
import { createAccount } from "../../src/accounts/account.ts";
import { createApiKey } from "../../src/accounts/key.ts";
import { createApp } from "../../src/app.ts";
import { readSettings } from "../../src/config.ts";
import type { CompanySearchResult } from "../../src/contract/search.ts";
import type { Database } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";

/** A client of `POST /api/companies/search`. */
interface ApiClient extends AsyncDisposable {
  /** Searches for companies. Returns one page, which is delivered and charged. */
  search(query: string, limit: number): Promise<CompanySearchResult>;
}

const PLAN = "bench";

/**
 * Starts the service over a filled database, without background work. Creates an account whose plan
 * a bench cannot exhaust.
 */
export async function openApi(
  db: Database,
  { now, env = {} }: {
    /** Moment to which times in questions are relative, by default the present. */
    now?: Date;
    /** Additional settings. */
    env?: Record<string, string>;
  } = {},
): Promise<ApiClient> {
  const app = createApp({
    db,
    settings: readSettings({ WORKERS: "0", ACQUISITION_RECORDS: "0", ...env }),
    log: createLog("error"),
    ...now && { now: () => now },
  });
  await app.start();
  const key = await createKey(db);
  return {
    async search(query, limit) {
      const response = await app.fetch(
        new Request("http://127.0.0.1/api/companies/search", {
          method: "POST",
          headers: {
            authorization: `Bearer ${key}`,
            "content-type": "application/json",
            "idempotency-key": crypto.randomUUID(),
          },
          body: JSON.stringify({ query, limit }),
        }),
      );
      const body = await response.json();
      if (!response.ok) throw new Error(`${query}: ${JSON.stringify(body)}`);
      return body;
    },
    [Symbol.asyncDispose]: () => app.close(),
  };
}

/** Creates an account whose plan a bench cannot exhaust, and returns its API key. */
export async function createKey(db: Database): Promise<string> {
  await db.sql`
    insert into plans values (${PLAN}, 25, 604800, 1000000, 1000000, 1000000, 1000000)
    on conflict do nothing
  `;
  const account = await createAccount(db.sql, { name: PLAN, plan: PLAN, status: "active" });
  // The clock of a bench may show a moment in the past.
  await db.sql`update subscriptions set current_period_start = 'epoch'`;
  return (await createApiKey(db.sql, { ...account, name: PLAN })).key;
}
