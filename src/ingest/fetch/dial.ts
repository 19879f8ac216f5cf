/**
 * Connects to an address that has been judged, and checks the certificate against the name. The
 * runtime's own sockets do it, for its node:https wants to be let read the whole system.
 */
import { Duplex } from "node:stream";
import type { ReadableStream, WritableStream } from "node:stream/web";
import { openDeadline, unlessAborted } from "./deadline.ts";
import { FetchFailure } from "./failure.ts";

interface Dialled {
  url: URL;
  /** Tried in this order, and no others. */
  addresses: readonly string[];
  /** PEM, trusted besides the runtime's authorities. */
  authorities?: string;
  signal: AbortSignal;
}

/** An open connection. */
export interface DialledConnection {
  socket: Duplex;
  /** Closes it at once, whatever is under way on it. */
  hangUp(): void;
}

/** Milliseconds for one address, handshake included. After them, the next address is tried. */
const DIAL_MILLISECONDS = 5_000;

/** @throws FetchFailure timeout, network (a certificate); what the system says; the signal's reason */
export async function dial(
  { url, addresses, authorities, signal }: Dialled,
): Promise<DialledConnection> {
  let last: unknown;
  for (const address of addresses) {
    const deadline = openDeadline(DIAL_MILLISECONDS, { host: url.hostname, signal });
    try {
      const connection = await connect(url, address, { authorities, signal: deadline.signal });
      return lineOf(connection);
    } catch (error) {
      signal.throwIfAborted();
      last = deadline.signal.aborted ? deadline.signal.reason : error;
    } finally {
      deadline.close();
    }
  }
  throw last;
}

function lineOf(connection: Deno.Conn): DialledConnection {
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
  { authorities, signal }: Pick<Dialled, "authorities" | "signal">,
): Promise<Deno.Conn> {
  const secure = url.protocol === "https:";
  const port = Number(url.port) || (secure ? 443 : 80);
  // Its own `signal` forgets a connection that came about as it aborted, and leaves it open.
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

/** A connection that its streams have closed is closed. */
function closeQuietly(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}
