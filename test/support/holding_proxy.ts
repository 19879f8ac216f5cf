/** A line to a search node on which a statement can be held back, as by a network that is slow. */
export interface HoldingProxy extends AsyncDisposable {
  /** Address of the node by way of the proxy. */
  url: string;
  /**
   * Holds back the next bytes of a client that contain a text, and what the client sends after them.
   * Resolves when there are such bytes.
   */
  hold(text: string): Promise<void>;
  /** Passes on what is held back. Resolves when the node has answered it. */
  release(): Promise<void>;
  /** Closes the connections of clients. What is held back can still be released. */
  hangUp(): void;
}

/** A text that is waited for. */
interface Hold {
  text: string;
  seen: PromiseWithResolvers<void>;
  released: PromiseWithResolvers<void>;
  answered: PromiseWithResolvers<void>;
}

/** @param target `host:port` */
export function startHoldingProxy(target: string): HoldingProxy {
  const [hostname, port] = target.split(":") as [string, string];
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  const clients = new Set<Deno.Conn>();
  /** Holds that were passed on to a node, by its connection. Their answers are awaited. */
  const asked = new Map<Deno.Conn, Hold>();
  const running = new Set<Promise<void>>();
  const decoder = new TextDecoder("latin1");
  let wanted: Hold | undefined;
  let held: Hold | undefined;

  const passOne = async (to: Deno.Conn, bytes: Uint8Array) => {
    if (wanted !== undefined && decoder.decode(bytes).includes(wanted.text)) {
      held = wanted;
      wanted = undefined;
      asked.set(to, held);
      held.seen.resolve();
      await held.released.promise;
    }
    for (let sent = 0; sent < bytes.length;) sent += await to.write(bytes.subarray(sent));
  };
  const passBack = async (to: Deno.Conn, bytes: Uint8Array, from: Deno.Conn) => {
    asked.get(from)?.answered.resolve();
    for (let sent = 0; sent < bytes.length;) sent += await to.write(bytes.subarray(sent));
  };
  const pass = async (from: Deno.Conn, to: Deno.Conn, one: typeof passBack) => {
    const buffer = new Uint8Array(65_536);
    try {
      for (let size; (size = await from.read(buffer)) !== null;) {
        await one(to, buffer.slice(0, size), from);
      }
    } catch {
      // Closed at one end: the other one follows.
    }
    for (const end of [from, to]) close(end);
  };
  const close = (connection: Deno.Conn) => {
    asked.get(connection)?.answered.resolve();
    clients.delete(connection);
    if (open.delete(connection)) connection.close();
  };
  const serve = async (client: Deno.Conn) => {
    open.add(client);
    clients.add(client);
    const server = await Deno.connect({ hostname, port: Number(port) });
    open.add(server);
    await Promise.all([pass(client, server, passOne), pass(server, client, passBack)]);
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

/** Passes on the held statement, and holds back the next statement that contains a text. */
export async function holdNext(line: HoldingProxy, text: string): Promise<void> {
  const held = line.hold(text);
  void line.release();
  await held;
}
