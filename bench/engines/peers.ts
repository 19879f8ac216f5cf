/** All other engines; those with large heaps last, since collecting garbage takes longer from then on. */
import type { Engine } from "./engine.ts";
import { createExhaustive } from "./exhaustive.ts";
import { createMiniSearch } from "./mini_search.ts";
import { createOrama } from "./orama.ts";
import { createPostgres } from "./postgres.ts";
import { createSqlite } from "./sqlite.ts";

/** PostgreSQL is left out where this machine has no server binaries. */
export async function createPeers(): Promise<Engine[]> {
  const postgres = await createPostgres();
  return [
    createExhaustive(),
    createSqlite(),
    ...postgres ? [postgres] : [],
    createMiniSearch(),
    createOrama("Orama"),
    createOrama("Orama with plugin-qps"),
  ];
}
