/** A proxy in front of a server that can fail in several ways. */
export interface Proxy {
  /** Address of the proxy. */
  url: string;
  /** Drops all further bytes on the present connections, without closing them. */
  fallSilent(): void;
  /** Number of connections that drop bytes and that the client has not closed. */
  readonly silentConnections: number;
  /** Cuts each present connection when the server next sends bytes, before they are forwarded. */
  cutAtAnswer(): void;
  /** Cuts every connection, and accepts no new ones until `restore`. */
  cut(): void;
  /** Resolves when connections are accepted again. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy in front of the server at an address. */
export function startProxy(target: string): Proxy {
  const { hostname, port } = new URL(target);
  const connections = new Set<Deno.Conn>();
  const running = new Set<Promise<void>>();
  const silent = new WeakSet<Deno.Conn>();
  const servers = new Set<Deno.Conn>();
  const doomed = new WeakSet<Deno.Conn>();
  let listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const address = listener.addr;
  const accept = async (accepting: Deno.TcpListener) => {
    for await (const client of accepting) track(serve(client));
  };
  const serve = async (client: Deno.Conn) => {
    connections.add(client);
    const server = await Deno.connect({ hostname, port: Number(port) });
    connections.add(server);
    servers.add(server);
    await Promise.all([pass(client, server), pass(server, client)]);
  };
  const pass = async (from: Deno.Conn, to: Deno.Conn) => {
    const buffer = new Uint8Array(65536);
    try {
      for (let size; (size = await from.read(buffer)) !== null;) {
        if (doomed.has(from)) break;
        for (let sent = silent.has(from) ? size : 0; sent < size;) {
          sent += await to.write(buffer.subarray(sent, size));
        }
      }
    } catch {
      // The connection was cut. The other direction ends, too.
    }
    for (const end of [from, to]) closeConnection(end);
  };
  const closeConnection = (connection: Deno.Conn) => {
    servers.delete(connection);
    if (!connections.delete(connection)) return;
    connection.close();
  };
  const track = (work: Promise<void>) => {
    const tracked = work.catch(() => {}).finally(() => running.delete(tracked));
    running.add(tracked);
  };
  track(accept(listener));
  const url = new URL(target);
  url.host = `127.0.0.1:${address.port}`;
  return {
    url: url.href,
    fallSilent: () => connections.forEach((connection) => silent.add(connection)),
    get silentConnections() {
      return [...connections].filter((one) => silent.has(one) && !servers.has(one)).length;
    },
    cutAtAnswer: () => servers.forEach((connection) => doomed.add(connection)),
    cut() {
      listener.close();
      for (const connection of [...connections]) closeConnection(connection);
    },
    async restore() {
      listener = await listenAgain(address.port);
      track(accept(listener));
    },
    async close() {
      this.cut();
      await Promise.all([...running]);
    },
  };
}

/** Listens at a port again, as soon as it is free. Another process may have taken it meanwhile. */
async function listenAgain(port: number): Promise<Deno.TcpListener> {
  for (;;) {
    try {
      return Deno.listen({ hostname: "127.0.0.1", port });
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
