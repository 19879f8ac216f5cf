/**
 * Runs a temporary PostgreSQL server that a test can stop and start, and prints its address. Then
 * it reads one command per line of standard input: `halt`, `crash` or `resume`. It prints each
 * command when it is done. The process ends when its input ends.
 */
import { startCluster } from "../support/cluster.ts";

/** A server that a test can stop and start. It is removed at the end of its block. */
interface ClusterProcess extends AsyncDisposable {
  url: string;
  /** Resolves when the command is done. */
  obey(command: "halt" | "crash" | "resume"): Promise<void>;
}

/** Starts the server by a separate process, because tests lack the permissions that it needs. */
export async function startClusterProcess(): Promise<ClusterProcess> {
  const permissions = ["net", "read", "write", "env", "run"].map((name) => `--allow-${name}`);
  const script = new URL(import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...permissions, "--allow-sys=uid", script],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const readLine = async () => {
    const { value } = await reader.read();
    if (value === undefined) throw new Error("PostgreSQL did not start.");
    return value.trim();
  };
  return {
    url: await readLine(),
    async obey(command) {
      await writer.write(new TextEncoder().encode(`${command}\n`));
      const done = await readLine();
      if (done !== command) throw new Error(`${done} instead of ${command}`);
    },
    async [Symbol.asyncDispose]() {
      await writer.close();
      await child.status;
      await reader.cancel();
    },
  };
}

const print = (line: string) => void Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));

if (import.meta.main) {
  const cluster = await startCluster({ durable: true });
  if (cluster === undefined) throw new Error("There are no server binaries of PostgreSQL.");
  const commands: Record<string, () => Promise<void>> = {
    halt: () => cluster.halt("SIGINT"),
    crash: () => cluster.halt("SIGQUIT"),
    resume: () => cluster.resume(),
  };
  print(cluster.url);
  try {
    for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
      for (const command of text.split("\n").filter((line) => line !== "")) {
        await commands[command]!();
        print(command);
      }
    }
  } finally {
    await cluster.stop();
  }
}
