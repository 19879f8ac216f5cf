/** Removes the demo, or counts what would be removed. */
import type { Sql } from "../db/connect.ts";
import { DEMO_SOURCES } from "./demo.ts";

/** The size of the demo. */
interface DemoCounts {
  observations: number;
  /** Null if there is no account of the demo. */
  account_id: number | null;
  /** Number of operations that the account was charged for. */
  settlements: number;
}

/** Counts what `removeDemo` would remove. */
export async function countDemo(sql: Sql): Promise<DemoCounts> {
  const [row] = await sql<{ demo: DemoCounts }[]>`select count_demo(${DEMO_SOURCES}) as demo`;
  return row!.demo;
}

/** Deletes the demo dataset, and the demo account with its charges. */
export async function removeDemo(sql: Sql): Promise<DemoCounts & { companies: number }> {
  const [row] = await sql<{ demo: DemoCounts & { companies: number } }[]>`
    select remove_demo(${DEMO_SOURCES}) as demo
  `;
  return row!.demo;
}
