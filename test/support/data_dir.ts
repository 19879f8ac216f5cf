/** Makes data directories for tests, and calls services that run on them. */
import { type PlanTerms, setPlan } from "../../src/accounts/account.ts";
import { connect } from "../../src/db/connect.ts";
import { openDatabase } from "../../src/db/migrate.ts";
import { createCaller, record } from "./factories.ts";
import { silent } from "./operations.ts";

/** Runs `use` with an empty directory, and removes it afterwards. */
export async function withDataDir(use: (data_dir: string) => Promise<void>): Promise<void> {
  const data_dir = await Deno.makeTempDir({ prefix: "ce" });
  try {
    await use(data_dir);
  } finally {
    await Deno.remove(data_dir, { recursive: true });
  }
}

/**
 * Creates a database in the directory with one record of a cold storage. Returns the key of a
 * caller. A start on it takes a third of the processor time of a first start, which makes the demo.
 */
export async function createDataDir(data_dir: string): Promise<string> {
  const db = await openDatabase({ data_dir, log: silent });
  const { key } = await createCaller(db.sql);
  await record(db.sql, [{ observed_fact: "A cold storage hall is being built." }]);
  await db.close();
  return key;
}

/** Reads the demo key, which the first start writes into the directory. */
export async function readDemoKey(data_dir: string): Promise<string> {
  return (await Deno.readTextFile(`${data_dir}/demo_key`)).trim();
}

/** Changes the terms of the demo's plan, while a service uses the directory. */
export async function changeDemoPlan(data_dir: string, terms: Partial<PlanTerms>): Promise<void> {
  const db = await connect({ data_dir, borrow: true, log: silent });
  await setPlan(db.sql, "demo", terms);
  await db.close();
}

/** Answer to a search. */
export interface SearchAnswer {
  status: number;
  // deno-lint-ignore no-explicit-any -- each test checks the shape of the body
  body: any;
}

/** Searches for companies over HTTP. */
export async function postSearch(
  { url }: { url: string },
  { key, request_key, ...inputs }: {
    key: string;
    request_key: string;
    query: string;
    background?: boolean;
  },
): Promise<SearchAnswer> {
  const response = await fetch(`${url}/api/companies/search`, {
    method: "POST",
    headers: {
      "authorization": `Bearer ${key}`,
      "idempotency-key": request_key,
      "content-type": "application/json",
    },
    body: JSON.stringify(inputs),
  });
  return { status: response.status, body: await response.json() };
}
