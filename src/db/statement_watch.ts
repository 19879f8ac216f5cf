/** The times of one statement, from the wait for a connection to its end. */
import type { Metrics } from "../metrics.ts";

/** Takes the times of a statement and hands them to the metrics once. */
export class StatementWatch {
  readonly #metrics: Pick<Metrics, "statementEnded">;
  readonly #started = performance.now();
  #sent: number | undefined;
  #over = false;

  constructor(metrics: Pick<Metrics, "statementEnded">) {
    this.#metrics = metrics;
  }

  /** Notes that the statement has got a connection. */
  sent(): void {
    this.#sent = performance.now();
  }

  /** Notes the end of the statement, and its error if it failed. */
  ended(error?: unknown): void {
    if (this.#over) return;
    this.#over = true;
    const now = performance.now();
    const sent = this.#sent ?? now;
    this.#metrics.statementEnded({
      waited_seconds: (sent - this.#started) / 1000,
      seconds: (now - sent) / 1000,
      error: error === undefined ? undefined : errorTypeOf(error),
    });
  }
}

/** Returns the code of an error, or of its cause: a SQLSTATE or a name such as `DEADLINE`. */
function errorTypeOf(error: unknown): string {
  const { cause, code } = Object(error) as { cause?: unknown; code?: unknown };
  if (cause !== undefined) return errorTypeOf(cause);
  return typeof code === "string" && /^[A-Z0-9_]{1,40}$/.test(code) ? code : "_OTHER";
}
