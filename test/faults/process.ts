/** A replica or a worker in a separate process, started in the same way as by an operator. */
import { commandFlags } from "../support/command.ts";
import type { LogScanner } from "./log_scanner.ts";

interface ProcessOptions {
  name: string;
  command: "start" | "work";
  /** Settings, including DATABASE_URL and DATA_DIR. */
  env: Record<string, string>;
  /** Flags of Deno, in addition to those that deno.json has for the command. */
  flags?: readonly string[];
  logs: LogScanner;
}

export interface ServiceProcess {
  name: string;
  command: "start" | "work";
  pid: number;
  /** Address at which the process listens; empty for a worker. */
  url: string;
  readonly alive: boolean;
  /** Sends a signal and does not wait. */
  signal(signal: Deno.Signal): void;
  /** Sends SIGTERM. Resolves with the exit code. */
  stop(): Promise<number>;
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>;
}

/** Pattern of the log line of a ready process. Older versions print plain text, not JSON. */
const READY = /\blistening on (http:\/\/[^\s"]+)|^working$|"message":"working"/;
/** Max milliseconds until a process is ready, far more than a busy machine needs. */
const START_MILLISECONDS = 180_000;

/** Starts a process and waits until it is ready. Throws its last log lines if it ends before. */
export async function startProcess(options: ProcessOptions): Promise<ServiceProcess> {
  const { name, command, env, flags = [], logs } = options;
  const settings = { PORT: "0", DEMO: "off", ...env };
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, ...commandFlags([command], settings), "main.ts", command],
    env: settings,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let alive = true;
  const up = Promise.withResolvers<string>();
  const ended = child.status.then((status) => {
    alive = false;
    return status.code;
  });
  const reading = readLines(child.stderr, (line) => {
    logs.add(name, line);
    const ready = READY.exec(line);
    if (ready !== null) up.resolve(ready[1] ?? "");
  });
  void Promise.all([ended, reading]).then(([code]) =>
    up.reject(new Error(`${name} ended with ${code}:\n${logs.last(name)}`))
  );
  const signal = (signal: Deno.Signal) => {
    if (alive) child.kill(signal);
  };
  const kill = async () => {
    signal("SIGKILL");
    await ended;
    await reading;
  };
  const timer = setTimeout(
    () => up.reject(new Error(`${name} is not ready in time:\n${logs.last(name)}`)),
    START_MILLISECONDS,
  );
  try {
    const url = await up.promise;
    const stop = async () => {
      signal("SIGTERM");
      const code = await ended;
      await reading;
      return code;
    };
    return {
      name,
      command,
      pid: child.pid,
      url,
      get alive() {
        return alive;
      },
      signal,
      stop,
      kill,
    };
  } catch (error) {
    await kill();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function readLines(
  stream: ReadableStream<Uint8Array>,
  take: (line: string) => void,
): Promise<void> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    lines.forEach(take);
  }
  if (rest !== "") take(rest);
}
