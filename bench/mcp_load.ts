/**
 * Worker that makes calls by several clients. Its event loop is not that of the service, so that
 * the time of calling does not slow down the answers.
 */
import { type CallKind, type Door, makeCall } from "./mcp_calls.ts";

/** Calls to make. Their keys and subjects are used in turn, starting with the first ones. */
export interface Load {
  url: string;
  door: Door;
  kind: CallKind;
  keys: readonly string[];
  subjects: readonly (string | number)[];
  clients: number;
  seconds: number;
}

/** Result of a load: calls per second, or the message of an error. */
export type Loaded = { rate: number } | { error: string };

declare const self: {
  onmessage: (event: MessageEvent<Load>) => void;
  postMessage(loaded: Loaded): void;
};

self.onmessage = async ({ data }) => {
  try {
    self.postMessage({ rate: await run(data) });
  } catch (error) {
    self.postMessage({ error: (error as Error).message });
  }
};

async function run({ url, door, kind, keys, subjects, clients, seconds }: Load) {
  const start = performance.now();
  const end = start + seconds * 1000;
  let calls = 0;
  await Promise.all(Array.from({ length: clients }, async () => {
    while (performance.now() < end) {
      const turn = calls++;
      await makeCall(door, kind, {
        url,
        key: keys[turn % keys.length]!,
        subject: subjects[turn % subjects.length]!,
        request_key: crypto.randomUUID(),
      });
    }
  }));
  return calls / (performance.now() - start) * 1000;
}
