/** A TCP load balancer on loopback. It passes each new connection to the next server in turn. */
interface Balancer extends AsyncDisposable {
  url: string;
  /** Number of connections per server, in the order of the servers. */
  readonly connection_counts: readonly number[];
}

/**
 * Starts a balancer.
 * @param targets addresses of the servers, such as `http://127.0.0.1:8080`
 */
export function startBalancer(targets: readonly string[]): Balancer {
  const servers = targets.map((target) => new URL(target));
  const connection_counts = servers.map(() => 0);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  const running = new Set<Promise<void>>();
  let turn = 0;
  const serve = async (client: Deno.Conn, place: number) => {
    open.add(client);
    try {
      const { hostname, port } = servers[place]!;
      const server = await Deno.connect({ hostname, port: Number(port) });
      open.add(server);
      connection_counts[place]!++;
      // When one side closes, the other connection is closed, too.
      await Promise.race([
        client.readable.pipeTo(server.writable),
        server.readable.pipeTo(client.writable),
      ].map((passing) => passing.catch(() => {})));
      close(server);
    } finally {
      close(client);
    }
  };
  const close = (connection: Deno.Conn) => {
    if (!open.delete(connection)) return;
    try {
      connection.close();
    } catch (error) {
      // The streams have closed the connection.
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
  };
  const track = (work: Promise<void>) => {
    const tracked = work.catch(() => {}).finally(() => running.delete(tracked));
    running.add(tracked);
  };
  track((async () => {
    for await (const client of listener) track(serve(client, turn++ % servers.length));
  })());
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    connection_counts,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of [...open]) close(connection);
      await Promise.all([...running]);
    },
  };
}
