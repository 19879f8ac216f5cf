/** Counts of an ingest, as tests expect them, and of statements. */
import type { Sql } from "../../src/db/connect.ts";
import { type IngestCounts, NOTHING_READ } from "../../src/ingest/record/pipeline.ts";

/** Returns counts that are zero but for these. */
export function countsOf(part: Partial<IngestCounts>): IngestCounts {
  return { ...NOTHING_READ, ...part };
}

/** Returns the connection, and a function that counts the statements that it was given. */
export function countStatements(sql: Sql): { sql: Sql; statements(): number } {
  let count = 0;
  const counted = ((...statement: Parameters<Sql>) => {
    count++;
    return sql(...statement);
  }) as unknown as Sql;
  return { sql: counted, statements: () => count };
}
