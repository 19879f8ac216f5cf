/** Runs a front proxy with a configuration of deploy/, on loopback. */
import { findPort } from "./port.ts";
import { eventually } from "./waiting.ts";

/** A running proxy. It is stopped at the end of its block. */
export interface FrontProxy extends AsyncDisposable {
  url: string;
  /** Returns everything that the proxy has printed or logged. */
  logs(): string;
}

/** A pattern and its replacement in a configuration. The pattern has to match. */
export type Change = [RegExp, string];

interface FrontProxyOptions {
  /** Path of the program. */
  program: string;
  /** Path of the configuration in this repository. */
  configuration: string;
  /** Returns the changes to the operator's configuration. */
  changes: (options: { port: number; directory: string }) => Change[];
  /** Returns the program's arguments. */
  args: (directory: string, file: string) => string[];
  /** Names of the log files in the directory. `logs()` also returns the output of the program. */
  logs: string[];
}

/** Returns the first of these paths that is a file; undefined if none is. */
export function findProgram(paths: readonly string[]): string | undefined {
  return paths.find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

/** Starts a proxy with a new directory and a free port. Resolves when it listens. */
export async function startFrontProxy(options: FrontProxyOptions): Promise<FrontProxy> {
  const directory = Deno.makeTempDirSync({ prefix: "ce-proxy-" });
  const port = findPort();
  const file = `${directory}/configuration`;
  const text = Deno.readTextFileSync(options.configuration);
  Deno.writeTextFileSync(file, apply(text, options.changes({ port, directory })));
  const child = new Deno.Command(options.program, {
    args: options.args(directory, file),
    env: { HOME: directory, XDG_CONFIG_HOME: directory, XDG_DATA_HOME: directory },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let printed = "";
  const reading = (async () => {
    for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) printed += part;
  })();
  let ended = false;
  child.status.then(() => ended = true);
  await eventually("the proxy listens", async () => {
    if (ended) throw new Error(`${options.program} ended: ${printed}`);
    return await accepts(port);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    logs: () =>
      printed + options.logs.map((name) => Deno.readTextFileSync(`${directory}/${name}`)).join(""),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await reading;
      Deno.removeSync(directory, { recursive: true });
    },
  };
}

function apply(text: string, changes: readonly Change[]): string {
  for (const [pattern, replacement] of changes) {
    const changed = text.replace(pattern, replacement);
    if (changed === text) throw new Error(`the configuration does not match ${pattern}`);
    text = changed;
  }
  return text;
}

async function accepts(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    throw error;
  }
}
