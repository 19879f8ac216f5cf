/** Creates the tables of the search nodes, or returns configuration files for them. */
import { hostAddress } from "../../contract/host_address.ts";
import { isUnknownStatement, NodeConnection, readNodeAddresses } from "./node_connection.ts";
import { createStatements, searchdConfig, type SearchNode } from "./searchd_config.ts";
import { SHARDS_MAX } from "./table_schema.ts";

/**
 * Distance from the port of the MySQL protocol to that of the binary one: 9306 and 9312 by default.
 */
const API_PORT_DISTANCE = 6;

/** Plans shards on nodes in turn. @throws Error if the nodes cannot hold this number of shards */
export function planNodes(search_url: string, shards: number): SearchNode[] {
  const addresses = readNodeAddresses(search_url);
  if (shards < 1 || shards > SHARDS_MAX) {
    throw new Error(`there may be 1 to ${SHARDS_MAX} shards`);
  }
  return addresses.map(({ host, port }, place) => {
    return {
      mysql: hostAddress(host, port),
      api: hostAddress(host, port + API_PORT_DISTANCE),
      shards: Array.from({ length: shards }, (_, shard) => shard)
        .filter((shard) => shard % addresses.length === place),
    };
  });
}

/** A node, and the configuration file that gives it its tables. */
export interface NodeConfiguration {
  node: string;
  configuration: string;
}

/** Returns the configuration of every node. `directory` is where each keeps its files. */
export function configurationsOf(
  nodes: readonly SearchNode[],
  directory: string,
): NodeConfiguration[] {
  return nodes.map(({ mysql }, place) => ({
    node: mysql,
    configuration: searchdConfig(nodes, place, directory),
  }));
}

/**
 * Creates the missing tables by statements. It can be repeated after a failure.
 *
 * @returns false if the engine takes its tables only from a configuration file
 * @throws Error that names a node which does not answer or refuses
 */
export async function createTables(
  search_url: string,
  nodes: readonly SearchNode[],
): Promise<boolean> {
  const connections = readNodeAddresses(search_url).map((address) => new NodeConnection(address));
  try {
    // Shards come first, because the distributed tables name those of other nodes.
    for (const isDistributed of [false, true]) {
      for (const [place, connection] of connections.entries()) {
        const statements = createStatements(nodes, place)
          .filter((sql) => sql.includes("type='distributed'") === isDistributed);
        try {
          await connection.run(statements);
        } catch (error) {
          if (isUnknownStatement(error)) return false;
          throw new Error(`search node ${connection.name}: ${messageOf(error)}`, { cause: error });
        }
      }
    }
    return true;
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}
