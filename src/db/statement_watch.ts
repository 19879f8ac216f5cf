/** Measures statements, from the wait for a connection to their end. */
import type { Span } from "@opentelemetry/api";
import type { Metrics } from "../metrics.ts";
import { isTracing, startStatement } from "../tracing.ts";

/** Returns a watch for a statement; undefined if there are neither metrics nor traces. */
export function watchStatement(
  metrics: Pick<Metrics, "statementEnded"> | undefined,
  text: string,
): StatementWatch | undefined {
  if (metrics === undefined && !isTracing) return undefined;
  const span = isTracing ? startStatement(CALL.exec(text)?.[1]) : undefined;
  return new StatementWatch(metrics, span);
}

/** Measures one statement, and reports it once. */
export class StatementWatch {
  readonly #metrics?: Pick<Metrics, "statementEnded">;
  readonly #span?: Span;
  readonly #started = performance.now();
  #sent: number | undefined;
  #over = false;

  constructor(metrics?: Pick<Metrics, "statementEnded">, span?: Span) {
    this.#metrics = metrics;
    this.#span = span;
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
    const type = error === undefined ? undefined : errorTypeOf(error);
    this.#metrics?.statementEnded({
      waited_seconds: (sent - this.#started) / 1000,
      seconds: (now - sent) / 1000,
      error: type,
    });
    if (type !== undefined) this.#span?.setAttribute("error.type", type);
    this.#span?.end();
  }
}

/** Pattern of a statement that only calls a function. */
const CALL = /^\s*select (\w+)\(/;

/** Returns the code of an error, or of its cause: a SQLSTATE or a name such as `DEADLINE`. */
function errorTypeOf(error: unknown): string {
  const { cause, code } = Object(error) as { cause?: unknown; code?: unknown };
  if (cause !== undefined) return errorTypeOf(cause);
  return typeof code === "string" && /^[A-Z0-9_]{1,40}$/.test(code) ? code : "_OTHER";
}
