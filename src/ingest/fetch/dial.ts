/**
 * Connects to an address that has been checked, and verifies the certificate against the host's
 * name. It uses Deno's own sockets, because node:https needs permission to read the whole file
 * system.
 */
import { Duplex } from "node:stream";
import type { ReadableStream, WritableStream } from "node:stream/web";
import { openDeadline, unlessAborted } from "./deadline.ts";
import { FetchFailure } from "./failure.ts";

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
export async function dial(
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
