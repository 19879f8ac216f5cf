/** The metrics, checked by requests and statements that they count. */
import assert from "node:assert/strict";
import { connect } from "../src/db/connect.ts";
import { serveMetrics } from "../src/http/server.ts";
import { createLog } from "../src/log.ts";
import { Metrics } from "../src/metrics.ts";
import { drain } from "../src/operations/worker.ts";
import { withApp } from "./support/app.ts";
import { oneEngineTest, serverTest } from "./support/database.ts";
import { createCaller, record } from "./support/factories.ts";
import { rpc, toolCall } from "./support/mcp.ts";
import { silent } from "./support/operations.ts";
import { send } from "./support/queue.ts";

/** Returns the values of metrics by name and labels, as Prometheus reads them. */
async function read(metrics: Metrics): Promise<Map<string, number>> {
  return valuesOf(await metrics.registry.metrics());
}

function valuesOf(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => {
    const at = line.lastIndexOf(" ");
    const value = line.slice(at + 1);
    return [line.slice(0, at), value === "+Inf" ? Infinity : Number(value)];
  }));
}

oneEngineTest("metrics count operations, units and refusals, but name no caller", async (t) => {
  const { db, sql } = t;
  const terms = { request_units: 3, delivered_units: 20, window_seconds: 604_800 };
  const { key } = await createCaller(sql, { terms });
  await record(sql, [{ observed_fact: "A freezer warehouse.", company: { name: "Zyxwarm" } }]);
  await send(sql, { queue: "refreshes", message: {} });
  const metrics = new Metrics();
  await withApp(db, async ({ app, ask, search }) => {
    const asked = { query: "freezer" };
    assert.equal((await search(asked, { key, request_key: "one" })).status, 200);
    assert.equal((await search(asked, { key, request_key: "one" })).status, 200);
    const queued = await search({ ...asked, background: true }, { key, request_key: "two" });
    assert.equal(queued.status, 202);
    assert.equal(await drain(app.context, app.actions.metered), 1);
    const large = await search({ ...asked, limit: 25 }, { key, request_key: "large" });
    assert.equal(large.status, 429);
    await rpc(app, toolCall("search_companies", { ...asked, request_key: "three" }), { key });
    assert.equal((await search(asked, { key, request_key: "four" })).status, 429);
    assert.equal((await search({ query: "" }, { key, request_key: "five" })).status, 422);
    await rpc(app, toolCall("search_companies", { query: "", request_key: "six" }), { key });
    await rpc(app, toolCall("nonsense of a caller", {}), { key });
    assert.equal((await ask("/healthz")).status, 200);
    assert.equal((await ask("/nonsense/of/a/caller")).status, 404);
    await app.retriever.source.refresh();
    await app.collect();
  }, { metrics });
  const values = await read(metrics);
  const operations = (door: string, status: string) =>
    values.get(`ce_operations_total{action="search_companies",door="${door}",status="${status}"}`);
  assert.equal(operations("http", "delivered"), 1);
  assert.equal(operations("http", "replayed"), 1);
  assert.equal(operations("http", "accepted"), 1);
  assert.equal(operations("http", "refused"), 3);
  assert.equal(operations("background", "delivered"), 1);
  assert.equal(operations("mcp", "delivered"), 1);
  assert.equal(operations("mcp", "refused"), 1);
  assert.equal(values.get('ce_units_total{unit="request"}'), 3);
  assert.equal(values.get('ce_units_total{unit="delivered"}'), 3);
  assert.equal(values.get('ce_allowance_refusals_total{code="request_limit_reached"}'), 1);
  assert.equal(values.get('ce_allowance_refusals_total{code="delivery_limit_reached"}'), 1);
  // A replay and a refused request search nothing.
  assert.equal(values.get("ce_search_duration_seconds_count"), 3);
  assert.equal(values.get("ce_index_documents"), 1);
  assert.ok(values.get("ce_index_bytes")! > 0);
  assert.ok(values.get("ce_index_lag_seconds")! >= 0);
  assert.equal(values.get('ce_queue_ready{queue="operations"}'), 0);
  assert.equal(values.get('ce_queue_ready{queue="refreshes"}'), 1);
  assert.ok(values.get('ce_queue_oldest_seconds{queue="refreshes"}')! >= 0);
  const http = (labels: string) =>
    values.get(`http_server_request_duration_seconds_count{${labels}}`);
  assert.equal(
    http(
      'http_request_method="POST",http_route="/api/companies/search",' +
        'http_response_status_code="429"',
    ),
    2,
  );
  assert.equal(http('http_request_method="GET",http_route="",http_response_status_code="404"'), 1);
  assert.equal(values.get("http_server_active_requests"), 0);
  const mcp = (labels: string) =>
    values.get(`mcp_server_operation_duration_seconds_count{${labels}}`);
  const tool = 'mcp_method_name="tools/call",gen_ai_tool_name="search_companies"';
  assert.equal(mcp(`${tool},error_type=""`), 1);
  assert.equal(mcp(`${tool},error_type="invalid_search"`), 1);
  assert.equal(mcp('mcp_method_name="tools/call",gen_ai_tool_name="",error_type="-32602"'), 1);
  // The metrics contain neither accounts nor texts of callers and records.
  const text = await metrics.registry.metrics();
  for (const word of ["freezer", "nonsense", "Zyxwarm", "account", "a customer", key]) {
    assert.ok(!text.includes(word), word);
  }
});

serverTest("metrics measure statements, and label failed ones by SQLSTATE", async ({ url }) => {
  const metrics = new Metrics();
  const db = await connect({ database_url: url, data_dir: "", log: silent, metrics });
  // connect() has already checked the server by some statements.
  const before = await read(metrics);
  await db.sql`select 1`;
  await assert.rejects(db.sql`select 1 / 0`);
  await db.close();
  await assert.rejects(db.sql`select 1`);
  const after = await read(metrics);
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const count = (error: string) =>
    grown(
      `db_client_operation_duration_seconds_count{db_system_name="postgresql",` +
        `error_type="${error}"}`,
    );
  assert.equal(count("22012"), 1);
  assert.equal(count("POOL_EXHAUSTED"), 1);
  assert.equal(count(""), 1);
  assert.equal(grown("db_client_connection_wait_time_seconds_count"), 3);
});

oneEngineTest(
  "metrics show the age of sources, and work without a database",
  async ({ db, sql }) => {
    await sql`insert into sources (name) values ('fresh'), ('never')`;
    // The metrics show the feed of a source that is oldest in relation to its interval. This feed
    // is older than the fresh one below, but its interval is much longer.
    await sql`
      insert into source_feeds (source_id, target, refresh_interval, due_at, last_succeeded_at)
      select id, 'rare', interval '90 days', now(), now() - interval '9 h' from sources
    `;
    await sql`
      insert into source_feeds (source_id, refresh_interval, due_at, last_succeeded_at)
      select id, interval '1 h', now(), case name when 'fresh' then now() - interval '90 s' end
      from sources
    `;
    const metrics = new Metrics();
    const lines: string[] = [];
    let isDown = false;
    const flaky = new Proxy(sql, {
      apply: (target, self, args) =>
        isDown ? Promise.reject(new Error("away")) : Reflect.apply(target, self, args),
    });
    const log = createLog("warn", (line) => void lines.push(line));
    await withApp({ ...db, sql: flaky }, async ({ app }) => {
      await app.collect();
      const values = await read(metrics);
      const age = values.get('ce_source_age_seconds{source="fresh"}')!;
      assert.ok(age >= 90 && age < 900, String(age));
      assert.equal(values.get('ce_source_age_seconds{source="never"}'), Infinity);
      for (const source of ["fresh", "never"]) {
        assert.equal(values.get(`ce_source_interval_seconds{source="${source}"}`), 3_600);
      }
      isDown = true;
      await app.collect();
      isDown = false;
      assert.equal((await read(metrics)).get('ce_source_age_seconds{source="fresh"}'), undefined);
    }, { metrics, log });
    assert.ok(lines.some((line) => line.includes("metrics of the database left out")));
  },
);

Deno.test("serveMetrics() answers only GET /metrics", async () => {
  let collected = 0;
  const server = serveMetrics({
    hostname: "127.0.0.1",
    port: 0,
    registry: new Metrics().registry,
    collect: () => {
      collected++;
      return Promise.resolve();
    },
    log: silent,
  });
  const at = (path: string, method = "GET") =>
    fetch(`http://127.0.0.1:${server.addr.port}${path}`, { method });
  const response = await at("/metrics");
  assert.match(response.headers.get("content-type")!, /^text\/plain; version=0\.0\.4/);
  assert.equal(valuesOf(await response.text()).get('ce_units_total{unit="request"}'), 0);
  const missing = await at("/api/usage");
  assert.equal(missing.status, 404);
  await missing.body?.cancel();
  const posted = await at("/metrics", "POST");
  assert.deepEqual([posted.status, posted.headers.get("allow")], [405, "GET"]);
  assert.equal(collected, 1);
  await server.shutdown();
});
