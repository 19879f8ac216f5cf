/** An OpenTelemetry collector on loopback that keeps everything it receives. */

/** Members of a span in OTLP's JSON that tests use. */
interface SentSpan {
  name: string;
  spanId: string;
  parentSpanId?: string;
  attributes?: { key: string; value: { stringValue?: string } }[];
}

/** A span whose attributes are the members of an object. */
export interface CollectedSpan {
  name: string;
  id: string;
  parent: string;
  attributes: Record<string, string | undefined>;
}

/** A running collector. It is stopped at the end of its block. */
export interface Collector extends AsyncDisposable {
  url: string;
  /** Bodies of all requests. */
  texts: string[];
  spans: CollectedSpan[];
}

/** Starts a collector that accepts `http/json`. */
export function startCollector(): Collector {
  const texts: string[] = [];
  const spans: CollectedSpan[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (r) => {
    const text = await r.text();
    texts.push(text);
    spans.push(...spansIn(text).map(collected));
    return Response.json({});
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    texts,
    spans,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function spansIn(text: string): SentSpan[] {
  const { resourceSpans = [] }: {
    resourceSpans?: { scopeSpans: { spans: SentSpan[] }[] }[];
  } = JSON.parse(text);
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans).flatMap(({ spans }) => spans);
}

function collected({ name, spanId, parentSpanId = "", attributes = [] }: SentSpan): CollectedSpan {
  const values = attributes.map(({ key, value }) => [key, value.stringValue]);
  return { name, id: spanId, parent: parentSpanId, attributes: Object.fromEntries(values) };
}
