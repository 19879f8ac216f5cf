/**
 * `backup`, `restore` and `move`: copy an embedded database to a file, from a file, and to a
 * server.
 */
import { VERSION } from "../contract/version.ts";
import { readBackup, writeBackup } from "../db/backup.ts";
import type { DatabaseOptions, Sql } from "../db/connect.ts";
import { copyTables } from "../db/copy_tables.ts";
import { openDatabase } from "../db/migrate.ts";
import { UsageError } from "../failures.ts";
import { verifyUsage } from "../operations/report.ts";
import { type CommandContext, parseWords } from "./command.ts";

/** Usage of `backup`. */
export const BACKUP_USAGE = "backup FILE";
/** Usage of `restore`. */
export const RESTORE_USAGE = "restore FILE";
/** Usage of `move`. */
export const MOVE_USAGE = "move --to DATABASE_URL";

/** Max seconds per statement on the target server. Checking a foreign key reads all rows. */
const STATEMENT_SECONDS = 900;

type Print = (line: string) => void;

/** Writes the embedded database to a new file. The service may run meanwhile. */
export async function backup(
  args: string[],
  context: CommandContext,
  print: Print,
): Promise<number> {
  const path = fileIn(args, BACKUP_USAGE);
  const { DATA_DIR } = requireEmbedded(context, "backup", "pg_dump backs up");
  await using stack = new AsyncDisposableStack();
  const { sql } = stack.adopt(await context.database(), (db) => db.close());
  const facts = { version: VERSION, written_at: new Date().toISOString() };
  const size = await writeBackup(sql, { data_dir: DATA_DIR, path, facts });
  print(JSON.stringify({ file: path, ...size }));
  return 0;
}

/**
 * Creates DATA_DIR, which must not exist yet, from a backup. Returns 1 if the restored counters
 * differ from the ledger.
 */
export async function restore(
  args: string[],
  context: CommandContext,
  print: Print,
): Promise<number> {
  const path = fileIn(args, RESTORE_USAGE);
  const { DATA_DIR } = requireEmbedded(context, "restore", "pg_restore restores");
  const { written_at, version } = await readBackup({ data_dir: DATA_DIR, path });
  await using stack = new AsyncDisposableStack();
  const { sql } = stack.adopt(await context.database(), (db) => db.close());
  return await printVerified(sql, { data_dir: DATA_DIR, written_at, version }, print);
}

/**
 * Copies the embedded database to an empty PostgreSQL. The service must be stopped, so that nothing
 * is written to the old database meanwhile. The old directory remains unchanged. Returns 1 if the
 * counters of the copy differ from its ledger.
 */
export async function move(args: string[], context: CommandContext, print: Print): Promise<number> {
  const database_url = targetIn(args);
  const { DATA_DIR } = requireEmbedded(context, "move", "pg_dump and pg_restore move");
  const { log } = context;
  await using stack = new AsyncDisposableStack();
  const open = async (options: DatabaseOptions) =>
    stack.adopt(await openDatabase(options), (db) => db.close());
  const source = await open({ data_dir: DATA_DIR, must_exist: true, log });
  const target = await open({
    database_url,
    url_setting: "--to",
    data_dir: "",
    statement_timeout_seconds: STATEMENT_SECONDS,
    log,
  });
  const rows = await copyTables(source.sql, target.sql);
  return await printVerified(target.sql, { rows }, print);
}

/** Prints an answer with the counters that differ from the ledger. Returns 1 if one differs. */
async function printVerified(sql: Sql, answer: object, print: Print): Promise<number> {
  const { differences } = await verifyUsage(sql);
  print(JSON.stringify({ ...answer, differences }));
  return differences.length === 0 ? 0 : 1;
}

function fileIn(args: string[], usage: string): string {
  const { positionals: [file, ...rest] } = parseWords(args, {}, usage);
  if (!file || rest.length > 0) throw new UsageError(`One FILE is required.\n${usage}`);
  return file;
}

function targetIn(args: string[]): string {
  const { values: { to }, positionals } = parseWords(args, { to: { type: "string" } }, MOVE_USAGE);
  if (to && /^postgres(ql)?:\/\//.test(to) && positionals.length === 0) return to;
  throw new UsageError(MOVE_USAGE);
}

function requireEmbedded({ settings }: CommandContext, name: string, instead: string) {
  if (settings.DATABASE_URL === undefined) return settings;
  throw new Error(
    `${name} is for the embedded database, but DATABASE_URL is set: ${instead} a PostgreSQL ` +
      `(docs/operators.md).`,
  );
}
