/**
 * A bench in a process of its own: memory that no other bench has used, room for large heaps, and
 * garbage collected on demand.
 */
import { findPrograms, permissionsFor } from "../test/support/programs.ts";
import { type Floor, floorTable, keepFloors } from "./floors.ts";
import { TextLineStream } from "./lines.ts";

const IN_CHILD = "SEARCH_BENCH_CHILD";
/** Before a line of the child's output that is a row of the table. */
const FLOOR_MARK = "\u001efloor ";

/**
 * Options of a process that a bench starts: the packages of benches, the permissions of the task, since a child may not have
 * more, garbage collection on demand, and room for large heaps.
 */
export const RUN_OPTIONS = [
  "--config=test/deno.json",
  ...permissionsFor(findPrograms()).map((own) =>
    own === "--allow-net"
      ? "--allow-net=127.0.0.1"
      // A throwaway server runs as another user where this one is root.
      : own.startsWith("--allow-read=")
      ? `${own},/etc/passwd`
      : own
  ),
  "--allow-sys=uid",
  "--v8-flags=--expose-gc,--max-old-space-size=14000",
];

/**
 * Runs `main` in a child process, that is: runs the file again, where the same call runs `main`
 * itself, and other calls do nothing. The rows that it returns are printed, and kept for the table
 * at the end.
 *
 * @param file the caller's import.meta.url
 * @param name tells calls of one file from each other
 * @throws Error where the child fails
 */
export async function benchInChild(
  file: string,
  main: () => Promise<Floor[]>,
  name = "main",
): Promise<void> {
  const asked = Deno.env.get(IN_CHILD);
  if (asked !== undefined) {
    if (asked !== name) return;
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

/** Lines to this process' output, but for the rows. */
async function passOn(output: ReadableStream<Uint8Array>): Promise<Floor[]> {
  const rows: Floor[] = [];
  const lines = output.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
  for await (const line of lines) {
    if (line.startsWith(FLOOR_MARK)) rows.push(JSON.parse(line.slice(FLOOR_MARK.length)));
    else say(line);
  }
  return rows;
}

/** A line of a bench's output. */
export function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}
