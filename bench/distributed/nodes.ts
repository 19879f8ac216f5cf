/** Measures the memory and the disk space that processes use. */

/** Resident memory of a process in bytes: at present, and max so far. */
interface Resident {
  now: number;
  max: number;
}

/** Reads a process's memory from Linux's `/proc`. */
export async function residentOf(pid: number): Promise<Resident> {
  // `cat` reads the file, because Deno itself reads /proc only with all permissions.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).output();
  const text = new TextDecoder().decode(stdout);
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)![1]);
  return { now: 1024 * kilobytes("VmRSS"), max: 1024 * kilobytes("VmHWM") };
}

/** Returns the bytes of all files below a directory. */
export function diskOf(directory: string): number {
  let bytes = 0;
  for (const { name, isDirectory } of Deno.readDirSync(directory)) {
    const path = `${directory}/${name}`;
    bytes += isDirectory ? diskOf(path) : Deno.statSync(path).size;
  }
  return bytes;
}
