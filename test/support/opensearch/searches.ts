/** Searches a cluster in tests. */
import { ClusterSource } from "../../../src/search/cluster_source.ts";
import type { Sql } from "../../../src/db/sql.ts";
import { NO_FILTERS } from "../../../src/contract/filters.ts";
import { Retriever } from "../../../src/search/retriever.ts";
import { type DatabaseCase, embeddedTest, serverTest } from "../database.ts";
import { silent } from "../operations.ts";
import { whyNoNodes } from "./nodes.ts";

const reason = whyNoNodes();
const options = { ignore: reason !== undefined };

/** Registers a test that starts nodes. Its name says why it is skipped. */
export function clusterTest(name: string, body: (t: DatabaseCase) => Promise<void>): void {
  embeddedTest(named(name), body, options);
}

/** Registers such a test for a server only. */
export function clusterServerTest(
  name: string,
  body: (t: DatabaseCase & { url: string }) => Promise<void>,
): void {
  serverTest(named(name), body, options);
}

function named(name: string): string {
  return reason === undefined ? name : `${name} (skipped: ${reason})`;
}

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
