/** Starts the processes of the load: the service and the minimal handler. */

/** A process that listens. It is stopped at the end of its block. */
export interface Listening extends AsyncDisposable {
  port: number;
  pid: number;
}

/** Pattern of the address that a listening server prints, as plain text or within JSON. */
const LISTENING = /\blistening on http:\/\/127\.0\.0\.1:(\d+)["\n]/;
/** Seconds until a process must listen. On a busy machine, loading an index may take long. */
const START_SECONDS = 300;

/**
 * Starts a Deno program in a folder, and waits until the program prints that it listens.
 * @throws Error with the output of the program, if it does not listen in time
 */
export async function startListening(
  { cwd, args, env, start_seconds = START_SECONDS }: {
    cwd: string;
    args: string[];
    env: Record<string, string>;
    start_seconds?: number;
  },
): Promise<Listening> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...args],
    cwd,
    env,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const up = Promise.withResolvers<number>();
  let printed = "";
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      // Later output is dropped, so that the output of a long run uses no memory.
      if (printed.length < 100_000) printed += text;
      const [, port] = LISTENING.exec(printed) ?? [];
      if (port !== undefined) up.resolve(Number(port));
    }
    up.reject(new Error(`the process ended before it listened:\n${printed}`));
  })();
  const timer = setTimeout(
    () => up.reject(new Error(`the process does not listen:\n${printed}`)),
    1000 * start_seconds,
  );
  const stop = async () => {
    try {
      child.kill("SIGTERM");
    } catch (error) {
      // The process has already ended.
      if (!(error instanceof TypeError)) throw error;
    }
    await child.status;
    await reading;
  };
  try {
    return { port: await up.promise, pid: child.pid, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
