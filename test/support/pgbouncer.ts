/** Starts PgBouncer in front of a PostgreSQL server, on loopback. */
import { findProgram } from "./front_proxy.ts";
import { findPort } from "./port.ts";

/** Returns the path of PgBouncer; undefined if it is not installed. */
export function findPgBouncer(): string | undefined {
  return findProgram(["/usr/sbin/pgbouncer", "/usr/local/bin/pgbouncer", "/usr/bin/pgbouncer"]);
}

/**
 * Starts PgBouncer in transaction mode.
 * @param url address of a database
 * @param settings further lines of its configuration
 */
export async function startPgBouncer(
  program: string,
  { url, settings = "" }: { url: string; settings?: string },
): Promise<{ url: string } & AsyncDisposable> {
  const { hostname, port, pathname, username } = new URL(url);
  const directory = Deno.makeTempDirSync({ prefix: "ce-pgbouncer-" });
  Deno.chmodSync(directory, 0o777);
  const listen = findPort();
  const file = `${directory}/pgbouncer.ini`;
  Deno.writeTextFileSync(
    file,
    `[databases]
* = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = transaction
${settings}
`,
  );
  const child = new Deno.Command(program, {
    // PgBouncer refuses to run as root.
    args: Deno.uid() === 0 ? ["-u", "nobody", file] : [file],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const messages = child.stderr.pipeThrough(new TextDecoderStream());
  let seen = "";
  const ready = Promise.withResolvers<void>();
  const reading = (async () => {
    for await (const text of messages) {
      seen += text;
      if (seen.includes("process up")) ready.resolve();
    }
    ready.reject(new Error(`PgBouncer did not start: ${seen}`));
  })();
  await ready.promise;
  return {
    url: `postgres://${username}@127.0.0.1:${listen}${pathname}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGINT");
      await child.status;
      await reading;
      Deno.removeSync(directory, { recursive: true });
    },
  };
}
