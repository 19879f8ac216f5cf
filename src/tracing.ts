/**
 * Writes spans of requests with the OpenTelemetry of the runtime (`OTEL_DENO=true`). Without it,
 * this module does nothing. No span contains text of a caller, such as a URL or the message of an
 * error.
 */
import { type Attributes, ProxyTracer, type Span, SpanKind, trace } from "@opentelemetry/api";
import { Failure } from "./failures.ts";

const tracer = trace.getTracer("company-evidence");

/** True if the runtime traces. The runtime has then replaced the placeholder tracer. */
export const isTracing = !(tracer instanceof ProxyTracer);

/**
 * Attributes that the runtime sets on its spans of received and sent requests. They are hidden,
 * because queries contain hostnames of customers, and paths contain text of callers.
 */
const HIDDEN: ReadonlySet<string> = new Set(["url.full", "url.path", "url.query"]);

if (isTracing) hideAddresses();

/**
 * Prevents the runtime from setting HIDDEN attributes. Overwriting an attribute would only add a
 * second value.
 */
function hideAddresses(): void {
  const spans: Span = Object.getPrototypeOf(tracer.startSpan("probe"));
  const { setAttribute } = spans;
  if (typeof setAttribute !== "function") throw new Error("Addresses in spans cannot be hidden.");
  spans.setAttribute = function (name, value) {
    return HIDDEN.has(name) ? this : setAttribute.call(this, name, value);
  };
}

/** Runs work in its own span, which records whether the work failed. */
export function inSpan<Result>(
  name: string,
  work: (span?: Span) => Promise<Result>,
): Promise<Result> {
  if (!isTracing) return work();
  return tracer.startActiveSpan(name, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setAttribute("error.type", errorTypeOf(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Describes a request in the span of the runtime. */
export function describeRequest({ method, route, request_id, code }: {
  method: string;
  /** Route as the route table writes it. */
  route: string | undefined;
  request_id: string;
  /** Code of the failure in the answer. */
  code: string | undefined;
}): void {
  if (!isTracing) return;
  const span = trace.getActiveSpan();
  span?.setAttributes(defined({ "http.route": route, request_id, "error.type": code }));
  span?.updateName(route === undefined ? method : `${method} ${route}`);
}

/**
 * Starts the span of an SQL statement.
 *
 * @param procedure name of the SQL function of this project that the statement calls, if any
 */
export function startStatement(procedure: string | undefined): Span {
  return tracer.startSpan(procedure ?? "statement", {
    kind: SpanKind.CLIENT,
    attributes: defined({ "db.system.name": "postgresql", "db.stored_procedure.name": procedure }),
  });
}

/** Returns the attributes that have a value. */
export function defined(attributes: Record<string, string | undefined>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

function errorTypeOf(error: unknown): string {
  if (error instanceof Failure) return error.code;
  return error instanceof Error ? error.name : "_OTHER";
}
