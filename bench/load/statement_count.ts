/** Counts the statements that one request sends to the database. */
import { createApp } from "../../src/app.ts";
import { readSettings } from "../../src/config.ts";
import type { Database, Sql } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";
import type { LoadData } from "./dataset.ts";

/** Returns the max number of statements of a metered search. */
export async function countStatements(
  db: Database,
  { callers, searches }: LoadData,
): Promise<number> {
  let count = 0;
  const sql = new Proxy(db.sql, {
    apply(target, _, args) {
      // The first argument of a statement is the array of texts of its template. Other calls, such
      // as sql(name), create parts of statements.
      if (Array.isArray(args[0]) && "raw" in args[0]) count++;
      return (target as (...args: unknown[]) => unknown)(...args);
    },
  }) as Sql;
  const log = createLog("error", () => {});
  const app = createApp({ db: { ...db, sql }, log, settings: readSettings({ WORKERS: "0" }) });
  await app.start();
  const ask = async (query: string) => {
    const response = await app.fetch(
      new Request("http://127.0.0.1/api/companies/search", {
        method: "POST",
        headers: {
          authorization: `Bearer ${callers[0]!.key}`,
          "idempotency-key": crypto.randomUUID(),
          "content-type": "application/json",
        },
        body: JSON.stringify({ query, limit: 10 }),
      }),
    );
    if (response.status !== 200) throw new Error(await response.text());
    await response.body?.cancel();
  };
  try {
    // The first request of an API key does not count, because it looks up the key separately.
    await ask(searches[0]!.query);
    let largest = 0;
    for (const { query } of searches) {
      const counts: number[] = [];
      // The follower of the index may send statements meanwhile, so the min of five tries counts.
      for (let attempt = 0; attempt < 5; attempt++) {
        count = 0;
        await ask(query);
        counts.push(count);
      }
      largest = Math.max(largest, Math.min(...counts));
    }
    return largest;
  } finally {
    await app.close();
  }
}
