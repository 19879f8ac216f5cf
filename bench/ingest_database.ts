/** Creates databases for benches. */
import { connect, type Database, type Sql } from "../src/db/connect.ts";
import { migrate } from "../src/db/migrate.ts";
import { createLog } from "../src/log.ts";

/** A migrated database. It is dropped at the end of its block. */
interface BenchDatabase extends AsyncDisposable {
  sql: Sql;
  /** Address of the database, for another process. */
  url: string;
  /** Connects to the database once more. */
  open(): Promise<Database>;
}

/** Creates a database on a server. @param url address of the server, for a superuser */
export async function openDatabase(url: string): Promise<BenchDatabase> {
  const log = createLog("error");
  const server = await connect({ database_url: url, data_dir: "", log });
  const name = `ce_bench_${crypto.randomUUID().replaceAll("-", "")}`;
  await server.sql.unsafe(`create database ${name} template template0`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  const open = () =>
    connect({
      database_url: address.href,
      data_dir: "",
      log,
      statement_timeout_seconds: 3_600,
    });
  const db = await open();
  await migrate(db);
  return {
    sql: db.sql,
    url: address.href,
    open,
    async [Symbol.asyncDispose]() {
      await db.close();
      await server.sql.unsafe(`drop database ${name} with (force)`);
      await server.close();
    },
  };
}
