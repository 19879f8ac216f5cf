import { connect, type Socket } from "node:net";
import { connectCopying } from "./copying_socket.ts";
import type { Target } from "./driver.ts";

/**
 * Seconds without traffic until the kernel sends keep-alive probes, which detect a half-open
 * connection.
 */
const KEEP_ALIVE_SECONDS = 30;

/** Returns a function that opens sockets to the hosts of an address in rotation. */
export function openServerSocket(): (target: Target) => Socket {
  let opened = 0;
  return ({ host, port, path, ssl }) => {
    if (path) return openPathSocket(path);
    const index = opened++ % host.length;
    const address = { host: host[index]!, port: port[index] ?? port[0]! };
    const options = { ...address, noDelay: true };
    const socket = ssl ? connect(options) : connectCopying(options);
    socket.setKeepAlive(true, KEEP_ALIVE_SECONDS * 1000);
    // The driver checks the server's certificate against this name.
    return Object.assign(socket, address);
  };
}

/** Opens a Unix socket. */
export function openPathSocket(path: string): Socket {
  return connect({ path });
}

/**
 * Converts an address for the driver. libpq's `?host=/directory`, a directory of sockets, becomes a
 * path.
 * @throws Error if the address is no URL of a database. The message does not contain the address
 */
export function readAddress(database_url: string): { address: string; path?: string } {
  if (!/^postgres(ql)?:\/\//.test(database_url)) {
    throw new Error("The database's address must start with postgres:// or postgresql://.");
  }
  const [address, query = ""] = database_url.split("?", 2) as [string, string?];
  const parameters = new URLSearchParams(query);
  const directory = parameters.get("host");
  if (directory === null) return { address: database_url };
  const port = parameters.get("port") ?? "5432";
  parameters.delete("host");
  parameters.delete("port");
  // The driver requires a host, although it connects to the path.
  const complete = address.replace(/^(\w+:\/\/(?:[^/@]*@)?)\//, "$1localhost/");
  return {
    address: parameters.size > 0 ? `${complete}?${parameters}` : complete,
    path: `${directory}/.s.PGSQL.${port}`,
  };
}
