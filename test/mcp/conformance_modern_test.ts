/**
 * Runs the second line (version 0.2) of the official conformance suite, which supports revision
 * 2026-07-28. The service listens on loopback. A wrapper adds an API key, because the suite sends
 * none.
 */
import assert from "node:assert/strict";
import { withApp } from "../support/app.ts";
import { CLIENTS, runProgram, serveApp, withKey } from "../support/client_program.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";

const SUITE = `${CLIENTS}/node_modules/@modelcontextprotocol/conformance/dist/index.js`;

const SUITES_TOOL = "it calls a tool that exists only for the suite";
const NO_EVENTS = "the service sends no events";

interface Scenario {
  name: string;
  /** Absent: the scenario belongs to an extension. */
  version?: "2025-11-25" | "2026-07-28";
  /** Number of checks that have to pass. */
  passed: number;
  /** Ids of checks that cannot pass, with the reasons. */
  others?: Record<string, string>;
}

const APPLICABLE: Scenario[] = [
  { name: "server-initialize", version: "2025-11-25", passed: 2 },
  { name: "ping", version: "2025-11-25", passed: 2 },
  { name: "tools-list", version: "2025-11-25", passed: 3 },
  { name: "tools-list", version: "2026-07-28", passed: 4 },
  { name: "dns-rebinding-protection", version: "2025-11-25", passed: 2 },
  { name: "dns-rebinding-protection", version: "2026-07-28", passed: 2 },
  { name: "http-header-validation", version: "2026-07-28", passed: 14 },
  {
    name: "caching",
    version: "2026-07-28",
    passed: 4,
    others: {
      "sep-2549-prompts-list-caching-hints": "there are no prompts",
      "sep-2549-resources-list-caching-hints": "there are no resources",
      "sep-2549-resources-templates-list-caching-hints": "there are no resources",
      "sep-2549-resources-read-caching-hints": "there are no resources",
    },
  },
  {
    name: "server-stateless",
    version: "2026-07-28",
    passed: 21,
    others: {
      "sep-2575-server-rejects-undeclared-capability": SUITES_TOOL,
      "sep-2575-missing-capability-http-400": SUITES_TOOL,
      "sep-2575-http-server-no-independent-requests-on-stream": SUITES_TOOL,
      "sep-2575-server-no-log-without-loglevel": SUITES_TOOL,
      "sep-2575-server-sends-subscription-ack": NO_EVENTS,
      "sep-2575-server-tags-subscription-id": NO_EVENTS,
      "sep-2575-server-honors-notification-filter": NO_EVENTS,
      "sep-2575-server-sends-prompts-list-changed-on-subscription": NO_EVENTS,
      "sep-2575-server-sends-tools-list-changed-on-subscription": NO_EVENTS,
    },
  },
  {
    name: "tasks-capability-negotiation",
    passed: 3,
    others: {
      "sep-2663-server-rejects-undeclared-client": SUITES_TOOL,
      "tasks-per-request-meta-opt-in": SUITES_TOOL,
    },
  },
];

/** Reasons why scenarios do not apply, by the beginning of their names. */
const INAPPLICABLE: Record<string, string> = {
  "server-session-lifecycle": "the service is stateless: there is no session",
  "server-sse-": "there are no streams, because every answer is one JSON body",
  "logging-": "calls are answered at once, so no progress is logged to a client",
  "completion-": "no argument has values to propose",
  "resources-": "data is only read by tools",
  "sep-2164-": "data is only read by tools",
  "sep-2640-": "there are no skills",
  "prompts-": "there are no prompts",
  "tools-call-": SUITES_TOOL,
  "json-schema-2020-12": SUITES_TOOL,
  "elicitation-": "the service makes no requests to clients",
  "input-required-": "the service makes no requests to clients",
  "http-custom-header-": "no argument is repeated in a header",
  "tasks-lifecycle": SUITES_TOOL,
  "tasks-wire-fields": SUITES_TOOL,
  "tasks-request-": SUITES_TOOL,
  "tasks-mrtr-": "the service makes no requests to clients",
  "tasks-dispatch-and-envelope": SUITES_TOOL,
  "tasks-status-notifications": NO_EVENTS,
  "tasks-required-task-error": "no tool needs a task",
};

oneEngineTest("the second line of the conformance suite finds no fault", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    const { stdout } = await runProgram(SUITE, { args: ["list", "--server"] });
    const names = [...stdout.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name!);
    assert.ok(names.length > 50, stdout);
    for (const name of names) {
      const applies = APPLICABLE.some((scenario) => scenario.name === name);
      const reason = Object.keys(INAPPLICABLE).find((beginning) => name.startsWith(beginning));
      assert.ok(
        applies !== (reason !== undefined),
        `${name} has to be in exactly one of the two lists`,
      );
    }
    await using served = serveApp(app, (incoming) => withKey(incoming, key));
    for (const { name, version, passed, others = {} } of APPLICABLE) {
      const args = ["server", "--url", served.url, "--scenario", name, "--verbose"];
      if (version !== undefined) args.push("--spec-version", version);
      const { stdout, stderr } = await runProgram(SUITE, { args });
      const [json] = stdout.match(/^\[\s*\n[\s\S]*?^\]/m) ?? [];
      assert.ok(json, `${name}: ${stdout}${stderr}`);
      const checks: { id: string; status: string; errorMessage?: string }[] = JSON.parse(json);
      const failed = checks.filter(({ status }) => status !== "SUCCESS" && status !== "INFO");
      assert.deepEqual(
        failed.map(({ id }) => id).sort(),
        Object.keys(others).sort(),
        `${name} ${version}: ${JSON.stringify(failed)}`,
      );
      const count = checks.filter(({ status }) => status === "SUCCESS").length;
      assert.equal(count, passed, `${name} ${version}`);
    }
  });
});
