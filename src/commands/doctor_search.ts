/** Checks of `doctor` on the search engine of SEARCH_URL. They only read. */
import type { Sql } from "../db/connect.ts";
import { reasonOf } from "../log.ts";
import { readNodeAddresses } from "../search/distributed/node_connection.ts";
import { SearchEngine } from "../search/distributed/search_engine.ts";
import { TableReader, TablesIncomplete } from "../search/distributed/table_reader.ts";
import { fault, type Finding, ok, warning } from "./finding.ts";

const CHECK = "search";

/** Checks that the nodes answer, that their tables are complete, and that a process fills them. */
export async function checkSearch(sql: Sql, search_url: string): Promise<Finding[]> {
  const engine = new SearchEngine(readNodeAddresses(search_url));
  try {
    const unavailable = (await Promise.all(engine.nodes.map(async (node): Promise<Finding[]> => {
      try {
        await node.select(["SHOW TABLES"]);
        return [];
      } catch (error) {
        const message = `The search node ${node.name} does not answer: ${reasonOf(error)}.`;
        return [fault(CHECK, message, "Start the node, or correct SEARCH_URL.")];
      }
    }))).flat();
    if (unavailable.length > 0) return unavailable;
    const layout = await readLayout(engine);
    if ("check" in layout) return [layout];
    const nodes = ok(CHECK, `${layout.shards} shards are on ${engine.nodes.length} search nodes.`);
    return [nodes, ...await checkTables(sql, engine)];
  } finally {
    await engine.close();
  }
}

async function readLayout(engine: SearchEngine): Promise<{ shards: number } | Finding> {
  try {
    return { shards: (await engine.readLayout()).shards };
  } catch (error) {
    const remedy = "Create the tables with `deno task admin search create --shards N`.";
    return fault(CHECK, `The search tables do not exist: ${reasonOf(error)}.`, remedy);
  }
}

async function checkTables(sql: Sql, engine: SearchEngine): Promise<Finding[]> {
  const [{ writes }] = await sql<[{ writes: boolean }]>`
    select coalesce(leased_until > clock_timestamp(), false) as writes from search_tables
  `;
  const start = "Start a service with WORKERS of 1 or more: it fills the tables.";
  const idle = warning(CHECK, "No process writes the search tables.", start);
  try {
    const { clock, state } = await new TableReader({ sql, engine }).read();
    const lag = clock.change_seq - state.followed.clock;
    const message = `The search tables contain ${state.totals.documents} observations and are ` +
      `${lag} writes behind the database.`;
    return writes ? [ok(CHECK, message)] : [ok(CHECK, message), idle];
  } catch (error) {
    if (!(error instanceof TablesIncomplete)) throw error;
    const remedy = writes ? "Wait until a process has filled the tables." : start;
    return [fault(CHECK, `Searches cannot be answered: ${error.message}.`, remedy)];
  }
}
