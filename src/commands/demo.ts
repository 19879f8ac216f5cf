/** Sets up the demo in a new directory: a dataset, and a key to search it. */
import { isFile, unlessMissing } from "../db/exists.ts";
import { createKey, hashKey } from "../accounts/credential.ts";
import { createDemoAccount } from "../accounts/account.ts";
import { createApiKey } from "../accounts/key.ts";
import type { Settings } from "../config.ts";
import type { Announcer } from "./announcer.ts";
import type { Database, Sql } from "../db/connect.ts";
import { DEMO_SOURCES, recordDemo } from "../demo/demo.ts";

type DemoSettings = Pick<Settings, "DATA_DIR" | "DEMO">;

/**
 * Writes a marker file just before `start` creates the database of a directory, if DEMO is `auto`.
 * The marker requests the demo from prepareDemo(), and survives an interrupted first start.
 */
export async function markFirstStart({ DATA_DIR, DEMO }: DemoSettings): Promise<void> {
  if (DEMO === "auto") await Deno.writeTextFile(markOf(DATA_DIR), "", { mode: 0o600 });
}

/**
 * Records the demo dataset and creates its account and key, if the directory has the marker of its
 * first start. Does not create them if DEMO is `off`, or if the database has another account or
 * source, or any key. Returns whether it has created them.
 *
 * The next start repeats an interrupted step. The key is written to its file before it becomes
 * valid. The marker of the first start is removed last.
 */
export async function prepareDemo(
  db: Database,
  { settings: { DATA_DIR, DEMO }, say }: { settings: DemoSettings; say: Announcer["say"] },
): Promise<boolean> {
  if (!await isFile(markOf(DATA_DIR))) return false;
  const due = DEMO === "auto" && !await isUsed(db.sql);
  if (due) {
    say({ message: "recording the demo data", text: "recording the demo data …" });
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
  return due;
}

/** Pattern of hosts on which only this machine can reach a service. */
const LOOPBACK = /^(localhost|127\.[0-9.]+|::1)$/i;

/**
 * Returns a function that returns the demo's key for the console. Returns undefined unless the
 * database is embedded and the service listens only on loopback. The function returns the key only
 * while the key is valid and there is no other account or source. The key then gives access to
 * fictitious records only.
 */
export function demoKeyOffer(
  { kind, sql }: Pick<Database, "kind" | "sql">,
  { HOST, DATA_DIR }: Pick<Settings, "HOST" | "DATA_DIR">,
): (() => Promise<string | undefined>) | undefined {
  if (kind !== "embedded" || !LOOPBACK.test(HOST)) return undefined;
  return async () => {
    const key = (await unlessMissing(Deno.readTextFile(demoKeyPath(DATA_DIR))))?.trim();
    return key && await isDemoAlone(sql, hashKey(key)) ? key : undefined;
  };
}

/**
 * Returns whether the key with this hash is a valid key of the demo's account, and there is no
 * other account or source.
 */
async function isDemoAlone(sql: Sql, keyHash: Uint8Array): Promise<boolean> {
  const [{ alone }] = await sql<[{ alone: boolean }]>`
    select
      exists (
        select from api_keys k
        join accounts a on a.id = k.account_id
        where k.hash = ${keyHash} and a.is_demo and k.revoked_at is null
          and (k.expires_at is null or k.expires_at > now())
      )
      and not exists (select from accounts where not is_demo)
      and not exists (select from sources where name <> all (${DEMO_SOURCES})) as alone
  `;
  return alone;
}

/** Removes the files with data of the demo: its key, and the saved index. */
export async function forgetDemo(data_dir: string): Promise<void> {
  for (const path of [demoKeyPath(data_dir), `${data_dir}/index.snapshot`]) {
    await unlessMissing(Deno.remove(path));
  }
}

/** Returns the path of the file with the demo's key. */
export function demoKeyPath(data_dir: string): string {
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
