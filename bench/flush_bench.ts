/**
 * What does the flush of each commit cost the embedded database?
 *
 * Distinct metered searches over real notices run over HTTP, in turns: with the flush, and with
 * answers that do not wait for it. Both turns use one process and one directory.
 */
import assert from "node:assert/strict";
import { createApp } from "../src/app.ts";
import { readSettings } from "../src/config.ts";
import { connect } from "../src/db/connect.ts";
import { FlushedFiles } from "../src/db/flushed_files.ts";
import { migrate } from "../src/db/migrate.ts";
import { withDataDir } from "../test/support/data_dir.ts";
import { AMPLE, createCaller, type TestCaller } from "../test/support/factories.ts";
import { silent } from "../test/support/operations.ts";
import { hasRealData, ingestRealRecords, realFiles } from "../test/support/real_records.ts";
import { say } from "./child.ts";
import { formatNumber, markdownTable, medianOf } from "./floors.ts";
import { CLIENTS, generate, QUESTIONS } from "./load/contenders.ts";
import { searchText } from "./load/requests.ts";

const ROUNDS = 7;
const SECONDS = 2;
const SUBSCRIPTIONS = 16;

const { flush } = FlushedFiles.prototype;
/** The two ways to answer a commit. */
const WAYS = { "with a flush": flush, "without": () => undefined };

Deno.bench({
  name: "the flush of the embedded database",
  ignore: !hasRealData(),
  n: 1,
  warmup: 0,
  async fn() {
    await withDataDir(measure);
  },
});

async function measure(data_dir: string): Promise<void> {
  const db = await connect({ data_dir, log: silent });
  await migrate(db);
  await ingestRealRecords(db, realFiles(["canadabuys", "toronto"]));
  const terms = { ...AMPLE, window_seconds: 604_800 };
  const callers: TestCaller[] = [];
  while (callers.length < SUBSCRIPTIONS) callers.push(await createCaller(db.sql, { terms }));
  const settings = readSettings({ WORKERS: "0" });
  const app = createApp({ db, log: silent, settings });
  await app.start();
  const questions = (await Deno.readTextFile(QUESTIONS)).split("\n").filter(Boolean);
  const requests = questions.map((query, at) =>
    searchText(callers[at % SUBSCRIPTIONS]!.key, query)
  );
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => app.fetch(request),
  );
  const { port } = server.addr;
  try {
    for (const clients of [CLIENTS, 1]) await compare({ port, requests, clients });
    const [row] = await db.sql<[{ count: number }]>`select count(*)::integer from ledger`;
    assert.ok(row.count > 0, "searches are charged");
  } finally {
    FlushedFiles.prototype.flush = flush;
    await server.shutdown();
    await app.close();
    await db.close();
  }
}

async function compare(load: { port: number; requests: string[]; clients: number }): Promise<void> {
  const rates = Object.keys(WAYS).map((): number[] => []);
  const latencies = Object.keys(WAYS).map((): number[] => []);
  await generate({ ...load, seconds: SECONDS });
  for (let round = 0; round < ROUNDS; round++) {
    const ways = Object.values(WAYS).map((way, at) => ({ way, at }));
    for (const { way, at } of round % 2 === 0 ? ways : ways.toReversed()) {
      FlushedFiles.prototype.flush = way;
      const { rate, p50 } = await generate({ ...load, seconds: SECONDS });
      rates[at]!.push(rate);
      latencies[at]!.push(p50);
    }
  }
  const ratios = rates[0]!.map((rate, round) => rate / rates[1]![round]!);
  const rows = Object.keys(WAYS).map((name, at) => [
    name,
    formatNumber(medianOf(rates[at]!)),
    formatNumber(medianOf(latencies[at]!)),
  ]);
  say(
    markdownTable([`${load.clients} connections`, "searches per second", "median, ms"], rows),
  );
  say(`median ratio of a pair of turns: ${formatNumber(medianOf(ratios))}`);
}
