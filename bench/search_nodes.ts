/**
 * How quick is a search in a cluster of two OpenSearch nodes on this machine, and does it charge the
 * companies that the index in memory charges? Fills the cluster from a temporary PostgreSQL with the
 * real records, then with copies of them under other companies, until it has a million or as many as
 * the argument says.
 *
 *     deno run --config test/deno.json -A bench/search_nodes.ts [RECORDS]
 */
import { connect } from "../src/db/connect.ts";
import { exists } from "../src/db/exists.ts";
import { migrate } from "../src/db/migrate.ts";
import type { Sql } from "../src/db/sql.ts";
import { createLog } from "../src/log.ts";
import { changesAfter, documentOf, parseChanges } from "../src/search/changes/changes.ts";
import { ClusterSource } from "../src/search/cluster_source.ts";
import { NO_FILTERS } from "../src/contract/filters.ts";
import { Cluster } from "../src/search/remote/cluster.ts";
import { ALIAS, RemoteIndex } from "../src/search/remote/remote_index.ts";
import { storedOf } from "../src/search/remote/stored_record.ts";
import { Retriever } from "../src/search/retriever.ts";
import { startCluster } from "../test/support/cluster.ts";
import { startSearchNodes, whyNoNodes } from "../test/support/opensearch/nodes.ts";
import { hasRealData, ingestRealRecords } from "../test/support/real_records.ts";
import { say } from "./child.ts";
import { markdownTable } from "./floors.ts";
import { QUESTIONS } from "./load/contenders.ts";
import { percentile, shuffled } from "./measure.ts";
import { Random } from "./random.ts";

/** Number of records of the largest index. */
const RECORDS = Number(Deno.args[0] ?? 1_000_000);
const ASKED = 400;
/** Number of times that the records of the database are written into an empty cluster. */
const FILLS = 4;
/** Questions that are asked before the measured ones. */
const WARM_UP = 100;
const PAGE = 1_000;

const log = createLog("error");

await main();

async function main() {
  const isPresent = hasRealData() && await exists(QUESTIONS);
  const why = whyNoNodes() ?? (isPresent ? undefined : "../shared has no records or questions");
  if (why !== undefined) return say(`search_nodes.ts is skipped: ${why}`);
  const server = await startCluster();
  if (!server) {
    return say("search_nodes.ts is skipped: there are no binaries of a PostgreSQL server");
  }
  try {
    await measure(server.url);
  } finally {
    await server.stop();
  }
}

async function measure(database_url: string) {
  const options = { database_url, data_dir: "", log, statement_timeout_seconds: 600 };
  const db = await connect(options);
  await migrate(db);
  await ingestRealRecords(db);
  const { sql } = db;
  // The nodes compile their code as they do in production. Tests save that time.
  await using nodes = await startSearchNodes(2, []);
  const index = new RemoteIndex(new Cluster(nodes.urls));
  const open = () => {
    const options = { sql, log, nodes: nodes.urls, shards: 2, replicas: 1 };
    // One slow search must not end a long run.
    const source = new ClusterSource({ ...options, search_milliseconds: 60_000 });
    return new Retriever({ sql, log, source });
  };
  // Java compiles its code during the first fills.
  for (let n = 1; n < FILLS; n++) {
    const first = open();
    await fill(first);
    await first.source.close();
    for (const name of (await index.list()).names) {
      await (await fetch(`${nodes.urls[0]}/${name}`, { method: "DELETE" })).body?.cancel();
    }
  }
  const remote = open();
  const local = new Retriever({ sql, log });
  const texts = shuffled((await Deno.readTextFile(QUESTIONS)).trim().split("\n"), new Random(1))
    .slice(0, WARM_UP + ASKED);
  try {
    const count = await fill(remote);
    await local.source.start();
    const inMemory = await ask(local, texts);
    const inCluster = await ask(remote, texts);
    const { same, all } = shared(inMemory.charged, inCluster.charged);
    say(`${same} of ${all} companies that either charged are the same`);
    const written = await copyUntil(RECORDS, { sql, index });
    say(`${written.count} copies: ${Math.round(written.count / written.seconds)} per second\n`);
    const grown = await ask(remote, texts);
    const rowOf = (name: string, records: number, { milliseconds }: Asked) => [
      name,
      String(records),
      ...[0.5, 0.95, 0.99].map((share) => percentile(milliseconds, share).toFixed(1)),
    ];
    say(markdownTable(["index", "records", "p50 ms", "p95 ms", "p99 ms"], [
      rowOf("in memory", count, inMemory),
      rowOf("two nodes", count, inCluster),
      rowOf("two nodes", await index.count(), grown),
    ]));
  } finally {
    await remote.source.close();
    await local.source.close();
    await db.close();
  }
}

/** Writes all records of the database into a new index. @returns their number */
async function fill(remote: Retriever): Promise<number> {
  const started = performance.now();
  await remote.source.start();
  await remote.source.refresh();
  const { documents } = remote.source.state;
  const rate = 1000 * documents / (performance.now() - started);
  say(`${documents} records from the database: ${Math.round(rate)} per second`);
  return documents;
}

interface Asked {
  /** Sorted. */
  milliseconds: number[];
  /** Companies that each measured question charges. */
  charged: ReadonlySet<number>[];
}

/** Asks one question after another. */
async function ask(retriever: Retriever, texts: readonly string[]): Promise<Asked> {
  const milliseconds: number[] = [];
  const charged: ReadonlySet<number>[] = [];
  for (const [n, query] of texts.entries()) {
    const started = performance.now();
    const { entries } = await retriever.search({
      query,
      filters: NO_FILTERS,
    });
    if (n < WARM_UP) continue;
    milliseconds.push(performance.now() - started);
    charged.push(new Set(entries.map(({ company_id }) => company_id)));
  }
  return { milliseconds: milliseconds.sort((a, b) => a - b), charged };
}

function shared(left: readonly ReadonlySet<number>[], right: readonly ReadonlySet<number>[]) {
  let same = 0;
  let all = 0;
  for (const [n, one] of left.entries()) {
    same += one.intersection(right[n]!).size;
    all += one.union(right[n]!).size;
  }
  return { same, all };
}

/** Writes copies of all records, with other ids and companies, until there are so many. */
async function copyUntil(total: number, { sql, index }: { sql: Sql; index: RemoteIndex }) {
  const started = performance.now();
  const [counts] = await sql<[{ ids: number; companies: number; records: number }]>`
    select max(id)::int as ids, max(company_id)::int as companies, count(*)::int as records
    from observations
  `;
  const { ids, companies, records } = counts;
  let count = 0;
  const beginning = { change_seq: 0, id: 0 };
  for await (const page of changesAfter(sql, beginning, PAGE)) {
    const sources = parseChanges(page).flatMap((row) => documentOf(row) ?? []).map(storedOf);
    for (let copy = 1; copy * records < total; copy++) {
      await index.write(ALIAS, {
        records: sources.map((source) => {
          const observation_id = source.observation_id + copy * ids;
          const company_id = source.company_id + copy * companies;
          return {
            id: observation_id,
            version: 1,
            source: { ...source, observation_id, company_id },
          };
        }),
      });
      count += sources.length;
    }
  }
  await index.refresh();
  return { count, seconds: (performance.now() - started) / 1000 };
}
