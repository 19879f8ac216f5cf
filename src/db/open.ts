import { connect, type Database, type DatabaseOptions } from "./connect.ts";
import { migrate } from "./migrate.ts";

/**
 * Connects to the database and migrates it. If this process has opened an embedded database, no
 * other process works on its operations, so all leases are ended.
 * @throws any error of `connect` or `migrate`
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const db = await connect(options);
  try {
    await migrate(db);
    if (db.kind === "embedded") await db.sql`select end_leases()`;
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}
