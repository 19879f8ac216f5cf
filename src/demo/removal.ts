/** Removal of the demo: what would go, and what went. */
import type { Sql } from "../db/connect.ts";
import { DEMO_SOURCES } from "./demo.ts";

/** Size of the demo: what was, or would be, removed. */
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

/** Deletes the demo dataset, and the account of the demo with all that it was charged. */
export async function removeDemo(sql: Sql): Promise<DemoCounts & { companies: number }> {
  const [row] = await sql<{ demo: DemoCounts & { companies: number } }[]>`
    select remove_demo(${DEMO_SOURCES}) as demo
  `;
  return row!.demo;
}
