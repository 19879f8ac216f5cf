/** Registers tests of databases without tables, on PGlite and on a PostgreSQL server. */
import { connect, connectEmbedded, type Database } from "../../src/db/connect.ts";
import { openEmbedded } from "../../src/db/embedded.ts";
import { createDatabase, HAS_SERVER } from "./database.ts";
import { silent } from "./operations.ts";

/** Opens an empty database. It is closed at the end of its block. */
export type OpenEmpty = () => Promise<{ db: Database } & AsyncDisposable>;

async function openMemory() {
  const db = await connectEmbedded(await openEmbedded({ log: silent }), { log: silent });
  return { db, [Symbol.asyncDispose]: () => db.close() };
}

async function openServer() {
  const database = await createDatabase();
  const db = await connect({ database_url: database.url, data_dir: "", log: silent });
  return {
    db,
    async [Symbol.asyncDispose]() {
      await db.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Registers a test that opens empty databases, once for PGlite and once for a server. */
export function emptyDatabaseTest(name: string, body: (open: OpenEmpty) => Promise<void>): void {
  Deno.test(`${name} [pglite]`, () => body(openMemory));
  Deno.test({ name: `${name} [postgres]`, ignore: !HAS_SERVER, fn: () => body(openServer) });
}
