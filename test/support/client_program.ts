/**
 * Runs programs that use third-party MCP clients. Their packages have a separate configuration, so
 * that the service does not install them when it starts.
 */
import type { App } from "../../src/app.ts";

/** Folder of the programs and of the configuration of their packages. */
export const CLIENTS = "test/clients";

interface ProgramOptions {
  args?: string[];
  env?: Record<string, string>;
  /**
   * Directory to which the program may write. Such a program may also read system information,
   * because the clients that keep files ask for the operating system.
   */
  directory?: string;
}

interface ProgramResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a file, or a module of a package of `test/clients`. Its only network is loopback. */
export async function runProgram(
  file: string,
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  const { code, stdout, stderr } = await commandOf(file, options).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Specifiers of the packages of `test/clients`, by package name. They include the versions. */
const { imports: PACKAGES } = JSON.parse(Deno.readTextFileSync(`${CLIENTS}/deno.json`));
const INSPECTOR = `${PACKAGES["@modelcontextprotocol/inspector"]}/inspector`;
const MCP_REMOTE = `${PACKAGES["mcp-remote"]}/mcp-remote`;

/**
 * Variable that keeps a dependency of the clients from detecting WSL by reading /proc, which Deno
 * does not permit.
 */
const NO_WINDOWS = { __IS_WSL_TEST__: "1" };

/** Runs the MCP Inspector with the arguments of a command line. */
export async function runInspector(args: string[]): Promise<ProgramResult> {
  using directory = temporaryDirectory();
  const env = { ...NO_WINDOWS, MCP_STORAGE_DIR: directory.path };
  return await runProgram(INSPECTOR, { args, env, directory: directory.path });
}

/** Sends messages to the standard input of `mcp-remote`, which forwards them to a service. */
export async function converseByRemote(
  messages: readonly object[],
  { args, env }: Required<Omit<ProgramOptions, "directory">>,
): Promise<unknown[]> {
  using directory = temporaryDirectory();
  return await converse(MCP_REMOTE, messages, {
    args,
    env: { ...NO_WINDOWS, MCP_REMOTE_CONFIG_DIR: directory.path, ...env },
    directory: directory.path,
  });
}

function temporaryDirectory(): { path: string } & Disposable {
  const path = Deno.makeTempDirSync({ prefix: "ce-client-" });
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}

/**
 * Runs a program that exchanges JSON-RPC messages on its standard streams, one message per line.
 * The next message is sent after the response to the previous one. Messages without an id have no
 * response.
 * @returns the responses, in order
 */
async function converse(
  file: string,
  messages: readonly object[],
  options: ProgramOptions,
): Promise<unknown[]> {
  const child = commandOf(file, options, "piped").spawn();
  const stderr = new Response(child.stderr).text();
  const writer = child.stdin.getWriter();
  const lines = linesOf(child.stdout);
  const responses: unknown[] = [];
  try {
    for (const message of messages) {
      await writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
      if (!("id" in message)) continue;
      const { value, done } = await lines.next();
      if (done) throw new Error(`${file} ended: ${await stderr}`);
      responses.push(JSON.parse(value));
    }
    return responses;
  } finally {
    child.kill();
    await Promise.allSettled([lines.return(), writer.close(), stderr, child.status]);
  }
}

/** Yields the lines of a program's output. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}

function commandOf(
  file: string,
  { args = [], env = {}, directory }: ProgramOptions,
  stdin: "null" | "piped" = "null",
): Deno.Command {
  const variables = Object.keys(env).join();
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      `--config=${CLIENTS}/deno.json`,
      "--allow-read",
      "--allow-net=127.0.0.1",
      "--ignore-env",
      ...variables === "" ? [] : [`--allow-env=${variables}`],
      ...directory === undefined ? [] : ["--allow-sys", `--allow-write=${directory}`],
      file,
      ...args,
    ],
    env: { NO_COLOR: "1", ...env },
    stdin,
    stdout: "piped",
    stderr: "piped",
  });
}

/** A running server. It is stopped at the end of its block. */
interface Served extends AsyncDisposable {
  /** Address of `/mcp`. */
  url: string;
}

/**
 * Serves an app on a free port of loopback.
 * @param change returns the request that the service gets, or a response in place of the service's
 */
export function serveApp(
  app: Pick<App, "fetch">,
  change: (request: Request) => Promise<Response | Request> | Response | Request = (one) => one,
): Served {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (incoming) => {
    const changed = await change(incoming);
    return changed instanceof Response ? changed : await app.fetch(changed);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Adds an API key to a request, because conformance suites send none. */
export function withKey(request: Request, key: string): Request {
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${key}`);
  const { url, method, body } = request;
  return new Request(url, { method, headers, body });
}
