/** Removes the demo, or counts the rows that would be removed. */
import type { Sql } from "../db/connect.ts";
import { DEMO_SOURCES } from "./demo.ts";

/** Numbers of rows of the demo. */
interface DemoCounts {
  observations: number;
  /** Id of the demo's account; null if there is none. */
  account_id: number | null;
  /** Number of the account's charged operations. */
  settlements: number;
}

/** Counts the rows that `removeDemo` would delete. */
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
