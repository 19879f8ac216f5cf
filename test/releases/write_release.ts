/**
 * Writes the dump of this version, and what it answers, as README.md beside it says. The database is
 * filled through the actions and functions that operators and callers use.
 */
import { VERSION } from "../../src/contract/version.ts";
import type { Sql } from "../../src/db/connect.ts";
import { openDatabase } from "../../src/db/migrate.ts";
import { OPERATIONS_QUEUE } from "../../src/db/queue.ts";
import { claim, type Lease } from "../../src/operations/claim.ts";
import { fail } from "../../src/operations/run.ts";
import { drain, sweep } from "../../src/operations/worker.ts";
import { createAccount, createDemoAccount, setPlan } from "../../src/accounts/account.ts";
import { hashKey } from "../../src/accounts/credential.ts";
import { createApiKey, revokeApiKey } from "../../src/accounts/key.ts";
import { mergeCompanies } from "../../src/ingest/record/company_merges.ts";
import { scheduleFeed } from "../../src/ingest/refresh/schedule.ts";
import { SOURCES } from "../../src/ingest/sources/sources.ts";
import { withdrawEvidence, withdrawObservation } from "../../src/ingest/record/withdraw.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { findBinaries, startCluster } from "../support/cluster.ts";
import { record } from "../support/factories.ts";
import { requestOf } from "../support/inputs.ts";
import { silent } from "../support/operations.ts";
import { send } from "../support/queue.ts";
import {
  askRelease,
  FIRST_SEARCH,
  LISTING,
  PENDING_SEARCH,
  type Release,
  releasePath,
} from "../support/releases.ts";

/** Facts of the records. A search for one of their words finds its company. */
const FACTS = ["A freezer warehouse opens.", "A bakery buys ovens.", "A harbour hires welders."];

/** Rows that only operators and background work make. */
async function fillDataset(sql: Sql): Promise<void> {
  const companies = await record(sql, [
    ...FACTS.map((observed_fact, at) => ({
      external_id: `fact-${at}`,
      observed_fact,
      company: {
        name: `Company ${at}`,
        external_id: `c${at}`,
        domains: [`company${at}.example`],
        identifiers: { cik: `${at + 1}` },
      },
    })),
    { external_id: "withdrawn", observed_fact: "A mine closes.", company: { name: "Company 0" } },
    {
      external_id: "profile",
      kind: "company_profile" as const,
      demand_class: "structural" as const,
      occurred_at: null,
      observed_fact: "Builds quay walls.",
      company: { name: "Zyxon Quay Walls Inc.", external_id: "z" },
    },
    { external_id: "merged", observed_fact: "A bakery grows.", company: { name: "Twin" } },
  ]);
  // The company gains a hostname, which relists what it had before.
  await record(sql, [{
    external_id: "gain",
    observed_fact: "A harbour grows.",
    company: { name: "Company 2", external_id: "c2", domains: ["harbour.example"] },
  }]);
  const [, bakery, , withdrawn, , merged] = companies;
  await withdrawObservation(sql, withdrawn!.observation_id);
  await withdrawEvidence(sql, "https://news.example/withdrawn");
  await mergeCompanies(sql, {
    kept: bakery!.company_id,
    merged: merged!.company_id,
    reason: "one bakery",
  });
  await record(sql, [{ source: "demo", external_id: "demo", company: { name: "Demo Company" } }]);
  await scheduleFeed(sql, SOURCES.get("greenhouse")!, { target: "acme" });
  await sql`insert into search_writer default values`;
  await sql`
    insert into sources (name, hostname_refresh_interval) values ('homepage', interval '1 day')
  `;
  const [model] = await sql<{ id: number }[]>`
    insert into embedding_models (name, format, dimensions) values ('model', 1, 2) returning id
  `;
  await sql`
    insert into observation_embeddings
    values (${model!.id}, ${bakery!.observation_id}, '\\x01', '\\x7f00', 0.0078125, 1)
  `;
}

async function createAccounts(sql: Sql): Promise<string> {
  await setPlan(sql, "builder", { window_seconds: 604_800, page_limit: 10 });
  const terms = { plan: "builder", status: "active" };
  const { account_id } = await createAccount(sql, { name: "A customer", ...terms });
  const { key } = await createApiKey(sql, { account_id, name: "production" });
  const revoked = await createApiKey(sql, { account_id, name: "revoked" });
  await revokeApiKey(sql, revoked.key_id);
  const demo = await createDemoAccount(sql);
  await createApiKey(sql, { ...demo, name: "demo" });
  return key;
}

/** Leaves operations of each status behind. Returns the cursors that callers have. */
async function operate(
  { ask, search, app: { context, actions } }: TestApp,
  key: string,
): Promise<Release["cursors"]> {
  const { sql } = context;
  await search({ query: "expired", background: true }, { key, request_key: "expired" });
  await sql`update operations set deadline_at = claimed_at`;
  await sweep(context, 30);
  const action = actions.metered.get("search_companies")!;
  const lease = await claim(context, {
    action,
    caller: { key_hash: hashKey(key) },
    request_key: "failed",
    request: requestOf(action, { query: "failed" }),
    deadline_seconds: 900,
  });
  await fail(context, { lease: lease as Lease, caller: null, code: "usage_failed" });
  const first = await search(FIRST_SEARCH, { key, request_key: "first" });
  const listing = await ask(LISTING, { key, request_key: "listing" });
  await ask("/api/companies?domains[]=unknown.example", { key, request_key: "unknown" });
  await search({ query: "performed", background: true }, { key, request_key: "performed" });
  await drain(context, actions.metered);
  await search(PENDING_SEARCH, { key, request_key: "pending" });
  const poison = await send(sql, { queue: OPERATIONS_QUEUE, message: {} });
  await sql`select pgmq.archive('operations', ${poison}::bigint)`;
  return { search: first.body.next_cursor, listing: listing.body.next_cursor };
}

/** Returns the rows of a database as plain SQL, without comments and settings of the session. */
async function dump(database_url: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(`${findBinaries()}/pg_dump`, {
    args: [
      ...["--data-only", "--inserts", "--no-owner", "--no-privileges", "--no-comments"],
      ...["--exclude-table=public.migrations", "--exclude-table=pgmq.meta", database_url],
    ],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout)
    .replaceAll(/^--\n-- .*\n--\n/gm, "")
    .replaceAll(/^(-- Dumped .*|\\(un)?restrict .*|SET .*|SELECT .*set_config.*)\n/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim() + "\n";
}

if (import.meta.main) {
  const cluster = (await startCluster())!;
  const db = await openDatabase({ database_url: cluster.url, data_dir: "", log: silent });
  try {
    await fillDataset(db.sql);
    const key = await createAccounts(db.sql);
    const now = new Date();
    const facts = { version: VERSION, asked_at: now.toISOString(), key };
    await withApp(db, async (app) => {
      const cursors = await operate(app, key);
      Deno.writeTextFileSync(releasePath(VERSION, "sql"), await dump(cluster.url));
      const work = () => drain(app.app.context, app.app.actions.metered);
      const answers = await askRelease({ ...app, work }, { key, cursors });
      const release: Release = { ...facts, cursors, answers };
      Deno.writeTextFileSync(releasePath(VERSION, "json"), JSON.stringify(release, null, 2) + "\n");
    }, { now: () => now });
  } finally {
    await db.close();
    await cluster.stop();
  }
}
