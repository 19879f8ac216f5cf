/** A database of a bench's own on a server. */
import { connect, type Database, type Sql } from "../src/db/connect.ts";
import { migrate } from "../src/db/migrate.ts";
import { createLog } from "../src/log.ts";

/** Migrated; dropped at the end of the block. */
interface BenchDatabase extends AsyncDisposable {
  sql: Sql;
  /** Its address, for another process. */
  url: string;
  /** Connects to it once more. */
  open(): Promise<Database>;
}

/** @param url a superuser's address */
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
