/** Measures the CPU time of this process and of its descendants. */

/** Ticks per second in which Linux counts the CPU time of processes. */
const TICKS_PER_SECOND = 100;

/** CPU time of a process and of its children that have ended, in ticks. */
interface ProcessTime {
  id: number;
  parent: number;
  ticks: number;
}

/**
 * Returns the seconds of CPU time that this process and its descendants have used so far. Unlike a
 * rate, CPU time hardly depends on the load of the machine. Returns undefined if the machine has no
 * `/proc`.
 */
export async function treeCpuSeconds(): Promise<number | undefined> {
  // `cat` reads the files, because Deno itself reads /proc only with all permissions.
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", "cat /proc/[0-9]*/stat 2> /dev/null"],
    stdin: "null",
  }).output();
  const lines = new TextDecoder().decode(stdout).trim().split("\n");
  const times = lines.filter((line) => line !== "").map(processTime);
  if (times.length === 0) return;
  const tree = new Set([Deno.pid]);
  for (let size = 0; size < tree.size;) {
    size = tree.size;
    for (const { id, parent } of times) if (tree.has(parent)) tree.add(id);
  }
  const ticks = times.filter(({ id }) => tree.has(id)).reduce((sum, time) => sum + time.ticks, 0);
  return ticks / TICKS_PER_SECOND;
}

/** Reads a line of `/proc/PID/stat`. The name of the program may contain blanks and parentheses. */
function processTime(line: string): ProcessTime {
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ").map(Number);
  const [utime, stime, cutime, cstime] = fields.slice(11, 15) as [number, number, number, number];
  return { id: parseInt(line), parent: fields[1]!, ticks: utime + stime + cutime + cstime };
}
