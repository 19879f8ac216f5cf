/** Runs commands of main.ts in separate processes, and `ingest` also in this process. */
import assert from "node:assert/strict";
import { ingest, type IngestContext } from "../../src/commands/ingest.ts";
import { flagsOf, type TaskName } from "../../src/commands/permissions.ts";
import { readSettings } from "../../src/config.ts";
import type { Database } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";

interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command to its end, with the permissions of its task. */
export async function runCommand(
  args: string[],
  env: Record<string, string>,
): Promise<CommandResult> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...commandFlags(args, env), "main.ts", ...args],
    env,
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  // When processes start at the same time, Deno prints that one waits for the other.
  const messages = text.decode(stderr).replace(
    /^.*waiting for file lock on node_modules.*\n/gm,
    "",
  );
  return { code, stdout: text.decode(stdout), stderr: messages };
}

/**
 * Runs `ingest` in this process on an open database, which the command does not close. Without a
 * database, a command that opens one fails.
 */
export async function runIngest(
  args: string[],
  { db, ...context }: { db?: Database } & Partial<IngestContext> = {},
): Promise<{ exit_code: number; printed: string; messages: string[] }> {
  const printed: string[] = [];
  const messages: string[] = [];
  const exit_code = await ingest(args, {
    database: () =>
      db === undefined
        ? Promise.reject(new Error("this test has no database"))
        : Promise.resolve({ ...db, close: () => Promise.resolve() }),
    log: createLog("error"),
    settings: readSettings({}),
    say: (line) => void messages.push(line),
    ...context,
  }, (line) => void printed.push(line));
  assert.equal(printed.length, 1);
  return { exit_code, printed: printed[0]!, messages };
}

/** Commands whose tasks have their own permissions. */
const COMMANDS = ["start", "work", "ingest", "backup", "restore", "move", "doctor", "ask"];

/**
 * Returns the flags of the command's task, so that tests notice missing permissions. `openapi` has
 * no permissions, and `version` reads `sql`. All other commands, even unknown ones, have those of
 * `admin`.
 */
export function commandFlags([command, ...args]: string[], env: Record<string, string>): string[] {
  const none = ["--quiet", "--node-modules-dir=auto", "--no-prompt", "--ignore-env"];
  if (command === "openapi") return none;
  if (command === "version") return [...none, "--allow-read=sql"];
  const known = COMMANDS.includes(command!) ? command as TaskName : "admin";
  return flagsOf(known, args, env);
}
