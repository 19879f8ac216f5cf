/** The demo: something to search, and a key to search it with, in a directory that is new. */
import { createKey } from "../accounts/credential.ts";
import { createDemoAccount } from "../accounts/account.ts";
import { createApiKey } from "../accounts/key.ts";
import type { Settings } from "../config.ts";
import type { Announcer } from "./announcer.ts";
import type { Database, Sql } from "../db/connect.ts";
import { DEMO_SOURCES, recordDemo } from "../ingest/demo.ts";

type DemoSettings = Pick<Settings, "DATA_DIR" | "DEMO">;

/**
 * Notes that `start` is about to make the database of a directory. The note outlives a first start
 * that is cut off, and no other command leaves one.
 */
export async function markFirstStart({ DATA_DIR, DEMO }: DemoSettings): Promise<void> {
  if (DEMO === "auto") await Deno.writeTextFile(markOf(DATA_DIR), "", { mode: 0o600 });
}

/**
 * Records the demo dataset and makes its account and key, if the first start of the directory has
 * not done so yet. Does nothing once there is another account or source.
 *
 * Every step can be cut off: the next start does it again. The key is written down before it is
 * valid, and the note of the first start goes last.
 */
export async function prepareDemo(
  db: Database,
  { settings: { DATA_DIR, DEMO }, say }: { settings: DemoSettings; say: Announcer["say"] },
): Promise<void> {
  if (!await isFile(markOf(DATA_DIR))) return;
  if (DEMO === "auto" && !await isUsed(db.sql)) {
    await recordDemo(db, new Date());
    const { account_id } = await createDemoAccount(db.sql);
    const key = createKey();
    const path = demoKeyPath(DATA_DIR);
    await Deno.writeTextFile(path, key + "\n", { mode: 0o600 });
    await createApiKey(db.sql, { account_id, name: "demo", key });
    say({
      message: "demo data is in; its key is in a file",
      fields: { file: path },
      text: `demo data is in; its key, also kept in ${path}: ${key}`,
    });
  }
  await Deno.remove(markOf(DATA_DIR));
}

/** Removes the files that hold something of the demo: its key, and a saved index of its texts. */
export async function forgetDemo(data_dir: string): Promise<void> {
  for (const path of [demoKeyPath(data_dir), `${data_dir}/index.snapshot`]) {
    if (await isFile(path)) await Deno.remove(path);
  }
}

function demoKeyPath(data_dir: string): string {
  return `${data_dir}/demo_key`;
}

function markOf(data_dir: string): string {
  return `${data_dir}/demo_due`;
}

async function isUsed(sql: Sql): Promise<boolean> {
  const [{ used }] = await sql<[{ used: boolean }]>`
    select exists (select from accounts where not is_demo)
      or exists (select from api_keys)
      or exists (select from sources where name <> all (${DEMO_SOURCES})) as used
  `;
  return used;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
