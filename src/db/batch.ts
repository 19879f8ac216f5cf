/** Sends the calls of several requests in one statement. */
import { setImmediate } from "node:timers";

/** Max number of calls per statement. */
const CALLS_MAX = 64;

/** A call that is not sent yet, with the functions that settle its promise. */
interface WaitingCall<Call, Result> {
  call: Call;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Collects the calls of one turn of the event loop, and sends them as one statement. The round trip
 * of a short statement takes several times as long as its execution.
 *
 * Use it only for calls that wait for no lock, because a waiting call delays all calls of its
 * statement. In traces, the statement belongs to the first of its calls.
 */
export class Batch<Call, Result> {
  readonly #send: (calls: Call[]) => Promise<Result[]>;
  #waiting: WaitingCall<Call, Result>[] = [];

  /** @param send sends all calls, and returns a result for each in their order */
  constructor(send: (calls: Call[]) => Promise<Result[]>) {
    this.#send = send;
  }

  /** Returns the result of a call. Rejects with the error of the statement that contained it. */
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
