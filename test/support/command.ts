/** A command of main.ts as a process of its own. */

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

export async function runCommand(
  args: string[],
  env: Record<string, string>,
): Promise<CommandResult> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--allow-net",
      "--allow-read",
      "--allow-write",
      "--allow-env",
      "--allow-sys",
      "main.ts",
      ...args,
    ],
    env,
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  // Of processes that start at once, the runtime has one say that it waits for another.
  const said = text.decode(stderr).replace(/^.*waiting for file lock on node_modules.*\n/gm, "");
  return { code, stdout: text.decode(stdout), stderr: said };
}
