/**
 * A process that uses a data directory, for tests with several processes:
 * - `write DIR` inserts rows without end, and prints each number when the row is acknowledged.
 * - `transact DIR` runs five transactions on each of four borrowed connections, and prints `done`.
 * - `hang DIR` begins a transaction on a borrowed connection, prints `open` and never commits.
 * - `serve DIR` opens the directory as a service does. It prints `open`, or the message of an
 * error.
 */
import { connect, type Database } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";

const print = (line: unknown) => void Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));

const MODES: Record<string, (db: Database) => Promise<void>> = {
  async write({ sql }) {
    await sql`create table if not exists written (n integer primary key)`;
    for (let n = 1;; n++) {
      await sql`insert into written values (${n})`;
      print(n);
    }
  },
  async transact({ sql }) {
    await Promise.all(Array.from({ length: 4 }, async () => {
      for (let n = 0; n < 5; n++) {
        await sql.begin(async (tx) => {
          const [row] = await tx`select n from counted for update`;
          await new Promise((resolve) => setTimeout(resolve, 1));
          await tx`update counted set n = ${row!.n + 1}`;
        });
      }
    }));
    print("done");
  },
  async hang({ sql }) {
    await sql.begin(async (tx) => {
      await tx`update counted set n = -1`;
      print("open");
      await new Promise(() => setInterval(() => {}, 1000));
    });
  },
  async serve() {
    print("open");
    await new Promise(() => setInterval(() => {}, 1000));
  },
};

if (import.meta.main) {
  const [mode, data_dir] = Deno.args as [string, string];
  try {
    const db = await connect({
      data_dir,
      borrow: mode !== "serve" && mode !== "write",
      max_connections: 4,
      log: createLog("error"),
    });
    await MODES[mode]!(db);
    await db.close();
  } catch (error) {
    print((error as Error).message);
    Deno.exit(1);
  }
}
