/** A plain TCP balancer on loopback: each new connection goes to the next server. */
interface Balancer extends AsyncDisposable {
  url: string;
  /** Number of connections that each server was given, in their order. */
  readonly given: readonly number[];
}

/** @param targets addresses such as `http://127.0.0.1:8080` */
export function startBalancer(targets: readonly string[]): Balancer {
  const servers = targets.map((target) => new URL(target));
  const given = servers.map(() => 0);
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
      given[place]!++;
      // The end of either is the end of both.
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
      // Its streams have closed it.
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
    given,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of [...open]) close(connection);
      await Promise.all([...running]);
    },
  };
}
