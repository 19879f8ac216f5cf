/**
 * Returns the bytes of resident memory of a process; 0 on systems other than Linux. `cat` reads
 * /proc, because Deno requires all permissions for it.
 */
export async function residentBytes(pid: number): Promise<number> {
  if (Deno.build.os !== "linux") return 0;
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).output();
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(new TextDecoder().decode(stdout))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no resident memory`);
  return Number(kilobytes) * 1024;
}
