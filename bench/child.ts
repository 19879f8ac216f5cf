/**
 * Runs a bench in a separate process, whose memory no other bench has used. The process may have a
 * large heap, and collects garbage on demand.
 */
import { findPrograms, permissionsFor } from "../test/support/programs.ts";
import { type Floor, floorTable, keepFloors } from "./floors.ts";
import { TextLineStream } from "./lines.ts";

const IN_CHILD = "SEARCH_BENCH_CHILD";
/** Prefix of the lines of the child's output that contain a row of the table as JSON. */
const FLOOR_MARK = "\u001efloor ";

/**
 * Options of a process that a bench starts. Its permissions are those of the task `bench`, because
 * a child may not have more than its parent. It may have a large heap, and collects garbage on
 * demand.
 */
export const RUN_OPTIONS = [
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
 * runs `main` itself, and other calls do nothing. Prints the rows that `main` returns, and keeps
 * them for the table at the end of the run.
 *
 * @param file the caller's import.meta.url
 * @param name distinguishes the calls in one file
 * @throws Error if the child fails
 */
export async function benchInChild(
  file: string,
  main: () => Promise<Floor[]>,
  name = "main",
): Promise<void> {
  const nameInChild = Deno.env.get(IN_CHILD);
  if (nameInChild !== undefined) {
    if (nameInChild !== name) return;
    for (const floor of await main()) say(FLOOR_MARK + JSON.stringify(floor));
    return;
  }
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", ...RUN_OPTIONS, file],
    env: { [IN_CHILD]: name },
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const rows = await passOn(child.stdout);
  const { success } = await child.status;
  if (!success) throw new Error(`${file} failed`);
  keepFloors(rows);
  if (rows.length > 0) say(`\n${floorTable(rows)}\n`);
}

/** Prints the lines of a child's output, except its rows. Returns the rows. */
async function passOn(output: ReadableStream<Uint8Array>): Promise<Floor[]> {
  const rows: Floor[] = [];
  const lines = output.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
  for await (const line of lines) {
    if (line.startsWith(FLOOR_MARK)) rows.push(JSON.parse(line.slice(FLOOR_MARK.length)));
    else say(line);
  }
  return rows;
}

/** Prints a line of a bench's output. */
export function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}
