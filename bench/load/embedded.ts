/** Compares metered searches over the embedded database with their statement on bare PGlite. */
import { PGlite } from "@electric-sql/pglite";
import { pgmq } from "@electric-sql/pglite-pgmq";
import { createApp } from "../../src/app.ts";
import { readSettings } from "../../src/config.ts";
import { connectEmbedded } from "../../src/db/connect.ts";
import { openEmbedded } from "../../src/db/embedded.ts";
import { migrate } from "../../src/db/migrate.ts";
import { createLog } from "../../src/log.ts";
import { type LoadData, prepareData, storeSearches } from "./dataset.ts";
import { oneStatement } from "./statements.ts";

/** Calls per second of the whole service, and of its statement on bare PGlite. */
export interface EmbeddedRates {
  service: number;
  statement: number;
}

const CLIENTS = 16;

/** Measures both in turns over the demo dataset. @returns rates by round */
async function measureEmbedded(rounds: number, seconds: number): Promise<EmbeddedRates[]> {
  const log = createLog("error", () => {});
  const embedded = await openEmbedded({ log });
  const db = await connectEmbedded(embedded, { log });
  await migrate(db);
  const data = await prepareData(db, "demo");
  await storeSearches(db.sql, data);
  const bare = await PGlite.create({ loadDataDir: await embedded.dump(), extensions: { pgmq } });
  const app = createApp({ db, log, settings: readSettings({ WORKERS: "0" }) });
  await app.start();
  const rates: EmbeddedRates[] = [];
  try {
    // The first round is a warm-up.
    for (let round = 0; round <= rounds; round++) {
      const statement = await rateOf(seconds, 1, searchBy(bare, data));
      const service = await rateOf(seconds, CLIENTS, (turn) => search(app, data, turn));
      if (round > 0) rates.push({ service, statement });
    }
  } finally {
    await app.close();
    await db.close();
    await bare.close();
  }
  return rates;
}

async function search(
  app: ReturnType<typeof createApp>,
  { callers, searches }: LoadData,
  turn: number,
): Promise<void> {
  const response = await app.fetch(
    new Request("http://127.0.0.1/api/companies/search", {
      method: "POST",
      headers: {
        authorization: `Bearer ${callers[turn % callers.length]!.key}`,
        "idempotency-key": crypto.randomUUID(),
        "content-type": "application/json",
      },
      body: JSON.stringify({ query: searches[turn % searches.length]!.query, limit: 10 }),
    }),
  );
  const body = await response.text();
  if (response.status !== 200) throw new Error(body);
}

function searchBy(bare: PGlite, { callers, searches }: LoadData): (turn: number) => Promise<void> {
  const places = { search: "$1::integer", caller: "$2::integer", key: "$3::text" };
  return async (turn) => {
    const values = [turn % searches.length, turn % callers.length, `${turn}`];
    await bare.query(oneStatement(places), values);
  };
}

/** Number of calls so far, over all measurements. */
let turns = 0;

/** Returns calls per second. @param call starts call number `turn` */
async function rateOf(
  seconds: number,
  clients: number,
  call: (turn: number) => Promise<void>,
): Promise<number> {
  const start = performance.now();
  let calls = 0;
  const client = async () => {
    while (performance.now() - start < 1000 * seconds) {
      await call(turns++);
      calls++;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return 1000 * calls / (performance.now() - start);
}

if (import.meta.main) {
  const [rounds, seconds] = Deno.args.map(Number);
  const rates = await measureEmbedded(rounds!, seconds!);
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(rates)));
}
