/** Measures the CPU time of the processes of a load. */

/** Ticks per second in which Linux counts the CPU time of processes. */
const TICKS_PER_SECOND = 100;

/** Seconds of CPU time so far. */
export interface CpuSeconds {
  service: number;
  database: number;
  /** The load generator, with the programs that it has started and that have ended. */
  generator: number;
}

/**
 * Returns the CPU time of the service, of all PostgreSQL processes, and of this process. CPU time
 * hardly depends on the load of the machine. Returns undefined if the machine has no `/proc`.
 */
export async function readCpuSeconds(service: number): Promise<CpuSeconds | undefined> {
  // `cat` reads the files, because Deno itself reads /proc only with all permissions.
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", "cat /proc/[0-9]*/stat 2> /dev/null"],
    stdin: "null",
  }).output();
  const lines = new TextDecoder().decode(stdout).trim().split("\n").filter((line) => line !== "");
  if (lines.length === 0) return;
  const seconds = { service: 0, database: 0, generator: 0 };
  for (const line of lines) {
    const id = parseInt(line);
    const name = line.slice(line.indexOf("(") + 1, line.lastIndexOf(")"));
    // The name of a program may contain blanks and parentheses.
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ").map(Number);
    const [utime, stime] = fields.slice(11, 13) as [number, number];
    const spent = (utime + stime) / TICKS_PER_SECOND;
    if (id === service) seconds.service += spent;
    else if (id === Deno.pid) seconds.generator += spent;
    else if (name === "postgres") seconds.database += spent;
  }
  return seconds;
}
