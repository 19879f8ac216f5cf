/**
 * Runs a temporary PostgreSQL server that a test can stop and start, and prints its address. Then
 * it reads one command per line of standard input: `halt`, `crash` or `resume`. It prints each
 * command when it is done. The process ends when its input ends.
 */
import { startCluster } from "../support/cluster.ts";

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
