/** A command of main.ts as a process of its own. */
import { flagsOf, type TaskName } from "../../src/commands/permissions.ts";

interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

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
  // Of processes that start at once, the runtime has one say that it waits for another.
  const said = text.decode(stderr).replace(/^.*waiting for file lock on node_modules.*\n/gm, "");
  return { code, stdout: text.decode(stdout), stderr: said };
}

/** Commands whose tasks have permissions of their own. */
const COMMANDS = ["start", "work", "ingest", "backup", "restore", "move", "doctor", "ask"];

/**
 * Returns the flags of the command's task, so that tests find out what it may not do. A word that is
 * no command gets those of `admin`.
 */
export function commandFlags([command, ...args]: string[], env: Record<string, string>): string[] {
  if (command === "openapi" || command === "version") return ["--no-prompt", "--ignore-env"];
  const known = COMMANDS.includes(command!) ? command as TaskName : "admin";
  return flagsOf(known, args, env);
}
