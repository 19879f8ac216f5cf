/**
 * Presents the nodes of a search engine as one engine. Searches go to any node, and writes go to
 * all nodes of a shard.
 */
import { Failure } from "../../failures.ts";
import { type EngineRow, type NodeAddress, NodeConnection } from "./node_connection.ts";
import { distributedTable, readShardTable, type TableSet } from "./table_schema.ts";

/** Rows of a search, and the engine's statistics about it. */
export interface EngineAnswer {
  rows: EngineRow[];
  /** Number of documents with each token of the query, in all shards. */
  frequencies: ReadonlyMap<string, number>;
}

/** Tables of the nodes. */
export interface Layout {
  /** Nodes that have the distributed tables. */
  fronts: readonly NodeConnection[];
  /** Nodes of each shard, by set. Several nodes of one shard are mirrors. */
  holders: Readonly<Record<TableSet, ReadonlyMap<number, readonly NodeConnection[]>>>;
  /** Number of shards, the same for both sets. */
  shards: number;
}

/** Max number of searches per packet. Engines refuse more than 32 (`max_batch_queries`). */
const PACKET_STATEMENTS = 30;

/**
 * Returns the failure that callers see if the engine fails. It is the same as for an unavailable
 * database.
 */
export function unavailable(cause: unknown): Failure {
  return new Failure("unavailable", {}, { cause });
}

/** The nodes of a search engine. */
export class SearchEngine {
  readonly #nodes: readonly NodeConnection[];
  /** Node that answered the last search. It is tried first. */
  #front: NodeConnection | undefined;

  constructor(addresses: readonly NodeAddress[]) {
    this.#nodes = addresses.map((address) => new NodeConnection(address));
  }

  get nodes(): readonly NodeConnection[] {
    return this.#nodes;
  }

  /**
   * Searches a distributed table by several statements. If a node fails, the next one is tried.
   *
   * @throws Failure unavailable if no node answers for all shards
   */
  async search(statements: readonly string[]): Promise<EngineAnswer[]> {
    const errors: unknown[] = [];
    for (const node of this.#inOrder()) {
      try {
        const answers = await askAll(node, statements);
        this.#front = node;
        return answers;
      } catch (error) {
        errors.push(error);
      }
    }
    throw unavailable(new AggregateError(errors, "the search engine does not answer"));
  }

  /**
   * Reads which node has which tables.
   * @throws Error if a node does not answer, or if a shard is missing
   */
  async readLayout(): Promise<Layout> {
    const holders = {
      a: new Map<number, NodeConnection[]>(),
      b: new Map<number, NodeConnection[]>(),
    };
    const fronts: NodeConnection[] = [];
    await Promise.all(this.#nodes.map(async (node) => {
      const [tables] = await node.select(["SHOW TABLES"]) as [EngineRow[]];
      const names = new Set(tables.map((row) => String(row.Index ?? row.Table)));
      const isFront = names.has(distributedTable("a")) && names.has(distributedTable("b"));
      if (isFront) fronts.push(node);
      for (const name of names) {
        const table = readShardTable(name);
        if (table === undefined) continue;
        const list = holders[table.set].get(table.shard);
        if (list === undefined) holders[table.set].set(table.shard, [node]);
        else list.push(node);
      }
    }));
    if (fronts.length === 0) throw new Error("no search node has the distributed tables");
    const shards = holders.a.size;
    for (const set of ["a", "b"] as const) {
      const isWhole = holders[set].size === shards &&
        Array.from({ length: shards }).every((_, shard) => holders[set].has(shard));
      if (shards === 0 || !isWhole) {
        throw new Error(`the search nodes of SEARCH_URL do not hold all shards of set ${set}`);
      }
    }
    return { fronts, holders, shards };
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.close().catch(() => {})));
  }

  #inOrder(): readonly NodeConnection[] {
    const first = this.#front;
    if (first === undefined) return this.#nodes;
    return [first, ...this.#nodes.filter((node) => node !== first)];
  }
}

/**
 * Searches on one node.
 * @throws Error if an answer lacks a shard, which an engine reports only as a warning
 */
async function askAll(
  node: NodeConnection,
  statements: readonly string[],
): Promise<EngineAnswer[]> {
  const answers: EngineAnswer[] = [];
  for (let from = 0; from < statements.length; from += PACKET_STATEMENTS) {
    answers.push(...await askSome(node, statements.slice(from, from + PACKET_STATEMENTS)));
  }
  return answers;
}

async function askSome(
  node: NodeConnection,
  statements: readonly string[],
): Promise<EngineAnswer[]> {
  const results = await node.select(statements.flatMap((sql) => [sql, "SHOW META"]));
  return statements.map((_, place) => {
    const meta = new Map(
      results[2 * place + 1]!.map((row) => [String(row.Variable_name), String(row.Value)]),
    );
    const problem = meta.get("warning") ?? meta.get("error");
    if (problem !== undefined && problem !== "") throw new Error(problem);
    return { rows: results[2 * place]!, frequencies: frequenciesIn(meta) };
  });
}

/** Reads keyword[n] and docs[n] as frequencies by token. */
function frequenciesIn(meta: ReadonlyMap<string, string>): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (let n = 0; meta.has(`keyword[${n}]`); n++) {
    frequencies.set(meta.get(`keyword[${n}]`)!, Number(meta.get(`docs[${n}]`)));
  }
  return frequencies;
}
