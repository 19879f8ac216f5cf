/** The service as a process of its own, for what only a process can suffer. */
import { commandFlags } from "./command.ts";

interface ServiceOptions {
  /** Settings beside PORT=0; DATA_DIR or DATABASE_URL should be among them. */
  env?: Record<string, string>;
  /** The command and its arguments: `start` by default. */
  args?: string[];
  /** True if the task is run, as an operator does, instead of the command with the task's flags. */
  task?: boolean;
  /** The line of stderr that tells that it is up; its first group is taken for the address. */
  ready?: RegExp;
}

/** Killed at the end of its block, unless it has ended before. */
export interface Service extends AsyncDisposable {
  /** Address at which it listens; empty if `ready` has no group. */
  url: string;
  pid: number;
  /** Output on stderr so far. */
  readonly stderr: string;
  /** Sends the signal and waits for the end. */
  kill(signal: Deno.Signal): Promise<Deno.CommandStatus>;
  /** Asks it to stop and waits; throws when it does not end well. */
  stop(): Promise<void>;
}

/** Many times what a busy machine takes: nobody waits for it who need not. */
const START_SECONDS = 300;

const LISTENING = /"message":"listening on (http:\/\/[^"]+)"/;

/** The line of a process that works and does not serve. */
export const WORKING = /"message":"working"/;

/** Resolves once it is up; throws with its stderr when it ends before, or takes too long. */
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
  const up = Promise.withResolvers<string>();
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      stderr += text;
      const found = stderr.match(ready);
      if (found) up.resolve(found[1] ?? "");
    }
    up.reject(new Error(`The service ended before it was up:\n${stderr}`));
  })();
  const timer = setTimeout(() => {
    up.reject(new Error(`The service does not come up:\n${stderr}`));
  }, START_SECONDS * 1000);
  const kill = async (signal: Deno.Signal) => {
    try {
      child.kill(signal);
    } catch (error) {
      // It has ended already.
      if (!(error instanceof TypeError)) throw error;
    }
    const status = await child.status;
    await reading;
    return status;
  };
  // A task passes on only what it can catch: killed, it would leave its process behind.
  const last = task ? "SIGTERM" : "SIGKILL";
  try {
    const url = await up.promise;
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
