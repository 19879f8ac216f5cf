/** A TCP proxy on loopback between one process and PostgreSQL. It injects faults. */
import type { Choose } from "../../src/demo/random.ts";
import { type Fault, Line, type Rule } from "./proxy_line.ts";

/** A fault that is triggered by a statement. */
export interface Trap {
  /** Resolves when the trap has hit the statement of a connection. */
  sprung: Promise<void>;
  /** Passes on a statement that is held back, and removes the trap. */
  release(): void;
}

export interface FaultProxy extends AsyncDisposable {
  /** Address of the database through the proxy. */
  url: string;
  /** Number of open connections. */
  readonly open: number;
  /** Cuts each open connection with this probability. Returns the number of cut connections. */
  cut(probability?: number): number;
  /** Cuts all connections and refuses new ones until `accept`. */
  refuse(): void;
  /** Accepts connections again, at the same port. */
  accept(): Promise<void>;
  /** Sets the fault of all open connections, and of later ones if `lasting`. */
  set(fault: Fault, lasting?: boolean): void;
  /**
   * Cuts the next connection that executes the statement, as soon as the server's answer is
   * complete. The client gets nothing of that answer.
   */
  cutAtAnswer(statement: string): Trap;
  /** Holds the next connection that executes the statement before the server has received it. */
  holdBefore(statement: string): Trap;
}

const MILLISECONDS_BETWEEN_TRIES = 50;

/** Starts the proxy. `choose` draws the failing connections and the delays from its seed. */
export function startFaultProxy(target: string, choose: Choose): FaultProxy {
  const lines = new Set<Line>();
  const running = new Set<Promise<void>>();
  const rules = new Set<Rule>();
  const releases = new Set<() => void>();
  let fault: Fault = { kind: "none" };
  let listener: Deno.TcpListener | undefined = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const { hostname, port: serverPort } = new URL(target);
  const serve = async (client: Deno.TcpConn) => {
    const server = await Deno.connect({ hostname, port: Number(serverPort) }).catch(() => {});
    if (server === undefined) return client.close();
    const line = new Line(client, server, { rules, choose, fault });
    lines.add(line);
    await line.run();
    lines.delete(line);
  };
  const track = (work: Promise<void>) => {
    const tracked = work.catch(() => {}).finally(() => running.delete(tracked));
    running.add(tracked);
  };
  const listen = async (listening: Deno.TcpListener) => {
    for await (const client of listening) track(serve(client));
  };
  const trap = (statement: string, kind: Rule["kind"]): Trap => {
    const sprung = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const rule: Rule = { statement, kind, spring: sprung.resolve, released: released.promise };
    rules.add(rule);
    releases.add(released.resolve);
    return {
      sprung: sprung.promise,
      release() {
        rules.delete(rule);
        released.resolve();
      },
    };
  };
  const cut = (probability = 1) => {
    const chosen = [...lines].filter(() => choose.integer(0, 999) < probability * 1000);
    for (const line of chosen) line.close();
    return chosen.length;
  };
  const refuse = () => {
    listener?.close();
    listener = undefined;
    cut();
  };
  track(listen(listener));
  const url = new URL(target);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    get open() {
      return lines.size;
    },
    cut,
    refuse,
    async accept() {
      listener ??= await listenAgain(port);
      track(listen(listener));
    },
    set(next, lasting = true) {
      if (lasting) fault = next;
      for (const line of lines) line.fault = next;
    },
    cutAtAnswer: (statement) => trap(statement, "cut"),
    holdBefore: (statement) => trap(statement, "hold"),
    async [Symbol.asyncDispose]() {
      for (const release of releases) release();
      refuse();
      await Promise.all([...running]);
    },
  };
}

/** Listens at a port as soon as it is free. Another process may use it for a moment. */
async function listenAgain(port: number): Promise<Deno.TcpListener> {
  for (let tries = 0;; tries++) {
    try {
      return Deno.listen({ hostname: "127.0.0.1", port });
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse) || tries > 600) throw error;
      await new Promise((resolve) => setTimeout(resolve, MILLISECONDS_BETWEEN_TRIES));
    }
  }
}
