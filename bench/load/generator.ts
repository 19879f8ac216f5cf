/** Worker that sends requests, so that they do not use the event loop of the measured service. */
import { Connection } from "./connection.ts";
import { KEY_PLACE } from "./requests.ts";

/** Requests of a load, the number of clients, and the duration. */
export interface Load {
  port: number;
  /** Texts of requests, sent in this order and then from the start again. */
  requests: readonly string[];
  clients: number;
  seconds: number;
  /**
   * Requests per second that become due, whether or not earlier ones are answered. Latency then
   * counts from the moment at which a request was due. If absent, each client sends the next
   * request as soon as it has an answer.
   */
  rate?: number;
  /** Seconds at the start that are not measured, while connections and caches warm up. */
  warm_up_seconds?: number;
}

/**
 * Result of a load: calls per second, and the median and 99th percentile of milliseconds per call.
 */
export interface Loaded {
  rate: number;
  p50: number;
  p99: number;
}

declare const self: {
  onmessage: (event: MessageEvent<Load>) => void;
  postMessage(answer: Loaded | { error: string }): void;
};

self.onmessage = async ({ data }) => {
  try {
    self.postMessage(await run(data));
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};

async function run(
  { port, requests, clients, seconds, rate, warm_up_seconds = 0 }: Load,
): Promise<Loaded> {
  const connections = await Promise.all(
    Array.from({ length: clients }, () => Connection.open(port)),
  );
  const latencies: number[] = [];
  const start = performance.now();
  const counted = start + 1000 * warm_up_seconds;
  const end = counted + 1000 * seconds;
  let calls = 0;
  const client = async (connection: Connection) => {
    while (true) {
      const turn = calls;
      const due = rate === undefined ? performance.now() : start + 1000 * turn / rate;
      if (due >= end) return;
      calls++;
      const early = due - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      const text = requests[turn % requests.length]!;
      await connection.ask(text.replaceAll(KEY_PLACE, () => crypto.randomUUID()));
      if (due >= counted) latencies.push(performance.now() - due);
    }
  };
  try {
    await Promise.all(connections.map(client));
  } finally {
    for (const connection of connections) connection.close();
  }
  const spent = (performance.now() - counted) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.ceil(share * latencies.length) - 1]!;
  return { rate: latencies.length / spent, p50: at(0.5), p99: at(0.99) };
}
