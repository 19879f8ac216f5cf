/**
 * Worker that asks questions by several clients. Its event loop is not that of the service, so that
 * the time of asking does not slow down the answers.
 */
import { ask, type Door, type Question } from "./mcp_calls.ts";

/** Questions to ask. Their keys and subjects are used in turn, starting with the first ones. */
export interface Load {
  url: string;
  door: Door;
  question: Question;
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

async function run({ url, door, question, keys, subjects, clients, seconds }: Load) {
  const start = performance.now();
  const end = start + seconds * 1000;
  let calls = 0;
  await Promise.all(Array.from({ length: clients }, async () => {
    while (performance.now() < end) {
      const turn = calls++;
      await ask(door, question, {
        url,
        key: keys[turn % keys.length]!,
        subject: subjects[turn % subjects.length]!,
        request_key: crypto.randomUUID(),
      });
    }
  }));
  return calls / (performance.now() - start) * 1000;
}
