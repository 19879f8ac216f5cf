/** Lets other programs of the same user reach an embedded database through a socket. */
import { errorFields, type Log } from "../log.ts";
import type { Bridge } from "./bridge.ts";

/**
 * Returns the path at which clients expect the socket of port 5432 in a directory, as in `psql -h
 * DATA_DIR -U postgres`.
 */
export const privateSocketPath = (data_dir: string): string => `${data_dir}/.s.PGSQL.5432`;

/** Returns the private directory in which the socket is created before it is moved to its path. */
const stagingDirectory = (data_dir: string): string => `${data_dir}/.new`;

/**
 * Returns the path at which the socket is created. The process needs permission to listen there.
 */
export const stagingSocketPath = (data_dir: string): string => `${stagingDirectory(data_dir)}/s`;

interface PrivateSocketOptions {
  bridge: Bridge;
  /** Directory whose lock this process holds. It may contain the socket of a dead process. */
  data_dir: string;
  log: Log;
}

/** Access to the embedded database for other processes of the same user. */
interface PrivateSocket {
  close(): Promise<void>;
}

/**
 * Serves the private socket. Logs a warning and returns undefined if the socket cannot be created,
 * for instance because its path is longer than 107 bytes.
 */
export function servePrivateSocket(options: PrivateSocketOptions): PrivateSocket | undefined {
  const { bridge, data_dir, log } = options;
  const path = privateSocketPath(data_dir);
  let listener: Deno.UnixListener;
  try {
    listener = listen(path, data_dir);
  } catch (error) {
    log.warn("no private socket: other commands cannot use this database", errorFields(error));
    return;
  }
  const connections = new Map<Deno.UnixConn, Promise<void>>();
  const accepting = (async () => {
    for await (const connection of listener) {
      const served = serve(connection, bridge).finally(() => connections.delete(connection));
      connections.set(connection, served);
    }
  })();
  return {
    async close() {
      remove(path);
      listener.close();
      await accepting;
      const open = [...connections];
      for (const [connection] of open) closeQuietly(connection);
      await Promise.all(open.map(([, served]) => served));
    },
  };
}

/** Creates the socket in a private directory, then moves it. Connections need no password. */
function listen(path: string, data_dir: string): Deno.UnixListener {
  const directory = stagingDirectory(data_dir);
  const staged = stagingSocketPath(data_dir);
  remove(directory);
  Deno.mkdirSync(directory, { mode: 0o700 });
  let listener: Deno.UnixListener | undefined;
  try {
    listener = Deno.listen({ transport: "unix", path: staged });
    Deno.chmodSync(staged, 0o600);
    // This replaces the socket of a dead process.
    Deno.renameSync(staged, path);
    return listener;
  } catch (error) {
    listener?.close();
    throw error;
  } finally {
    remove(directory);
  }
}

function remove(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

async function serve(socket: Deno.UnixConn, bridge: Bridge): Promise<void> {
  const writer = socket.writable.getWriter();
  const peer = {
    send: (bytes: Uint8Array) => void writer.write(bytes).catch(() => connection.hangUp()),
    close: () => void writer.close().catch(() => {}).finally(() => closeQuietly(socket)),
  };
  const connection = bridge.attach(peer, { foreign: true });
  try {
    for await (const bytes of socket.readable) connection.receive(bytes);
  } catch {
    // The client has disconnected. hangUp() rolls back its transaction.
  } finally {
    connection.hangUp();
    closeQuietly(socket);
  }
}

function closeQuietly(socket: Deno.UnixConn): void {
  try {
    socket.close();
  } catch {
    // The socket was closed before.
  }
}
