/** Runs `admin` as main.ts does, on a database that stays open. */
import { admin } from "../../src/commands/admin.ts";
import type { CommandContext } from "../../src/commands/command.ts";
import { readSettings } from "../../src/config.ts";
import type { Database } from "../../src/db/connect.ts";
import { silent } from "./operations.ts";

/** Output of a command, and its exit code. */
interface AdminResult {
  exit_code: number;
  text: string;
}

/**
 * Runs a command of `admin`. The context replaces parts of the default one, which has no terminal.
 */
export async function runAdmin(
  db: Database,
  args: string[],
  context: Partial<CommandContext> = {},
): Promise<AdminResult> {
  const lines: string[] = [];
  const exit_code = await admin(args, {
    log: silent,
    settings: readSettings({ DATABASE_URL: "postgres://nowhere.example/x" }),
    database: () => Promise.resolve({ ...db, close: () => Promise.resolve() }),
    ...context,
  }, (line) => lines.push(line));
  return { exit_code, text: lines.join("\n") };
}

/** Runs a command of `admin` that prints JSON, and parses its output. */
export async function askAdmin(db: Database, ...args: string[]) {
  const { exit_code, text } = await runAdmin(db, args);
  return { exit_code, answer: JSON.parse(text) };
}
