/**
 * Runs the official conformance suite against the service on loopback. A wrapper adds an API key,
 * because the suite sends none, and changes nothing else.
 */
import assert from "node:assert/strict";
import type { App } from "../../src/app.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { listTools, request, rpc, TOOL_NAMES } from "../support/mcp.ts";

const SUITE = "test/node_modules/@modelcontextprotocol/conformance/dist/index.js";

/** Checks that each applicable scenario has to report as passed. */
const APPLICABLE: Record<string, string[]> = {
  "server-initialize": ["server-initialize"],
  "ping": ["ping"],
  "tools-list": ["tools-list"],
  "dns-rebinding-protection": [
    "localhost-host-rebinding-rejected",
    "localhost-host-valid-accepted",
  ],
};

/** Scenarios that do not apply, with the reason and the missing capability. */
const INAPPLICABLE: { because: string; needs: Need; scenarios: string[] }[] = [
  {
    because: "they call a tool of this name, which exists only for the suite",
    needs: { tool: true },
    scenarios: [
      "tools-call-simple-text",
      "tools-call-image",
      "tools-call-audio",
      "tools-call-embedded-resource",
      "tools-call-mixed-content",
      "tools-call-with-logging",
      "tools-call-error",
      "tools-call-with-progress",
      "tools-call-sampling",
      "tools-call-elicitation",
      "elicitation-sep1034-defaults",
      "elicitation-sep1330-enums",
      "json-schema-2020-12",
    ],
  },
  {
    because: "calls are answered at once, so no progress is logged to a client",
    needs: { capability: "logging" },
    scenarios: ["logging-set-level"],
  },
  {
    because: "no argument has values to propose",
    needs: { capability: "completions" },
    scenarios: ["completion-complete"],
  },
  {
    because: "data is only read by tools",
    needs: { capability: "resources" },
    scenarios: [
      "resources-list",
      "resources-read-text",
      "resources-read-binary",
      "resources-templates-read",
      "resources-subscribe",
      "resources-unsubscribe",
    ],
  },
  {
    because: "there are no prompts",
    needs: { capability: "prompts" },
    scenarios: [
      "prompts-list",
      "prompts-get-simple",
      "prompts-get-with-args",
      "prompts-get-embedded-resource",
      "prompts-get-with-image",
    ],
  },
  {
    because: "the service is stateless: there is no session and no stream",
    needs: { session: true },
    scenarios: ["server-sse-polling", "server-sse-multiple-streams"],
  },
];

interface Need {
  /** A tool that the service does not have. */
  tool?: true;
  /** A capability that `initialize` would have to declare. */
  capability?: string;
  /** A session over several requests. */
  session?: true;
}

oneEngineTest("the official conformance suite finds no fault", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    const all = (await runSuite("list", "--server")).output.matchAll(/^ {2}- (\S+)/gm);
    assert.deepEqual(
      [...all].map(([, name]) => name).sort(),
      [...Object.keys(APPLICABLE), ...INAPPLICABLE.flatMap((one) => one.scenarios)].sort(),
      "each scenario is in exactly one of the two lists",
    );
    await checkReasons(app, key);
    await using server = serveWithKey(app, key);
    for (const [scenario, checks] of Object.entries(APPLICABLE)) {
      const result = await runScenario(server.url, scenario);
      assert.deepEqual(result, { code: 0, passed: checks, others: [] }, scenario);
    }
    // Two inapplicable scenarios show that the assertion above can fail. The first one fails. The
    // second one exits with 0, but has no passed check.
    const failing = await runScenario(server.url, "tools-call-error");
    assert.deepEqual(failing, { code: 1, passed: [], others: ["tools-call-error FAILURE"] });
    const empty = await runScenario(server.url, "server-sse-multiple-streams");
    assert.deepEqual([empty.code, empty.passed], [0, []]);
  });
});

/** Asserts that the service still lacks the capabilities of the reasons. */
async function checkReasons(app: App, key: string): Promise<void> {
  const { headers, body } = await rpc(
    app,
    request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    }),
    { key },
  );
  const { capabilities } = body.result;
  const tools = (await listTools(app, key)).map(({ name }) => name);
  for (const { because, needs } of INAPPLICABLE) {
    if (needs.capability) assert.equal(capabilities[needs.capability], undefined, because);
    if (needs.session) assert.equal(headers.get("mcp-session-id"), null, because);
    if (needs.tool) assert.deepEqual(tools, TOOL_NAMES, because);
  }
}

/** Serves the app on loopback. Adds the API key to each request. */
function serveWithKey(app: App, key: string): { url: string } & AsyncDisposable {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (incoming) => {
    const headers = new Headers(incoming.headers);
    headers.set("authorization", `Bearer ${key}`);
    const { url, method, body } = incoming;
    return app.fetch(new Request(url, { method, headers, body }));
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

interface ScenarioResult {
  code: number;
  /** Ids of the checks that passed. */
  passed: string[];
  /** Ids and statuses of the checks that failed or gave a warning. */
  others: string[];
}

async function runScenario(url: string, scenario: string): Promise<ScenarioResult> {
  const { code, output } = await runSuite(
    "server",
    ...["--url", url, "--scenario", scenario, "--verbose"],
  );
  const [json] = output.match(/^\[$[\s\S]*?^\]$/m) ?? [];
  assert.ok(json, output);
  const checks: { id: string; status: string }[] = JSON.parse(json);
  return {
    code,
    passed: checks.filter(({ status }) => status === "SUCCESS").map(({ id }) => id),
    others: checks.filter(({ status }) => status !== "SUCCESS" && status !== "INFO")
      .map(({ id, status }) => `${id} ${status}`),
  };
}

async function runSuite(...args: string[]): Promise<{ code: number; output: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--config=test/deno.json", ...PERMISSIONS, SUITE, ...args],
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

const PERMISSIONS = ["--no-prompt", "--allow-read=.", "--ignore-env", "--allow-net=127.0.0.1"];
