/** Serves the console to a browser, on a test's database and a free port. */
import type { Database } from "../../src/db/connect.ts";
import { generateDemo } from "../../src/demo/demo.ts";
import { normalizeRecord } from "../../src/ingest/record/normalize.ts";
import { recordObservations } from "../../src/ingest/record/pipeline.ts";
import { type AppUse, withApp } from "./app.ts";

/** A service that a browser can open. */
export interface ConsoleWorld {
  /** Origin of the service, without a final slash. */
  origin: string;
  /** hold() delays the answers to polls until release(). */
  polls: { hold(): void; release(): void };
}

/** Number of observations of the demo that are recorded. */
const OBSERVATIONS = 400;

/** Records a part of the demo, with 1 November 2026 as the present. */
export async function recordPartOfDemo({ sql }: Database): Promise<void> {
  const records = generateDemo(new Date("2026-11-01T00:00:00Z")).slice(0, OBSERVATIONS)
    .map(({ record }) => {
      const judged = normalizeRecord(record);
      if ("reason" in judged) throw new Error(judged.reason);
      return judged.record;
    });
  await recordObservations(sql, records);
}

/** Runs `use` with a service on loopback that has a background worker. */
export async function withConsole(
  db: Database,
  use: (world: ConsoleWorld) => Promise<void>,
  options: AppUse = {},
): Promise<void> {
  await withApp(db, async ({ app }) => {
    let gate = Promise.withResolvers<void>();
    gate.resolve();
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      async (request) => {
        if (new URL(request.url).pathname.startsWith("/api/usages/")) await gate.promise;
        return await app.fetch(request);
      },
    );
    await use({
      origin: `http://127.0.0.1:${server.addr.port}`,
      polls: { hold: () => void (gate = Promise.withResolvers()), release: () => gate.resolve() },
    });
  }, { workers: 1, ...options });
}
