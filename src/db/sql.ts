/** Defines the type of the driver's `sql` for all files of this folder. */
import type postgres from "postgres";

/** The driver's function `sql`. A bigint becomes a number, because ids stay far below 2^53. */
export type Sql = postgres.Sql<{ bigint: number }>;
