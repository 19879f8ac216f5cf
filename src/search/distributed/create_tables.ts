/**
 * Creates the tables of the search nodes. Manticore Search creates tables by statements. Sphinx and
 * Manticore's plain mode read them from a configuration file.
 */
import { hostAddress } from "../../contract/host_address.ts";
import { isUnknownStatement, NodeConnection, readNodeAddresses } from "./node_connection.ts";
import {
  ATTRIBUTES,
  distributedTable,
  FIELDS,
  SHARDS_MAX,
  shardTable,
  type TableSet,
  TOKEN_CHARACTERS,
} from "./table_schema.ts";

/** A process of the search engine. */
export interface SearchNode {
  /** Address of the node's MySQL protocol, as `host:port`. */
  mysql: string;
  /** Address of the binary protocol, by which nodes search the shards of other nodes. */
  api: string;
  /** Shards that the node stores. A node without shards only forwards searches. */
  shards: readonly number[];
}

/**
 * Difference between the ports of the binary protocol and of the MySQL protocol, which are 9312 and
 * 9306 by default.
 */
const API_PORT_DISTANCE = 6;

/**
 * Assigns shards to the nodes, round robin. @throws Error if the number of shards is not permitted
 */
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

/**
 * Creates the missing tables by statements. After a failure, it can be repeated.
 *
 * @returns false if the engine reads its tables only from a configuration file
 * @throws Error that names a node which does not answer or refuses a statement
 */
export async function createTables(
  search_url: string,
  nodes: readonly SearchNode[],
): Promise<boolean> {
  const connections = readNodeAddresses(search_url).map((address) => new NodeConnection(address));
  try {
    // Shards are created first, because the distributed tables refer to the shards of all nodes.
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

const SETS: readonly TableSet[] = ["a", "b"];

/**
 * Settings of every shard's table. Ranking and statistics need the lengths of fields. Search nodes
 * do not fold, stem or omit tokens, because each token is already a term.
 */
const TABLE_SETTINGS = {
  dict: "keywords",
  index_field_lengths: "1",
  min_word_len: "1",
  charset_table: TOKEN_CHARACTERS,
} as const;

const MEMORY_LIMIT = "256M";

/**
 * Returns the configuration file of one node, for Sphinx 2.2 or for Manticore in plain mode.
 *
 * @param nodes all nodes, which search the shards of each other
 * @param place the index of the node in `nodes`
 * @param directory directory of the node's tables, log and binary log; it must exist
 */
export function searchdConfig(
  nodes: readonly SearchNode[],
  place: number,
  directory: string,
): string {
  const node = nodes[place]!;
  const blocks = SETS.flatMap((set) => [
    ...node.shards.map((shard) => ({
      head: `index ${shardTable(set, shard)}`,
      lines: [
        "type = rt",
        `path = ${directory}/${shardTable(set, shard)}`,
        `rt_mem_limit = ${MEMORY_LIMIT}`,
        ...Object.entries(TABLE_SETTINGS).map(([name, value]) => `${name} = ${value}`),
        ...FIELDS.map((name) => `rt_field = ${name}`),
        ...Object.entries(ATTRIBUTES).map(([name, type]) => `rt_attr_${type} = ${name}`),
      ],
    })),
    {
      head: `index ${distributedTable(set)}`,
      lines: ["type = distributed", ...partsOf(nodes, node, set), ...AGENT_SETTINGS],
    },
  ]);
  const searchd = {
    head: "searchd",
    lines: [
      `listen = ${node.api}`,
      `listen = ${node.mysql}:mysql41`,
      `log = ${directory}/searchd.log`,
      `pid_file = ${directory}/searchd.pid`,
      `binlog_path = ${directory}`,
      // With 2, each transaction is written before it is confirmed, and synced to the disk within a
      // second. With 1, Sphinx 2.2 keeps transactions in its buffer, and a crash loses them.
      "binlog_flush = 2",
      "workers = threads",
      "dist_threads = 4",
      "persistent_connections_limit = 30",
      "max_packet_size = 64M",
      "thread_stack = 8M",
    ],
  };
  return [...blocks, searchd]
    .map(({ head, lines }) => `${head} {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`)
    .join("\n");
}

/** Milliseconds that a node waits for another node, below the time-out of a statement. */
const AGENT_SETTINGS = ["agent_connect_timeout = 1000", "agent_query_timeout = 5000"];

/**
 * Returns the settings of a distributed table: the local table of each shard, or the nodes that
 * have the shard. Nodes with the same shard are mirrors of each other.
 */
function partsOf(nodes: readonly SearchNode[], node: SearchNode, set: TableSet): string[] {
  const shards = [...new Set(nodes.flatMap(({ shards }) => shards))].sort((a, b) => a - b);
  return shards.map((shard) => {
    const table = shardTable(set, shard);
    if (node.shards.includes(shard)) return `local = ${table}`;
    const holders = nodes.filter(({ shards }) => shards.includes(shard));
    return `agent_persistent = ${holders.map(({ api }) => api).join("|")}:${table}`;
  });
}

/** Returns the statements that create the tables of one node, for engines with CREATE TABLE. */
export function createStatements(nodes: readonly SearchNode[], place: number): string[] {
  const node = nodes[place]!;
  const columns = [
    ...FIELDS.map((name) => `${name} text indexed`),
    ...Object.entries(ATTRIBUTES).map(([name, type]) => `${name} ${COLUMN_TYPES[type]}`),
  ].join(", ");
  const settings = Object.entries({ ...TABLE_SETTINGS, rt_mem_limit: MEMORY_LIMIT })
    .map(([name, value]) => `${name}='${value}'`).join(" ");
  return SETS.flatMap((set) => [
    ...node.shards.map((shard) =>
      `CREATE TABLE IF NOT EXISTS ${shardTable(set, shard)} (${columns}) ${settings}`
    ),
    `CREATE TABLE IF NOT EXISTS ${distributedTable(set)} type='distributed' ${
      partsOf(nodes, node, set).map((part) => {
        const [name, value] = part.split(" = ") as [string, string];
        return `${name.replace("_persistent", "")}='${value}'`;
      }).join(" ")
    }`,
  ]);
}

/** Manticore's names of the attribute types. */
const COLUMN_TYPES: Readonly<Record<(typeof ATTRIBUTES)[keyof typeof ATTRIBUTES], string>> = {
  bigint: "bigint",
  uint: "int",
  float: "float",
};
