/** Runs an old commit of the service, from before its optimization, over the same records. */
import { connect, type Sql } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";
import { IDLE_FLAG, type Listening, startListening } from "./process.ts";

/** Commit with which the present one is compared. */
export const PEER_COMMIT = "4007cfd";

/** Tables that a search needs, in the order of their foreign keys. */
const TABLES = [
  ...["plans", "accounts", "subscriptions", "api_keys", "allowances"],
  ...["sources", "companies", "domains", "company_domains"],
  ...["observations", "observation_domains", "evidence", "dataset_clock"],
];

/** Unpacks the commit into a temporary folder. Returns undefined if the history does not have it. */
export async function checkOutPeer(): Promise<{ path: string } & AsyncDisposable | undefined> {
  const known = await new Deno.Command("git", {
    args: ["cat-file", "-e", `${PEER_COMMIT}^{commit}`],
    stderr: "null",
  }).output();
  if (!known.success) return;
  const path = await Deno.makeTempDir({ prefix: "ce-peer-" });
  const archive = `${path}.tar`;
  await succeed("git", ["archive", "--format=tar", "-o", archive, PEER_COMMIT]);
  await succeed("tar", ["-xf", archive, "-C", path]);
  await Deno.remove(archive);
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Starts the peer over a new database with the records, keys and plans of `sql`. */
export async function startPeer(
  path: string,
  { sql, url }: { sql: Sql; url: string },
): Promise<Listening> {
  const name = "load_peer";
  await sql.unsafe(`create database ${name} template template0`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  const env = { DATABASE_URL: address.href, DATA_DIR: `${path}/data`, LOG_LEVEL: "error" };
  const flags = ["--allow-net", "--allow-env", `--allow-read=${path}`, `--allow-write=${path}`];
  // Any command of the program applies its migrations first.
  const create = ["admin", "account", "create", "peer", "--plan", "builder"];
  await succeed(Deno.execPath(), ["run", ...flags, "main.ts", ...create], { cwd: path, env });
  const peer = await connect({ database_url: address.href, data_dir: "", log: createLog("error") });
  try {
    for (const table of TABLES) await copyTable(table, { from: sql, to: peer.sql });
    await peer.sql.unsafe("analyze");
  } finally {
    await peer.close();
  }
  return await startListening({
    cwd: path,
    args: [IDLE_FLAG, ...flags, "main.ts", "start"],
    env: { ...env, PORT: "0", WORKERS: "0", DEMO: "off" },
  });
}

/** Copies the columns that both databases have. */
async function copyTable(table: string, { from, to }: { from: Sql; to: Sql }): Promise<void> {
  const columnsOf = async (sql: Sql) =>
    (await sql<{ name: string }[]>`
      select attname as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
    `).map(({ name }) => name);
  const known = await columnsOf(to);
  const columns = (await columnsOf(from)).filter((name) => known.includes(name));
  const list = columns.join();
  const rows = await from.unsafe(`select to_json(t)::text as row from (
    select ${list} from ${table}
  ) t`);
  await to.begin(async (tx) => {
    // Companies refer to each other, so references are not checked row by row.
    await tx.unsafe("set local session_replication_role = replica");
    // Some tables of a new database are not empty.
    await tx.unsafe(`delete from ${table}`);
    for (let start = 0; start < rows.length; start += 2_000) {
      const batch = `[${rows.slice(start, start + 2_000).map(({ row }) => row).join()}]`;
      await tx.unsafe(
        `insert into ${table} (${list}) overriding system value
         select ${list} from json_populate_recordset(null::${table}, $1::text::json)`,
        [batch],
      );
    }
  });
}

async function succeed(
  program: string,
  args: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args, ...options }).output();
  if (!success) throw new Error(`${program}: ${new TextDecoder().decode(stderr)}`);
}
