/** Runs programs of PostgreSQL: pgbench and psql. */

/** Options of connections: those of the service, and no wait for the disk at a commit. */
const OPTIONS = [
  "plan_cache_mode=force_generic_plan",
  "jit=off",
  "synchronous_commit=off",
  "TimeZone=UTC",
].map((setting) => `-c ${setting}`).join(" ");

/** Runs a script by pgbench. @returns transactions per second */
export async function runPgbench(
  url: string,
  { script, clients, seconds }: { script: string; clients: number; seconds: number },
): Promise<number> {
  const { code, stdout, stderr } = await new Deno.Command("pgbench", {
    args: [
      ...["-n", "-M", "prepared", "-c", `${clients}`, "-j", "1", "-T", `${seconds}`],
      ...["-f", script, url],
    ],
    env: { PGOPTIONS: OPTIONS },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  const [, rate] = /^tps = ([\d.]+)/m.exec(text.decode(stdout)) ?? [];
  if (code !== 0 || rate === undefined) throw new Error(text.decode(stderr));
  return Number(rate);
}

/** Runs a file of SQL. @throws Error with the output of psql */
export async function runPsql(url: string, file: string): Promise<void> {
  const { success, stderr } = await new Deno.Command("psql", {
    args: ["-q", "-v", "ON_ERROR_STOP=1", "-f", file, url],
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
