/** Lets other programs of the same user reach an embedded database through a socket. */
import { once } from "node:events";
import { rmSync } from "node:fs";
import { Duplex } from "node:stream";
import { setImmediate } from "node:timers";
import { errorFields, type Log } from "../log.ts";
import type { Bridge } from "./bridge.ts";

/**
 * Returns the path at which clients expect the socket of port 5432 in a directory, as in `psql -h
 * DATA_DIR -U postgres`.
 */
export const privateSocketPath = (data_dir: string): string => `${data_dir}/.s.PGSQL.5432`;

interface PrivateSocketOptions {
  bridge: Bridge;
  /** Directory whose lock this process holds. It may contain the socket of a dead process. */
  data_dir: string;
  log: Log;
}

/**
 * Serves the private socket. Logs a warning and returns undefined if the socket cannot be created,
 * for instance because its path is longer than 107 bytes.
 */
export function servePrivateSocket(options: PrivateSocketOptions) {
  const { bridge, data_dir, log } = options;
  const path = privateSocketPath(data_dir);
  let listener: Deno.UnixListener;
  try {
    listener = listen(path);
  } catch (error) {
    log.warn("no private socket: other commands cannot use this database", errorFields(error));
    return;
  }
  const streams = new Set<Duplex>();
  const accepting = (async () => {
    for await (const connection of listener) {
      // The types of Deno's streams and of Node's differ, but the streams do not.
      const stream = Duplex.fromWeb(connection as never);
      streams.add(stream);
      stream.on("close", () => streams.delete(stream));
      serveStream(bridge, stream, { foreign: true });
    }
  })();
  return {
    async close() {
      rmSync(path, { force: true });
      listener.close();
      await accepting;
      await Promise.all(Array.from(streams, (stream) => once(stream.destroy(), "close")));
    },
  };
}

/**
 * Creates the socket, in place of that of a dead process. Connections need no password. The umask of
 * the process (main.ts) keeps others away until the mode is set.
 */
function listen(path: string): Deno.UnixListener {
  rmSync(path, { force: true });
  const listener = Deno.listen({ transport: "unix", path });
  Deno.chmodSync(path, 0o600);
  return listener;
}

/** Serves a client of the bridge until either side closes the stream. */
export function serveStream(bridge: Bridge, stream: Duplex, options: { foreign: boolean }): void {
  const connection = bridge.attach({
    send: (bytes) => void stream.write(bytes),
    close: () => void stream.end(() => stream.destroy()),
  }, options);
  // The answer must not arrive before the client's call of write has returned. It takes a turn of the
  // event loop: otherwise, many statements in a row would keep the process from its timers and its
  // callers.
  stream.on("data", (bytes) => setImmediate(() => connection.receive(bytes)));
  stream.on("end", () => setImmediate(() => stream.destroy()));
  stream.on("close", () => connection.hangUp());
  // An error is followed by the event `close`.
  stream.on("error", () => {});
}
