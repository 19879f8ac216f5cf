/** Our engine and the engines with which it is compared. */
import type { Engine } from "./engine.ts";
import { createExhaustive } from "./exhaustive.ts";
import { createMiniSearch } from "./mini_search.ts";
import { createOrama } from "./orama.ts";
import { createOurs } from "./ours.ts";
import { createPostgres } from "./postgres.ts";
import { createSqlite } from "./sqlite.ts";

type Create = () => Engine | Promise<Engine | undefined>;

/** Functions that create an engine, by its name. They return undefined if the machine cannot run it. */
export const ENGINES = {
  "ours": createOurs,
  "exhaustive": createExhaustive,
  "SQLite FTS5": createSqlite,
  "PostgreSQL full text": createPostgres,
  "MiniSearch": createMiniSearch,
  "Orama": () => createOrama("Orama"),
  "Orama with plugin-qps": () => createOrama("Orama with plugin-qps"),
} as const satisfies Record<string, Create>;

/** The name of an engine. */
export type EngineName = keyof typeof ENGINES;
