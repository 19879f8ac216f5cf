/**
 * Sends one request over its own connection, and reads the answer. The connection goes to an address
 * that has been checked, and the certificate is verified against the host's name. It uses Deno's own
 * sockets, because node:https needs permission to read the whole file system.
 */
import { type IncomingHttpHeaders, type IncomingMessage, request as send } from "node:http";
import { Duplex } from "node:stream";
import type { ReadableStream, WritableStream } from "node:stream/web";
import { openDeadline, unlessAborted } from "./deadline.ts";
import { FetchFailure } from "./failure.ts";

/** One GET to a host whose addresses have been resolved and checked. */
interface Exchange {
  url: URL;
  headers: Record<string, string>;
  /** The only addresses to connect to. */
  addresses: readonly string[];
  /** Max milliseconds without a byte, before the headers and between two parts of the body. */
  stall_milliseconds: number;
  /** Certificate authorities (PEM) that are trusted in addition to those of the runtime. */
  authorities?: string;
  signal: AbortSignal;
}

/** An answer whose body has not been read yet. */
export interface HttpReply {
  status: number;
  headers: IncomingHttpHeaders;
  /**
   * Chunks of the body as sent. They can be read once, and the end of the body closes the
   * connection. Reading may throw FetchFailure.
   */
  chunks: AsyncIterable<Uint8Array>;
  /** Closes the connection. */
  discard(): void;
}

/** Max bytes of the headers of an answer. It is the limit that Node has too. */
const HEADER_BYTES = 16_384;

/**
 * Sends the request and returns the answer as soon as its headers have arrived. The certificate is
 * verified against the host's name.
 * @throws FetchFailure network, timeout, too_large (headers); or the signal's reason
 */
export async function openExchange(exchange: Exchange): Promise<HttpReply> {
  const { url, signal } = exchange;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { socket, hangUp } = await dial(exchange).catch((error) => {
    throw failureOf(error, exchange);
  });
  const request = send({
    path: url.pathname + url.search,
    headers: { ...exchange.headers, "host": url.host, "connection": "close" },
    createConnection: () => socket,
    maxHeaderSize: HEADER_BYTES,
  });
  const close = () => {
    request.destroy();
    // destroy() closes the connection only if the request already uses it.
    hangUp();
  };
  signal.addEventListener("abort", close);
  request.on("response", resolve);
  // These listeners stay after the answer, because a connection can also fail between two reads.
  request.on("error", reject);
  socket.on("error", reject);
  request.end();
  try {
    signal.throwIfAborted();
    const reply = await watched(promise, (stalled) => request.destroy(stalled), exchange);
    reply.on("error", () => {});
    const chunks = readChunks(reply, close, exchange);
    return { status: reply.statusCode!, headers: reply.headers, chunks, discard: close };
  } catch (error) {
    close();
    throw failureOf(error, exchange);
  }
}

async function* readChunks(
  message: IncomingMessage,
  close: () => void,
  exchange: Exchange,
): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await watched(chunks.next(), (stalled) => message.destroy(stalled), exchange);
      if (next.done) break;
      yield next.value;
    }
    // An abort closes the connection. A body without a Content-Length then looks complete.
    exchange.signal.throwIfAborted();
    if (!message.complete) throw brokenOff(exchange);
  } catch (error) {
    throw failureOf(error, exchange);
  } finally {
    close();
  }
}

/** Waits for a promise. Destroys the exchange if the host sends nothing for too long. */
async function watched<T>(
  promise: Promise<T>,
  destroy: (stalled: FetchFailure) => void,
  { url, stall_milliseconds }: Exchange,
): Promise<T> {
  const stalled = () =>
    new FetchFailure("timeout", `${url.hostname}: sends nothing`, { temporary: true });
  const timer = setTimeout(() => destroy(stalled()), stall_milliseconds);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

function failureOf(error: unknown, { url, signal }: Exchange): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof FetchFailure) return error;
  const host = url.hostname;
  const { code, name } = error as { code?: string; name: string };
  if (code === "HPE_HEADER_OVERFLOW") {
    return new FetchFailure("too_large", `${host}: headers of more than ${HEADER_BYTES} bytes`);
  }
  const failed = `${host}: the connection failed (${code ?? name})`;
  return new FetchFailure("network", failed, { temporary: true });
}

function brokenOff({ url }: Exchange): FetchFailure {
  return new FetchFailure("network", `${url.hostname}: the answer broke off`, { temporary: true });
}

/** A host with its checked addresses. */
interface DialRequest {
  url: URL;
  /** The only addresses that are tried, in this order. */
  addresses: readonly string[];
  /** Certificate authorities (PEM) that are trusted in addition to those of the runtime. */
  authorities?: string;
  signal: AbortSignal;
}

/** An open connection. */
interface DialledConnection {
  socket: Duplex;
  /** Closes the connection at once, even while data is sent or received. */
  hangUp(): void;
}

/**
 * Milliseconds, TLS handshake included, after which the next address is tried. The number is
 * chosen, not measured.
 */
const DIAL_MILLISECONDS = 5_000;

/**
 * Connects to the first address that answers.
 * @throws FetchFailure timeout or network (certificate), an error of the system, or the signal's
 * reason
 */
async function dial(
  { url, addresses, authorities, signal }: DialRequest,
): Promise<DialledConnection> {
  let last: unknown;
  for (const address of addresses) {
    const deadline = openDeadline(DIAL_MILLISECONDS, { host: url.hostname, signal });
    try {
      const connection = await connect(url, address, { authorities, signal: deadline.signal });
      return dialled(connection);
    } catch (error) {
      signal.throwIfAborted();
      last = deadline.signal.aborted ? deadline.signal.reason : error;
    } finally {
      deadline.close();
    }
  }
  throw last;
}

function dialled(connection: Deno.Conn): DialledConnection {
  const socket = Duplex.fromWeb({
    readable: connection.readable as ReadableStream,
    writable: connection.writable as WritableStream,
  });
  const hangUp = () => {
    socket.destroy();
    closeQuietly(connection);
  };
  return { socket, hangUp };
}

async function connect(
  url: URL,
  hostname: string,
  { authorities, signal }: Pick<DialRequest, "authorities" | "signal">,
): Promise<Deno.Conn> {
  const secure = url.protocol === "https:";
  const port = Number(url.port) || (secure ? 443 : 80);
  // The option `signal` of Deno.connect() is not used, because it leaks a connection that opens
  // while the signal aborts.
  const connecting = Deno.connect({ hostname, port });
  const plain = await unlessAborted(connecting, signal).catch((error) => {
    connecting.then(closeQuietly, () => {});
    throw error;
  });
  let connection: Deno.Conn = plain;
  const close = () => closeQuietly(connection);
  signal.addEventListener("abort", close);
  try {
    signal.throwIfAborted();
    if (!secure) return plain;
    const name = url.hostname.replace(/^\[|\]$/g, "");
    const caCerts = authorities === undefined ? [] : [authorities];
    const started = await Deno.startTls(plain, { hostname: name, caCerts });
    connection = started;
    await started.handshake();
    return started;
  } catch (error) {
    close();
    throw certificateFailure(error, url) ?? error;
  } finally {
    signal.removeEventListener("abort", close);
  }
}

function certificateFailure(error: unknown, { hostname }: URL): FetchFailure | undefined {
  if (!(error instanceof Deno.errors.InvalidData) || !/certificate/.test(error.message)) return;
  return new FetchFailure("network", `${hostname}: the certificate is refused`);
}

/** Closes a connection that its streams may have closed already. */
function closeQuietly(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}
