/** The type of the driver's `sql`, by itself: nearly every file of this folder needs it. */
import type postgres from "postgres";

/** The driver. A bigint column is a number here: identifiers stay far below 2^53. */
export type Sql = postgres.Sql<{ bigint: number }>;
