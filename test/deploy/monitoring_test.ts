/** The dashboard and the alerts of deploy/ name only metrics and labels that the service serves. */
import assert from "node:assert/strict";
import { parse } from "yaml";
import { z } from "zod";
import { connect } from "../../src/db/connect.ts";
import { serveMetrics } from "../../src/http/server.ts";
import { NOTHING_READ } from "../../src/ingest/record/pipeline.ts";
import { Metrics } from "../../src/metrics.ts";
import { withApp } from "../support/app.ts";
import { serverTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { addFeed } from "../support/own_feeds.ts";
import { silent } from "../support/operations.ts";
import { type Expression, type Matcher, readExpression } from "../support/promql.ts";

const Rule = z.strictObject({
  alert: z.string().regex(/^CompanyEvidence[A-Za-z]+$/),
  expr: z.string(),
  for: z.string().regex(/^[0-9]+[smhd]$/).optional(),
  labels: z.strictObject({ severity: z.enum(["critical", "warning", "info"]) }),
  annotations: z.strictObject({ summary: z.string(), description: z.string() }),
});
const Rules = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(Rule).min(1) })).min(1),
});

const Panel = z.object({
  id: z.int(),
  type: z.enum(["row", "timeseries"]),
  title: z.string().min(1),
  gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
  targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).default([]),
});
const Dashboard = z.object({
  title: z.string(),
  uid: z.string(),
  schemaVersion: z.int(),
  templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.string() })) }),
  panels: z.array(Panel),
});

/** An expression, and the labels of its result that its legend or description shows. */
interface Usage {
  where: string;
  expression: Expression;
  shown: string[];
}

/** Values of each label of each metric, by metric and label. */
type Series = Map<string, Map<string, Set<string>>>;

/** Labels that Prometheus adds to every series. */
const ADDED = ["instance", "job"];

function readRules() {
  const { groups } = Rules.parse(parse(Deno.readTextFileSync("deploy/prometheus-rules.yaml")));
  return groups.flatMap(({ rules }) => rules);
}

function readDashboard() {
  return Dashboard.parse(JSON.parse(Deno.readTextFileSync("deploy/grafana-dashboard.json")));
}

function usagesOfRules(): Usage[] {
  return readRules().map(({ alert, expr, annotations }) => ({
    where: alert,
    expression: readExpression(expr),
    shown: captures(annotations.description, /\$labels\.(\w+)/g),
  }));
}

function usagesOfDashboard(): Usage[] {
  return readDashboard().panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => ({
      where: title,
      expression: readExpression(expr),
      shown: captures(legendFormat, /\{\{\s*(\w+)\s*\}\}/g),
    }))
  );
}

function captures(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, word]) => word!);
}

/**
 * Returns a message for each metric, label and value of an expression that is not served, and for
 * each shown label that the expression aggregates away.
 */
function faultsOf({ expression, shown }: Usage, series: Series): string[] {
  const faults: string[] = [];
  for (const { metric, matchers, grouped } of expression.selectors) {
    const labels = series.get(metric);
    if (labels === undefined) {
      faults.push(`no metric ${metric}`);
      continue;
    }
    const results = expression.labels === undefined ? shown : [];
    for (const label of [...grouped, ...results]) {
      if (!labels.has(label) && !ADDED.includes(label)) faults.push(`${metric} has no ${label}`);
    }
    for (const matcher of matchers.filter(({ label }) => !ADDED.includes(label))) {
      const values = [...labels.get(matcher.label) ?? []];
      if (!values.some((value) => isMatch(matcher, value))) {
        faults.push(`no ${metric} has ${matcher.label}${matcher.operator}${matcher.value}`);
      }
    }
  }
  for (const label of shown) {
    if (expression.labels?.includes(label) === false) faults.push(`${label} is aggregated away`);
  }
  return faults;
}

function isMatch({ operator, value: expected }: Matcher, value: string): boolean {
  const matches = operator.endsWith("~")
    ? new RegExp(`^(?:${expected})$`).test(value)
    : value === expected;
  return operator.startsWith("!") ? !matches : matches;
}

function readSeries(text: string): Series {
  const series: Series = new Map();
  for (const line of text.split("\n").filter((one) => one !== "" && !one.startsWith("#"))) {
    const [, name, rest] = /^([\w:]+)(?:\{(.*)\})? \S+$/.exec(line)!;
    const labels = series.get(name!) ?? new Map<string, Set<string>>();
    for (const [, label, value] of (rest ?? "").matchAll(/(\w+)="((?:\\.|[^"\\])*)"/g)) {
      labels.set(label!, (labels.get(label!) ?? new Set()).add(value!));
    }
    series.set(name!, labels);
  }
  return series;
}

serverTest("dashboard and alerts name only metrics of /metrics", async ({ url, sql }) => {
  const series = await serveTraffic(url!, async () => {
    // After this, every request for a metered action ends in an error.
    await sql`alter table operations rename to operations_gone`;
  });
  const usages = [...usagesOfRules(), ...usagesOfDashboard()];
  const faults = usages.map((usage) => [usage.where, ...faultsOf(usage, series)]);
  assert.deepEqual(faults.filter(({ length }) => length > 1), []);
  for (const { where, expression } of usages) assert.ok(expression.selectors.length > 0, where);
  const shown = usagesOfDashboard().flatMap(({ expression }) => namesOf(expression));
  // The dashboard shows the metrics of every alert.
  for (const { where, expression } of usagesOfRules()) {
    for (const name of namesOf(expression)) assert.ok(shown.includes(name), `${where}: ${name}`);
  }
  const counted = [...series.keys()].filter((name) => /^ce_.*(?<!_bucket|_sum|_count)$/.test(name));
  for (const name of counted) assert.ok(shown.includes(name), `the dashboard lacks ${name}`);
});

function namesOf({ selectors }: Expression): string[] {
  return selectors.map(({ metric }) => metric);
}

/** Returns the metrics of a service after a delivered, a refused and a failed search. */
async function serveTraffic(url: string, fail: () => Promise<void>): Promise<Series> {
  const metrics = new Metrics();
  const db = await connect({ database_url: url, data_dir: "", log: silent, metrics });
  let text = "";
  try {
    const { key } = await createCaller(db.sql);
    await record(db.sql, [{ observed_fact: "A freezer warehouse.", company: { name: "Zyx" } }]);
    await addFeed(db.sql, "https://feeds.example/a");
    await db.sql`
      update source_feeds set usual_records = 1, last_counts = ${
      JSON.stringify(NOTHING_READ)
    }::text::jsonb
    `;
    await withApp(db, async ({ app, ask, search }) => {
      assert.equal((await search({ query: "freezer" }, { key, request_key: "a" })).status, 200);
      const headers = { accept: "application/json, text/event-stream" };
      const call = { name: "search_companies", arguments: { query: "", request_key: "b" } };
      const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call };
      await ask("/mcp", { method: "POST", key, headers, body });
      const counts = { recorded: 1, revised: 0, unchanged: 0, rejected: 1, left_out: 0 };
      metrics.sourceRecords("feed", counts);
      await fail();
      assert.equal((await search({ query: "ice" }, { key, request_key: "c" })).status, 500);
      text = await scrape(metrics, () => app.collect());
    }, { metrics });
  } finally {
    await db.close();
  }
  return readSeries(text);
}

async function scrape(metrics: Metrics, collect: () => Promise<void>): Promise<string> {
  const server = serveMetrics({
    hostname: "127.0.0.1",
    port: 0,
    registry: metrics.registry,
    collect,
    log: silent,
  });
  try {
    const response = await fetch(`http://127.0.0.1:${server.addr.port}/metrics`);
    return await response.text();
  } finally {
    await server.shutdown();
  }
}

Deno.test("alerts cover queue, index, answers, refusals and sources", () => {
  const names = new Set(usagesOfRules().flatMap(({ expression }) => namesOf(expression)));
  for (
    const name of [
      "ce_queue_oldest_seconds",
      "ce_index_lag_seconds",
      "http_server_request_duration_seconds_count",
      "ce_allowance_refusals_total",
      "ce_source_age_seconds",
      "ce_source_records_total",
      "ce_feed_records",
    ]
  ) assert.ok(names.has(name), name);
  const alerts = readRules().map(({ alert }) => alert);
  assert.equal(new Set(alerts).size, alerts.length);
  const manual = Deno.readTextFileSync("docs/operators.md");
  for (const alert of alerts) assert.ok(manual.includes(`\`${alert}\``), alert);
});

Deno.test("the dashboard's panels have distinct ids, do not overlap, and use its variables", () => {
  const { panels, templating } = readDashboard();
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + at % w},${y + Math.floor(at / w)}`)
  );
  assert.equal(new Set(cells).size, cells.length);
  for (const { gridPos: { x, w } } of panels) assert.ok(x + w <= 24);
  const known = ["__all", "__rate_interval", ...templating.list.map(({ name }) => name)];
  const used = captures(Deno.readTextFileSync("deploy/grafana-dashboard.json"), /\$\{?(\w+)/g);
  for (const name of used) assert.ok(known.includes(name), name);
  const values = templating.list.map(({ query }) => query).filter((query) => query.includes("("));
  assert.deepEqual(values, ["label_values(ce_index_documents, instance)"]);
});

Deno.test("faultsOf() finds a name, a label and a value that are not served", () => {
  const series = readSeries('m_total{status="failed"} 1\n');
  const faults = (expr: string, shown: string[] = []) =>
    faultsOf({ where: "", expression: readExpression(expr), shown }, series);
  assert.deepEqual(
    faults('sum by (status) (rate(m_total{status=~"f.*"}[5m])) > 1', ["status"]),
    [],
  );
  assert.deepEqual(faults("m_totals > 1"), ["no metric m_totals"]);
  assert.deepEqual(faults("summ(m_total)"), ["no metric summ"]);
  assert.deepEqual(faults("sum by (state) (m_total)"), ["m_total has no state"]);
  assert.deepEqual(faults('m_total{status="gone"}'), ["no m_total has status=gone"]);
  assert.deepEqual(faults("m_total", ["code"]), ["m_total has no code"]);
  assert.deepEqual(faults("sum(m_total)", ["status"]), ["status is aggregated away"]);
  assert.throws(() => readExpression("sum(m_total"), /bracket is missing/);
});
