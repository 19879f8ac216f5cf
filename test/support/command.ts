/** Runs commands of main.ts in separate processes. */
import { flagsOf, type TaskName } from "../../src/commands/permissions.ts";

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
