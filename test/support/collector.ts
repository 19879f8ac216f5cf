/** An OpenTelemetry collector on loopback that keeps what it gets. */

/** A span as OTLP's JSON has it, as far as tests look at it. */
interface SentSpan {
  name: string;
  spanId: string;
  parentSpanId?: string;
  attributes?: { key: string; value: { stringValue?: string } }[];
}

/** A span with its attributes by name. */
export interface CollectedSpan {
  name: string;
  id: string;
  parent: string;
  attributes: Record<string, string | undefined>;
}

export interface Collector extends AsyncDisposable {
  url: string;
  /** Everything that was sent, as text. */
  texts: string[];
  spans: CollectedSpan[];
}

/** Starts a collector that takes `http/json`. */
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
