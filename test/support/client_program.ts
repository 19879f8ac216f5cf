/**
 * Programs that use MCP clients of others. Their packages have a configuration to themselves, so
 * that starting the service does not install them.
 */
import type { App } from "../../src/app.ts";

export const CLIENTS = "test/clients";

export interface ProgramOptions {
  args?: string[];
  env?: Record<string, string>;
}

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a file, or a module of the packages of `test/clients`. It reaches loopback alone. */
export async function runProgram(
  file: string,
  { args = [], env = {} }: ProgramOptions = {},
): Promise<Ran> {
  const variables = Object.keys(env).join();
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      `--config=${CLIENTS}/deno.json`,
      "--allow-read",
      "--allow-net=127.0.0.1",
      "--ignore-env",
      ...variables === "" ? [] : [`--allow-env=${variables}`],
      file,
      ...args,
    ],
    env: { NO_COLOR: "1", ...env },
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

export interface Served extends AsyncDisposable {
  /** Address of `/mcp`. */
  url: string;
}

/** Serves on a free port of loopback. `change` may answer in place of the service. */
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

/** Returns the request with a key: conformance suites know nothing of keys. */
export function withKey(request: Request, key: string): Request {
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${key}`);
  const { url, method, body } = request;
  return new Request(url, { method, headers, body });
}
