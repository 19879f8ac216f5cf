/**
 * Runs a bench in a separate process, whose memory no other bench has used. The process may have a
 * large heap, and collects garbage on demand.
 */
import { findPrograms, permissionsFor } from "../test/support/programs.ts";

const IN_CHILD = "SEARCH_BENCH_CHILD";

/**
 * Options of a process that a bench starts. Its permissions are those of the task `bench`, because
 * a child may not have more than its parent. It may have a large heap, and collects garbage on
 * demand.
 */
const RUN_OPTIONS = [
  "--config=test/deno.json",
  ...permissionsFor(findPrograms()).map((permission) =>
    permission === "--allow-net"
      ? "--allow-net=127.0.0.1"
      // For root, a temporary PostgreSQL runs as the user `postgres`, whose id is in /etc/passwd.
      : permission.startsWith("--allow-read=")
      ? `${permission},/etc/passwd`
      : permission
  ),
  "--allow-sys=uid",
  "--v8-flags=--expose-gc,--max-old-space-size=14000",
];

/**
 * Runs `main` in a child process. The child runs the file again: there, the call with the same name
 * runs `main` itself, and other calls do nothing.
 *
 * @param file the caller's import.meta.url
 * @param name distinguishes the calls in one file
 * @throws Error if the child fails
 */
export async function benchInChild(
  file: string,
  main: () => Promise<void>,
  name: string,
): Promise<void> {
  const nameInChild = Deno.env.get(IN_CHILD);
  if (nameInChild === name) await main();
  if (nameInChild !== undefined) return;
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", ...RUN_OPTIONS, file],
    env: { [IN_CHILD]: name },
    stdin: "null",
  }).spawn().status;
  if (!success) throw new Error(`${file} failed`);
}

/** Prints a line of a bench's output. */
export function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}
