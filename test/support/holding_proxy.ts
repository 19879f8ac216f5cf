/** A proxy in front of a search node that can delay a statement, as a slow network would. */
export interface HoldingProxy extends AsyncDisposable {
  /** Address of the proxy. */
  url: string;
  /**
   * Delays the next bytes of a client that contain a text, and all bytes that the client sends
   * after them. Resolves when the proxy has received such bytes.
   */
  hold(text: string): Promise<void>;
  /** Forwards the delayed bytes. Resolves when the node has answered them. */
  release(): Promise<void>;
  /** Closes the connections of clients. Delayed bytes can still be released. */
  hangUp(): void;
}

/** A delay of the bytes that contain a text. */
interface Hold {
  text: string;
  seen: PromiseWithResolvers<void>;
  released: PromiseWithResolvers<void>;
  answered: PromiseWithResolvers<void>;
}

/**
 * Starts a proxy.
 * @param target `host:port` of the node
 */
export function startHoldingProxy(target: string): HoldingProxy {
  const [hostname, port] = target.split(":") as [string, string];
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  const clients = new Set<Deno.Conn>();
  /** Delays, by the connection to the node on which their bytes are forwarded. */
  const forwarded = new Map<Deno.Conn, Hold>();
  const running = new Set<Promise<void>>();
  const decoder = new TextDecoder("latin1");
  let wanted: Hold | undefined;
  let held: Hold | undefined;

  const passToNode = async (to: Deno.Conn, bytes: Uint8Array) => {
    if (wanted !== undefined && decoder.decode(bytes).includes(wanted.text)) {
      held = wanted;
      wanted = undefined;
      forwarded.set(to, held);
      held.seen.resolve();
      await held.released.promise;
    }
    for (let sent = 0; sent < bytes.length;) sent += await to.write(bytes.subarray(sent));
  };
  const passToClient = async (to: Deno.Conn, bytes: Uint8Array, from: Deno.Conn) => {
    forwarded.get(from)?.answered.resolve();
    for (let sent = 0; sent < bytes.length;) sent += await to.write(bytes.subarray(sent));
  };
  const pass = async (from: Deno.Conn, to: Deno.Conn, forward: typeof passToClient) => {
    const buffer = new Uint8Array(65_536);
    try {
      for (let size; (size = await from.read(buffer)) !== null;) {
        await forward(to, buffer.slice(0, size), from);
      }
    } catch {
      // One side has closed its connection. The other connection is closed, too.
    }
    for (const end of [from, to]) close(end);
  };
  const close = (connection: Deno.Conn) => {
    forwarded.get(connection)?.answered.resolve();
    clients.delete(connection);
    if (open.delete(connection)) connection.close();
  };
  const serve = async (client: Deno.Conn) => {
    open.add(client);
    clients.add(client);
    const server = await Deno.connect({ hostname, port: Number(port) });
    open.add(server);
    await Promise.all([pass(client, server, passToNode), pass(server, client, passToClient)]);
  };
  const accepting = (async () => {
    for await (const client of listener) {
      const serving = serve(client).catch(() => {}).finally(() => running.delete(serving));
      running.add(serving);
    }
  })();
  return {
    url: `mysql://127.0.0.1:${listener.addr.port}`,
    hold(text) {
      wanted = {
        text,
        seen: Promise.withResolvers(),
        released: Promise.withResolvers(),
        answered: Promise.withResolvers(),
      };
      return wanted.seen.promise;
    },
    async release() {
      held?.released.resolve();
      await held?.answered.promise;
    },
    hangUp: () => [...clients].forEach(close),
    async [Symbol.asyncDispose]() {
      listener.close();
      wanted = undefined;
      held?.released.resolve();
      [...open].forEach(close);
      await Promise.all([...running, accepting]);
    },
  };
}

/** Forwards the delayed statement, and delays the next statement that contains a text. */
export async function holdNext(proxy: HoldingProxy, text: string): Promise<void> {
  const received = proxy.hold(text);
  void proxy.release();
  await received;
}
