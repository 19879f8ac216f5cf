/** HTTP servers on loopback for tests of fetches. Raw hosts may send any bytes. */
import {
  createFetcher,
  type FetchBounds,
  type Fetched,
  type Fetcher,
  type FetcherOptions,
  FetchFailure,
  type FetchRequest,
} from "../../src/ingest/fetch/fetcher.ts";

/** A running server. It is closed at the end of its block. */
export interface Host extends AsyncDisposable {
  /** Host and port, such as "127.0.0.1:8080". */
  host: string;
  url: string;
  /** Requests so far, in order. */
  heard: HostRequest[];
}

interface HostRequest {
  /** Path with its query. */
  path: string;
  headers: Record<string, string>;
}

/** Starts a server whose answers the function returns. `options` is the key pair of HTTPS. */
export function startHost(
  answer: (request: Request) => Response | Promise<Response>,
  options: { cert: string; key: string } | Record<never, never> = {},
): Host {
  const heard: HostRequest[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {}, ...options },
    (request) => {
      const { pathname, search } = new URL(request.url);
      heard.push({ path: pathname + search, headers: Object.fromEntries(request.headers) });
      return answer(request);
    },
  );
  const host = `127.0.0.1:${server.addr.port}`;
  return { host, url: `http://${host}`, heard, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** One connection of a raw host. */
export interface Line {
  /** Head of the request. */
  head: string;
  /** Number of requests before this one. */
  earlier: number;
  write(part: string | Uint8Array): Promise<void>;
  /** Resolves when the peer has closed the connection. */
  hungUp: Promise<void>;
}

interface RawHost extends AsyncDisposable {
  host: string;
  url: string;
  /** Heads of the requests so far, in order. */
  heard: string[];
}

/**
 * Starts a server that calls `speak` for each connection, and then closes the connection. A peer
 * may close the connection earlier.
 */
export function startRawHost(speak: (line: Line) => Promise<unknown>): RawHost {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const heard: string[] = [];
  const open = new Set<Promise<void>>();
  const serve = async (connection: Deno.TcpConn) => {
    try {
      const head = await readHead(connection);
      heard.push(head);
      const hungUp = drain(connection);
      const earlier = heard.length - 1;
      const speaking = speak({
        head,
        earlier,
        write: (part) => writeAll(connection, part),
        hungUp,
      });
      await speaking.catch((error) => {
        if (!(error instanceof Deno.errors.BrokenPipe) && !isReset(error)) throw error;
      });
      await connection.closeWrite().catch(() => {});
      await hungUp;
    } finally {
      connection.close();
    }
  };
  const accepting = (async () => {
    for await (const connection of listener) {
      const served = serve(connection).finally(() => open.delete(served));
      open.add(served);
    }
  })();
  const host = `127.0.0.1:${listener.addr.port}`;
  return {
    host,
    url: `http://${host}`,
    heard,
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      await Promise.all(open);
    },
  };
}

async function readHead(connection: Deno.Conn): Promise<string> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(16_384);
  let head = "";
  while (!head.includes("\r\n\r\n")) {
    const length = await connection.read(buffer);
    if (length === null) break;
    head += decoder.decode(buffer.subarray(0, length), { stream: true });
  }
  return head;
}

async function drain(connection: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(1_024);
  try {
    while (await connection.read(buffer) !== null);
  } catch (error) {
    if (!isReset(error)) throw error;
  }
}

const isReset = (error: unknown) =>
  error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.BadResource ||
  error instanceof Deno.errors.Interrupted;

async function writeAll(connection: Deno.Conn, part: string | Uint8Array): Promise<void> {
  const bytes = typeof part === "string" ? new TextEncoder().encode(part) : part;
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

/**
 * Limits of a fetch. The time is long enough for any machine. Tests of time-outs give a shorter
 * one.
 */
export const BOUNDS: FetchBounds = {
  bytes: 1_048_576,
  milliseconds: 60_000,
  attempts: 1,
  pause_milliseconds: 0,
};

/** Returns a fetcher that may fetch from these hosts, and that does not pause between attempts. */
export function fetcherOf(
  hosts: readonly { host: string }[],
  options: Partial<FetcherOptions> = {},
): Fetcher {
  return createFetcher({
    user_agent: "company-evidence/test",
    open_addresses: hosts.map(({ host }) => host),
    sleep: () => Promise.resolve(),
    ...options,
  });
}

/** Reads the body of a fetch to its end. */
export async function readText({ body }: Pick<Fetched, "body">): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return text;
}

/** Fetches a text. @throws FetchFailure */
export async function fetchText(
  fetcher: Fetcher,
  request: FetchRequest,
  bounds: Partial<FetchBounds> = {},
): Promise<{ text: string; url: string } | 304> {
  const outcome = await fetcher.fetch(request, { ...BOUNDS, ...bounds });
  if (outcome.status === 304) return 304;
  return { text: await readText(outcome), url: outcome.url };
}

/** Returns the members of the FetchFailure of a fetch. @throws Error if it did not fail */
export async function failureOf(fetching: Promise<unknown>): Promise<
  Pick<FetchFailure, "fault" | "message" | "http_status" | "retry_at" | "temporary">
> {
  try {
    await fetching;
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    const { fault, message, http_status, retry_at, temporary } = error;
    return {
      fault,
      message,
      temporary,
      ...(http_status !== undefined && { http_status }),
      ...(retry_at !== undefined && { retry_at }),
    };
  }
  throw new Error("the fetch did not fail");
}

/** Registers a test that fails if it leaves a connection, a file or an operation open. */
export function checkedTest(name: string, fn: () => Promise<void>, ignore = false): void {
  Deno.test({ name, fn, ignore, sanitizeOps: true, sanitizeResources: true });
}
