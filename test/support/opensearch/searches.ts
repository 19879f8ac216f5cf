/** Searches a cluster in tests. */
import { ClusterSource } from "../../../src/search/cluster_source.ts";
import type { Sql } from "../../../src/db/sql.ts";
import { NO_FILTERS } from "../../../src/contract/filters.ts";
import { Retriever } from "../../../src/search/retriever.ts";
import { type DatabaseCase, serverTest } from "../database.ts";
import { silent } from "../operations.ts";
import { type SearchNodes, startSearchNodes, whyNoNodes } from "./nodes.ts";

const reason = whyNoNodes();

/** Two nodes that all tests of a module share, because a start takes 15 s of processor time. */
let nodes: Promise<SearchNodes> | undefined;

/** Registers a test with two nodes that have no index. Its name says why it is skipped. */
export function clusterTest(
  name: string,
  body: (t: DatabaseCase & { url: string }, cluster: SearchNodes) => Promise<void>,
): void {
  serverTest(
    reason === undefined ? name : `${name} (skipped: ${reason})`,
    async (t) => {
      const cluster = await (nodes ??= startSearchNodes());
      const removed = await fetch(`${cluster.urls[0]}/company-evidence*`, { method: "DELETE" });
      if (!removed.ok) throw new Error(await removed.text());
      await removed.body?.cancel();
      await body(t, cluster);
    },
    { ignore: reason !== undefined, sanitizeOps: false, sanitizeResources: false },
  );
}

Deno.test.afterAll(async () => await (await nodes?.catch(() => {}))?.[Symbol.asyncDispose]());

/** Returns a retriever over a cluster that contains the dataset. */
export async function openCluster(
  sql: Sql,
  { nodes, search_milliseconds = 60_000 }: { nodes: string[]; search_milliseconds?: number },
): Promise<Retriever> {
  const source = new ClusterSource({
    sql,
    log: silent,
    nodes,
    shards: 2,
    replicas: 1,
    search_milliseconds,
  });
  const retriever = new Retriever({ sql, log: silent, source });
  await retriever.source.start();
  await retriever.source.refresh();
  return retriever;
}

export async function find(
  retriever: Retriever,
  query: string,
  filters = NO_FILTERS,
  now = new Date(),
) {
  return (await retriever.search({ query, filters, now })).entries;
}
