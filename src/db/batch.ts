/** Calls of several requests that share a statement. */
import { setImmediate } from "node:timers";

/** Max number of calls per statement. */
const CALLS_MAX = 64;

interface WaitingCall<Call, Result> {
  call: Call;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Gathers the calls of one turn of the event loop, and sends them as one statement. To send and to
 * receive a statement takes several times as long as a short one takes by itself.
 *
 * It is for calls that wait for no lock, because one that waits holds up those that it is sent with.
 * In traces, the statement belongs to the first of them.
 */
export class Batch<Call, Result> {
  readonly #send: (calls: Call[]) => Promise<Result[]>;
  #waiting: WaitingCall<Call, Result>[] = [];

  /** @param send sends all calls, and returns a result for each in their order */
  constructor(send: (calls: Call[]) => Promise<Result[]>) {
    this.#send = send;
  }

  /** Returns the result of a call. Rejects with the error of the statement that it was part of. */
  call(call: Call): Promise<Result> {
    const { promise, ...settle } = Promise.withResolvers<Result>();
    if (this.#waiting.length === 0) setImmediate(() => this.#sendWaiting());
    this.#waiting.push({ call, ...settle });
    return promise;
  }

  #sendWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let start = 0; start < waiting.length; start += CALLS_MAX) {
      void this.#sendTogether(waiting.slice(start, start + CALLS_MAX));
    }
  }

  async #sendTogether(waiting: WaitingCall<Call, Result>[]): Promise<void> {
    try {
      const results = await this.#send(waiting.map(({ call }) => call));
      for (const [place, { resolve }] of waiting.entries()) resolve(results[place]!);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
