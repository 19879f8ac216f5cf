/** Processes of the load: the service, the peer and the bare handler each have one of their own. */

/** A process that listens, stopped at the end of its block. */
export interface Listening extends AsyncDisposable {
  port: number;
  pid: number;
}

/** Pattern of the line of a listening server, also of versions that wrote it as a sentence. */
const LISTENING = /\blistening on http:\/\/127\.0\.0\.1:(\d+)["\n]/;
/** Seconds until it must listen: loading an index may take a while on a busy machine. */
const START_SECONDS = 300;

/**
 * Starts a program of Deno in a folder and waits until it says that it listens.
 * @throws Error with what it has printed, if it ends before
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
      // Later output is not kept, so that a long run needs no memory.
      if (printed.length < 100_000) printed += text;
      const [, port] = LISTENING.exec(printed) ?? [];
      if (port !== undefined) up.resolve(Number(port));
    }
    up.reject(new Error(`it ended before it listened:\n${printed}`));
  })();
  const timer = setTimeout(
    () => up.reject(new Error(`it does not listen:\n${printed}`)),
    1000 * start_seconds,
  );
  const stop = async () => {
    try {
      child.kill("SIGTERM");
    } catch (error) {
      // It has ended already.
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
