/** Counts of an ingest that tests expect, and a counter of statements. */
import type { Sql } from "../../src/db/connect.ts";
import { type IngestCounts, NOTHING_READ } from "../../src/ingest/record/pipeline.ts";

/** Returns the counts of an ingest. Counts that `part` omits are 0. */
export function countsOf(part: Partial<IngestCounts>): IngestCounts {
  return { ...NOTHING_READ, ...part };
}

/** Wraps a connection. `statements` returns the number of its statements so far. */
export function countStatements(sql: Sql): { sql: Sql; statements(): number } {
  let count = 0;
  const counted = ((...statement: Parameters<Sql>) => {
    count++;
    return sql(...statement);
  }) as unknown as Sql;
  return { sql: counted, statements: () => count };
}
