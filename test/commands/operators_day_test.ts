/** A day of an operator, with the commands and files that docs/operators.md names. */
import assert from "node:assert/strict";
import { connect } from "../../src/db/connect.ts";
import { runCommand } from "../support/command.ts";
import { postSearch, readDemoKey, type SearchAnswer, withDataDir } from "../support/data_dir.ts";
import { createDatabase, HAS_SERVER } from "../support/database.ts";
import { sourceRecord } from "../support/factories.ts";
import { silent } from "../support/operations.ts";
import { readExpression } from "../support/promql.ts";
import { type Service, startService } from "../support/service.ts";

/** Number of request units per window on the customer's plan. */
const REQUESTS = 12;

/** State that the steps of the day share: settings, running service, and the customer's key. */
class Desk {
  readonly directory: string;
  /** Settings of the commands. They change, for example when the database is moved. */
  env: Record<string, string>;
  service!: Service;
  key_id = 0;
  key = "";
  /** Answers to the customer, by request key. */
  readonly answers = new Map<string, SearchAnswer>();

  constructor(directory: string) {
    this.directory = directory;
    this.env = { DATA_DIR: `${directory}/data` };
  }

  /** Runs a command, which has to succeed. Returns its output. */
  async run(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runCommand(args, this.env);
    assert.equal(code, 0, `${args.join(" ")}: ${stderr}${stdout}`);
    return stdout;
  }

  // deno-lint-ignore no-explicit-any -- each step expects another answer
  async ask(...args: string[]): Promise<any> {
    return JSON.parse(await this.run(...args));
  }

  async start(): Promise<Service> {
    return await startService({ env: { ...this.env, METRICS_PORT: "0" } });
  }

  /**
   * Runs doctor for the running service. Returns the checks that are not ok, except for the disk,
   * which may be nearly full on the machine that runs the tests.
   */
  async doctor(): Promise<string[]> {
    const port = new URL(this.service.url).port;
    const env = { ...this.env, PORT: port, METRICS_PORT: this.metricsPort() };
    const { code, stdout } = await runCommand(["doctor", "--json"], env);
    const { findings } = JSON.parse(stdout) as { findings: { check: string; level: string }[] };
    assert.equal(code, 0, stdout);
    return findings.filter(({ check, level }) => level !== "ok" && check !== "disk")
      .map(({ check }) => check);
  }

  metricsPort(): string {
    return /"message":"metrics are served".*"port":(\d+)/.exec(this.service.stderr)![1]!;
  }

  async search(request_key: string, query: string, key = this.key): Promise<SearchAnswer> {
    const answer = await postSearch(this.service, { key, request_key, query });
    this.answers.set(request_key, answer);
    return answer;
  }

  /** Repeats a request, and asserts that the answer is the same. */
  async replay(request_key: string, query: string): Promise<void> {
    const { status, body } = this.answers.get(request_key)!;
    const again = await postSearch(this.service, { key: this.key, request_key, query });
    assert.equal(again.status, status);
    // A replay has the present request_allowance, not the one of the first answer.
    assert.deepEqual({ ...again.body, request_allowance: 0 }, { ...body, request_allowance: 0 });
  }
}

Deno.test({
  name: "an operator's day [postgres]",
  ignore: !HAS_SERVER,
  fn: (t) =>
    withDataDir(async (directory) => {
      await using server = await createDatabase();
      const desk = new Desk(directory);
      const stack = new AsyncDisposableStack();
      try {
        for (const [name, work] of Object.entries(DAY)) {
          const done = await t.step(name, () => work(desk, { server: server.url, stack }));
          if (!done) break;
        }
      } finally {
        await stack.disposeAsync();
      }
    }),
});

interface Surroundings {
  /** Address of an empty database. */
  server: string;
  /** Stops the services that still run at the end of the test. */
  stack: AsyncDisposableStack;
}

const DAY: Record<string, (desk: Desk, surroundings: Surroundings) => Promise<void>> = {
  "start": async (desk, { stack }) => {
    desk.service = stack.use(await desk.start());
  },
  "doctor": async (desk) => {
    assert.deepEqual(await desk.doctor(), []);
  },
  "accounts": async (desk) => {
    const made = await desk.ask("admin", "account", "create", "Acme", "--plan", "builder");
    assert.equal(made.account_id, 2);
  },
  "plans": async (desk) => {
    const limits = ["--request-units", `${REQUESTS}`, "--window-seconds", "604800"];
    await desk.run("admin", "plan", "set", "builder", ...limits);
  },
  "keys": async (desk) => {
    const made = await desk.ask("admin", "key", "create", "--account", "2", "--name", "staging");
    Object.assign(desk, { key: made.key, key_id: made.key_id });
  },
  "ingest": async (desk) => {
    const path = `${desk.directory}/records.ndjson`;
    const company = { name: "Zyxwarm" };
    const record = sourceRecord({ observed_fact: "Buys a zyxwarm kiln.", company });
    await Deno.writeTextFile(path, JSON.stringify(record) + "\n");
    assert.equal((await desk.ask("ingest", path)).recorded, 1);
  },
  "load": async (desk) => {
    assert.equal((await desk.search("first", "cold storage")).status, 200);
    const keys = Array.from({ length: 2 * REQUESTS }, (_, n) => `load ${n}`);
    const answers = await Promise.all(keys.map((key) => desk.search(key, "new warehouse")));
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, keys.length + 1 - REQUESTS);
    await desk.replay("first", "cold storage");
  },
  "metrics": async (desk) => {
    const address = `http://127.0.0.1:${desk.metricsPort()}/metrics`;
    const text = await fetch(address).then((response) => response.text());
    const served = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    const { panels } = JSON.parse(Deno.readTextFileSync("deploy/grafana-dashboard.json"));
    const names: string[] = panels.flatMap(({ targets = [] }: { targets: { expr: string }[] }) =>
      targets.flatMap(({ expr }) => readExpression(expr).selectors.map(({ metric }) => metric))
    );
    assert.ok(names.length > 20);
    const absent = names.filter((name) => !served.has(name.replace(/_(bucket|sum|count)$/, "")));
    assert.deepEqual(absent, []);
    const refusals = /^ce_allowance_refusals_total\{code="request_limit_reached"\} (\d+)$/m;
    assert.equal(Number(refusals.exec(text)![1]), REQUESTS + 1);
  },
  "backup": async (desk) => {
    const { files } = await desk.ask("backup", `${desk.directory}/backup`);
    assert.ok(files > 100, `${files} files`);
    await desk.service.stop();
  },
  "restore": async (desk) => {
    desk.env = { DATA_DIR: `${desk.directory}/restored` };
    assert.deepEqual((await desk.ask("restore", `${desk.directory}/backup`)).differences, []);
  },
  "move to PostgreSQL": async (desk, { server, stack }) => {
    assert.deepEqual((await desk.ask("move", "--to", server)).differences, []);
    desk.env = { DATA_DIR: `${desk.directory}/replica`, DATABASE_URL: server };
    desk.service = stack.use(await desk.start());
    await desk.replay("first", "cold storage");
  },
  "upgrade": async (desk, { server, stack }) => {
    const db = await connect({ database_url: server, data_dir: "", log: silent });
    // Now the database looks as if version 0.0.9 had migrated it, so the next start upgrades it.
    await db.sql`update migrations set checksum = '0.0.9' where name = 'program' or name ~ '/'`;
    const before = desk.service;
    desk.env = { ...desk.env, DATA_DIR: `${desk.directory}/newer` };
    desk.service = stack.use(await desk.start());
    const [row] = await db.sql`select count(*) from migrations where checksum = '0.0.9'`;
    await db.close();
    assert.equal(row!.count, 0);
    const { status } = await fetch(`${before.url}/readyz`);
    assert.equal(status, 200);
    await before.stop();
    await desk.replay("first", "cold storage");
    assert.equal((await desk.ask("admin", "usage", "verify")).differences.length, 0);
  },
  "revoke": async (desk) => {
    await desk.run("admin", "key", "revoke", `${desk.key_id}`, "--yes");
    assert.equal((await desk.search("revoked", "kiln")).status, 401);
    await desk.run("admin", "plan", "set", "builder", "--request-units", "100");
    desk.key = (await desk.ask("admin", "key", "create", "--account", "2")).key;
    const { body } = await desk.search("kiln", "zyxwarm");
    assert.deepEqual(body.companies.map(({ name }: { name: string }) => name), ["Zyxwarm"]);
  },
  "invoice": async (desk) => {
    const [head, ...rows] = (await desk.run("admin", "usage", "export", "--account", "2")).trim()
      .split("\n").map((line) => line.split(","));
    const sum = (column: string) =>
      rows.reduce((total, row) => total + Number(row[head!.indexOf(column)]), 0);
    const { usage: [report] } = await desk.ask("admin", "usage", "report", "--account=2", "--json");
    assert.equal(sum("request_units"), REQUESTS + 1);
    assert.equal(report.request_units, REQUESTS + 1);
    assert.equal(sum("delivered_units"), report.delivered_units);
  },
  "remove the demo": async (desk) => {
    const demo_key = await readDemoKey(`${desk.directory}/data`);
    assert.equal((await desk.search("demo", "kiln", demo_key)).status, 200);
    const removed = await desk.ask("admin", "demo", "remove", "--yes");
    assert.deepEqual([removed.observations, removed.account_id], [1_500, 1]);
    assert.equal((await desk.search("demo again", "kiln", demo_key)).status, 401);
    await desk.replay("kiln", "zyxwarm");
  },
  "doctor in the evening": async (desk) => {
    assert.deepEqual(await desk.doctor(), []);
    await desk.service.stop();
  },
};
