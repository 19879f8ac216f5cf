import { connect, type Database, type DatabaseOptions } from "./connect.ts";
import { migrate } from "./migrate.ts";

/** Connects and brings the database up to date. Errors as those of `connect` and `migrate`. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const db = await connect(options);
  try {
    await migrate(db);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}
