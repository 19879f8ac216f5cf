/** The spans that a process sends to a collector. They contain no text of a caller. */
import assert from "node:assert/strict";
import { type CollectedSpan, type Collector, startCollector } from "./support/collector.ts";
import { serverTest } from "./support/database.ts";
import { createCaller } from "./support/factories.ts";
import { type Service, startService } from "./support/service.ts";
import { eventually } from "./support/waiting.ts";

/** Spans of a metered request, in the order of the steps of ARCHITECTURE.md. */
const STAGES = ["door", "normalize", "claim", "perform", "settle", "replay"];

/** Words of requests. None may leave the process. */
const WORDS = ["zanzibar", "customer.example", "no-such-page", "wandering"];

async function withTracing(
  DATABASE_URL: string,
  body: (service: Service) => Promise<void>,
): Promise<Collector> {
  await using collector = startCollector();
  await using service = await startService({
    env: {
      DATABASE_URL,
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: "50",
    },
  });
  await body(service);
  await eventually(
    "the last span",
    () => Promise.resolve(collector.spans.some(({ name }) => name === "GET /api/usage")),
  );
  await service.stop();
  return collector;
}

async function ask(
  { url }: Service,
  path: string,
  { key, body }: { key: string; body?: unknown },
): Promise<string> {
  const response = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "idempotency-key": "wandering-key",
      "accept": "application/json, text/event-stream",
      ...body === undefined ? {} : { "content-type": "application/json" },
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  await response.text();
  return response.headers.get("request-id")!;
}

function toolCall(args: Record<string, unknown>) {
  const params = { name: "search_companies", arguments: args };
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params };
}

const CLAIM = "a traced process sends stages, functions and tools, but no text of a caller";
serverTest(CLAIM, async (t) => {
  const { key } = await createCaller(t.sql);
  let search = "", lookup = "";
  const { spans, texts } = await withTracing(t.url, async (service) => {
    search = await ask(service, "/api/companies/search", {
      key,
      body: { query: "zanzibar warehouse", limit: 1 },
    });
    lookup = await ask(service, "/api/companies?domains%5B%5D=customer.example", { key });
    await ask(service, "/no-such-page?q=zanzibar", { key });
    await ask(service, "/mcp", { key, body: toolCall({ query: "zanzibar" }) });
    await ask(service, "/api/usage?zanzibar=1", { key });
  });
  const one = (where: (span: CollectedSpan) => boolean) => {
    const matching = spans.filter(where);
    assert.equal(matching.length, 1, JSON.stringify(matching));
    return matching[0]!;
  };
  const request = one(({ attributes }) => attributes["request_id"] === search);
  assert.equal(request.name, "POST /api/companies/search");
  assert.equal(request.attributes["http.route"], "/api/companies/search");
  const stages = spans.filter(({ parent }) => parent === request.id).map(({ name }) => name);
  assert.deepEqual(stages.filter((name) => STAGES.includes(name)), STAGES);
  const settle = one(({ parent, name }) => parent === request.id && name === "settle");
  const statement = one(({ parent }) => parent === settle.id);
  assert.equal(statement.attributes["db.stored_procedure.name"], "settle_operation");
  const refused = one(({ attributes }) => attributes["request_id"] === lookup);
  assert.equal(refused.attributes["error.type"], "idempotency_conflict");
  const call = one(({ name }) => name === "tools/call");
  assert.equal(call.attributes["mcp.method.name"], "tools/call");
  assert.equal(call.attributes["gen_ai.tool.name"], "search_companies");
  assert.equal(call.attributes["error.type"], "idempotency_conflict");
  for (const text of texts) {
    for (const word of [...WORDS, key, "url.full", "url.query", "url.path"]) {
      assert.ok(!text.includes(word), `${word} in ${text.slice(0, 2_000)}`);
    }
  }
});
