/** Runs the service in a separate process, for tests of starts, stops and crashes. */
import { commandFlags } from "./command.ts";

interface ServiceOptions {
  /** Settings in addition to PORT=0. They should contain DATA_DIR or DATABASE_URL. */
  env?: Record<string, string>;
  /** The command and its arguments, by default `start`. */
  args?: string[];
  /**
   * True to run `deno task`, as an operator does. By default main.ts runs with the flags of the
   * task.
   */
  task?: boolean;
  /**
   * Pattern of the line of stderr that tells that the service is ready. Its first group is the
   * address.
   */
  ready?: RegExp;
}

/** A running service. It is killed at the end of its block, unless it has ended before. */
export interface Service extends AsyncDisposable {
  /** Address of the service; empty if `ready` has no group. */
  url: string;
  pid: number;
  /** Output on stderr so far. */
  readonly stderr: string;
  /** Sends the signal, and waits until the process has ended. */
  kill(signal: Deno.Signal): Promise<Deno.CommandStatus>;
  /** Stops the service by SIGTERM. @throws Error if its exit code is not 0 */
  stop(): Promise<void>;
}

/** Max seconds until the service is ready, many times what a busy machine needs. */
const START_SECONDS = 300;

const LISTENING = /"message":"listening on (http:\/\/[^"]+)"/;

/** Pattern of the line that a ready process of `work` logs. */
export const WORKING = /"message":"working"/;

/**
 * Starts the service. Resolves when it is ready.
 * @throws Error with its stderr if it ends before, or is not ready in time
 */
export async function startService(
  { env, args = ["start"], task = false, ready = LISTENING }: ServiceOptions,
): Promise<Service> {
  const settings = { PORT: "0", ...env };
  const child = new Deno.Command(Deno.execPath(), {
    args: task ? ["task", ...args] : ["run", ...commandFlags(args, settings), "main.ts", ...args],
    env: settings,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let stderr = "";
  const started = Promise.withResolvers<string>();
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      stderr += text;
      const match = stderr.match(ready);
      if (match) started.resolve(match[1] ?? "");
    }
    started.reject(new Error(`The service ended before it was ready:\n${stderr}`));
  })();
  const timer = setTimeout(() => {
    started.reject(new Error(`The service is not ready in time:\n${stderr}`));
  }, START_SECONDS * 1000);
  const kill = async (signal: Deno.Signal) => {
    try {
      child.kill(signal);
    } catch (error) {
      // The process has ended already.
      if (!(error instanceof TypeError)) throw error;
    }
    const status = await child.status;
    await reading;
    return status;
  };
  // `deno task` cannot forward SIGKILL to the service, which would then continue to run.
  const last = task ? "SIGTERM" : "SIGKILL";
  try {
    const url = await started.promise;
    return {
      url,
      pid: child.pid,
      get stderr() {
        return stderr;
      },
      kill,
      async stop() {
        const { code } = await kill("SIGTERM");
        if (code !== 0) throw new Error(`The service ended with ${code}:\n${stderr}`);
      },
      async [Symbol.asyncDispose]() {
        await kill(last);
      },
    };
  } catch (error) {
    await kill(last);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
