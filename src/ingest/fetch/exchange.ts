/**
 * Sends one request over its own connection, and reads the answer. The connection goes to an address
 * that has been checked, and the certificate is verified against the host's name. It does not use
 * node:https, which needs a permission for the certificates of the system.
 */
import { type IncomingHttpHeaders, type IncomingMessage, request as send } from "node:http";
import { connect as connectPlain, isIP, type Socket, type TcpNetConnectOpts } from "node:net";
import { connect as connectSecure } from "node:tls";
import { FetchFailure } from "./failure.ts";

/** One GET to a host whose addresses have been resolved and checked. */
interface Exchange {
  url: URL;
  headers: Record<string, string>;
  /** The only addresses to connect to. */
  addresses: readonly string[];
  /** Max milliseconds without a byte, before the headers and between two parts of the body. */
  stall_milliseconds: number;
  /** Certificate authorities (PEM) that are trusted instead of those of the runtime. */
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
  signal.throwIfAborted();
  const socket = dial(exchange);
  const request = send({
    path: url.pathname + url.search,
    headers: { ...exchange.headers, "host": url.host, "connection": "close" },
    createConnection: () => socket,
    maxHeaderSize: HEADER_BYTES,
  });
  const close = () => {
    request.destroy();
    // The request closes the connection only if it already uses it.
    socket.destroy();
  };
  signal.addEventListener("abort", close);
  request.on("response", resolve);
  // These listeners stay after the answer, because a connection can also fail between two reads.
  request.on("error", reject);
  socket.on("error", reject);
  request.end();
  try {
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

/** Matches the codes of certificates that cannot be verified. */
const CERTIFICATE_CODES = /CERT|SIGNATURE|ISSUER|HOSTNAME_MISMATCH/;

function failureOf(error: unknown, { url, signal }: Exchange): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof FetchFailure) return error;
  const host = url.hostname;
  const { code, name } = error as { code?: string; name: string };
  if (code === "HPE_HEADER_OVERFLOW") {
    return new FetchFailure("too_large", `${host}: headers of more than ${HEADER_BYTES} bytes`);
  }
  if (code !== undefined && CERTIFICATE_CODES.test(code)) {
    return new FetchFailure("network", `${host}: the certificate is refused`);
  }
  const failed = `${host}: the connection failed (${code ?? name})`;
  return new FetchFailure("network", failed, { temporary: true });
}

/**
 * Milliseconds after which the next address of a host is tried. The number is chosen, not measured.
 */
const DIAL_MILLISECONDS = 5_000;

/** Connects to the first address that answers, and verifies the certificate against the name. */
function dial({ url, addresses, authorities }: Exchange): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const secure = url.protocol === "https:";
  const options: TcpNetConnectOpts = {
    host,
    port: Number(url.port) || (secure ? 443 : 80),
    lookup: (_host, _options, found) =>
      found(null, addresses.map((address) => ({ address, family: isIP(address) }))),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: DIAL_MILLISECONDS,
  };
  if (!secure) return connectPlain(options);
  // An IP address is verified too, but it is not sent as a name.
  const servername = isIP(host) ? undefined : host;
  return connectSecure({ ...options, servername, ca: authorities });
}
