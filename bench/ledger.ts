/**
 * Measures the operations per second that the ledger allows, before and after it has grown. Also
 * measures the bytes on disk per operation.
 *
 * `deno run -A --config test/deno.json bench/ledger.ts [--former N] [--seconds N] [--rounds N]`
 * runs claim and settlement by pgbench on a temporary PostgreSQL with `synchronous_commit = off`.
 * The first measurement uses empty tables. The second one follows after N former operations were
 * added.
 */
import { parseArgs } from "node:util";
import { connect } from "../src/db/connect.ts";
import type { Sql } from "../src/db/connect.ts";
import { migrate } from "../src/db/migrate.ts";
import { createLog } from "../src/log.ts";
import { startCluster } from "../test/support/cluster.ts";
import { say } from "./child.ts";
import { formatNumber, markdownTable, medianOf } from "./floors.ts";
import { prepareData, storeSearches, SUBSCRIPTIONS } from "./load/dataset.ts";
import { runPgbench } from "./load/pgbench.ts";
import { pgbenchScripts } from "./load/statements.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    former: { type: "string", default: "2000000" },
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "3" },
  },
});
const ROUNDS = Number(values.rounds);
const SECONDS = Number(values.seconds);
const FORMER = Number(values.former);

/** Number of connections, and number of subscriptions whose requests they send. */
const CONTENDERS = [
  { clients: 1, subscriptions: SUBSCRIPTIONS },
  { clients: 4, subscriptions: SUBSCRIPTIONS },
  { clients: 16, subscriptions: SUBSCRIPTIONS },
  { clients: 64, subscriptions: SUBSCRIPTIONS },
  { clients: 16, subscriptions: 1 },
];

const RELATIONS = ["operations", "shortlists", "ledger"];

await main();

async function main(): Promise<void> {
  const cluster = await startCluster();
  if (cluster === undefined) {
    return say("skipped: there are no binaries of a PostgreSQL server");
  }
  const directory = await Deno.makeTempDir({ prefix: "ce-ledger-" });
  const log = createLog("error");
  const { url } = cluster;
  const db = await connect({
    database_url: url,
    data_dir: "",
    log,
    statement_timeout_seconds: 3_600,
  });
  try {
    await migrate(db);
    const data = await prepareData(db, "demo");
    await storeSearches(db.sql, data);
    const scripts = CONTENDERS.map(({ subscriptions }) => {
      const path = `${directory}/${subscriptions}.sql`;
      Deno.writeTextFileSync(path, pgbenchScripts(data.searches.length, subscriptions).two);
      return path;
    });
    const measure = async () => {
      const rates: number[][] = CONTENDERS.map(() => []);
      for (let round = 0; round < ROUNDS; round++) {
        for (const [n, { clients }] of CONTENDERS.entries()) {
          await db.sql`checkpoint`;
          rates[n]!.push(await runPgbench(url, { script: scripts[n]!, clients, seconds: SECONDS }));
        }
      }
      return rates.map(medianOf);
    };
    const empty = await measure();
    const rows = await bytesOfDelivered(db.sql);
    rows.push(...await addFormer(db.sql));
    const grown = await measure();
    say(`load of the machine (1 min): ${Deno.loadavg()[0]!.toFixed(1)}`);
    say(markdownTable(
      [
        "connections",
        "subscriptions",
        "on empty tables",
        `after ${formatNumber(FORMER)} operations`,
      ],
      CONTENDERS.map(({ clients, subscriptions }, n) => [
        ...[String(clients), String(subscriptions)],
        ...[`${formatNumber(empty[n]!)} per second`, `${formatNumber(grown[n]!)} per second`],
      ]),
    ));
    say(`\n${markdownTable(["disk space per operation, with indexes", "bytes"], rows)}`);
  } finally {
    await db.close();
    await cluster.stop();
    await Deno.remove(directory, { recursive: true });
  }
}

/** Returns rows with the bytes per delivered operation of the first measurement. */
async function bytesOfDelivered(sql: Sql): Promise<string[][]> {
  await sql`vacuum full operations`;
  await sql`vacuum full shortlists`;
  const [{ count }] = await sql<[{ count: number }]>`select count(*) from ledger`;
  const rows: string[][] = [];
  for (const relation of RELATIONS) {
    const bytes = await sizeOf(sql, relation);
    rows.push([`delivered: ${relation}`, formatNumber(bytes / count)]);
  }
  return rows;
}

/**
 * Adds operations whose results have expired and were swept, with their ledger rows. Returns rows
 * with the bytes per operation.
 */
async function addFormer(sql: Sql): Promise<string[][]> {
  const before = {
    operations: await sizeOf(sql, "operations"),
    ledger: await sizeOf(sql, "ledger"),
  };
  await sql`
    insert into operations (
      account_id, subscription_id, request_key, action, fingerprint, scope, status, claimed_at,
      deadline_at, finished_at, window_start, week_start, reserved_request_units,
      reserved_delivered_units, request_units, delivered_units, shows_hostnames
    )
    select
      s.account_id, s.id, gen_random_uuid()::text, 'search_companies',
      sha256(n::text::bytea), sha256((n || 's')::bytea), 'expired', t.at, t.at, t.at,
      date_trunc('hour', t.at), date_trunc('week', t.at), 1, 10, 1, 10, false
    from generate_series(1, ${FORMER}::integer) n
    cross join lateral (select now() - interval '1 year' * (1 - n / ${FORMER}::float8) as at) t
    join lateral (
      select id, account_id from subscriptions order by id offset (n % ${SUBSCRIPTIONS}) limit 1
    ) s on true
  `;
  await sql`
    insert into ledger (
      operation_id, subscription_id, request_units, delivered_units, fresh_evidence_units,
      window_start, week_start, settled_at
    )
    select id, subscription_id, 1, 10, 0, window_start, week_start, finished_at
    from operations
    where status = 'expired'
    order by id
  `;
  await sql`vacuum analyze`;
  const bytes = async (relation: keyof typeof before) =>
    formatNumber((await sizeOf(sql, relation) - before[relation]) / FORMER);
  return [
    ["expired: operations", await bytes("operations")],
    ["expired: ledger", await bytes("ledger")],
  ];
}

async function sizeOf(sql: Sql, relation: string): Promise<number> {
  const [{ bytes }] = await sql<[{ bytes: number }]>`
    select pg_total_relation_size(${relation}::regclass)::float8 as bytes
  `;
  return bytes;
}
