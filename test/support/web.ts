/** Hosts on loopback for what fetches from them: well-behaved ones, and ones that speak as they like. */
import {
  createFetcher,
  type FetchBounds,
  type Fetched,
  type Fetcher,
  type FetcherOptions,
  FetchFailure,
  type FetchRequest,
} from "../../src/ingest/fetch/fetcher.ts";

/** Closed at the end of its block. */
export interface Host extends AsyncDisposable {
  /** "127.0.0.1:PORT" */
  host: string;
  url: string;
  /** Requests so far, in order. */
  heard: Heard[];
}

interface Heard {
  /** Path with its query. */
  path: string;
  headers: Record<string, string>;
}

export function startHost(
  answer: (request: Request) => Response | Promise<Response>,
  options: { cert: string; key: string } | Record<never, never> = {},
): Host {
  const heard: Heard[] = [];
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

/** One connection of a host that writes bytes as it likes. */
export interface Line {
  /** The head of the request. */
  head: string;
  /** Number of requests before it. */
  earlier: number;
  write(part: string | Uint8Array): Promise<void>;
  /** Settles when the other side hangs up. */
  hungUp: Promise<void>;
}

interface RawHost extends AsyncDisposable {
  host: string;
  url: string;
  /** Heads of requests, in order. */
  heard: string[];
}

/** Closes each connection when `speak` is done; a peer that hung up in the middle is no failure. */
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

/** Time enough for any machine: who wants a fetch to be late says so. */
export const BOUNDS: FetchBounds = {
  bytes: 1_048_576,
  milliseconds: 60_000,
  attempts: 1,
  pause_milliseconds: 0,
};

/** A fetcher to which these hosts are open, and which repeats at once. */
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

export async function readText({ body }: Pick<Fetched, "body">): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return text;
}

/** The answer and all of its text. @throws FetchFailure */
export async function fetchText(
  fetcher: Fetcher,
  request: FetchRequest,
  bounds: Partial<FetchBounds> = {},
): Promise<{ text: string; url: string } | 304> {
  const outcome = await fetcher.fetch(request, { ...BOUNDS, ...bounds });
  if (outcome.status === 304) return 304;
  return { text: await readText(outcome), url: outcome.url };
}

/** Returns how a fetch failed, until the end of its body. */
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

/** Options of every case that fetches. A connection that stays open is a failure. */
export const checked = { sanitizeOps: true, sanitizeResources: true };
