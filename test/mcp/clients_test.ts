/**
 * Calls the service with clients other than version 1 of the SDK (client_test.ts). Version 2 of the
 * SDK is called its second line. Each client runs in a separate process with its own packages.
 */
import assert from "node:assert/strict";
import { withApp } from "../support/app.ts";
import { CLIENTS, runInspector, runProgram, serveApp } from "../support/client_program.ts";
import { oneEngineTest } from "../support/database.ts";
import { askingWorld } from "../support/markdown.ts";
import { contentOf, goodCall, request, rpc, TOOL_NAMES, toolCall } from "../support/mcp.ts";
import { createWorld } from "../support/world.ts";

const VERSIONS = { legacy: "2025-11-25", auto: "2026-07-28" };

oneEngineTest("the SDK's second-line client discovers, lists, calls and validates", async (t) => {
  const { db, sql } = t;
  const world = await createWorld(sql);
  const key = world.keys.entitled;
  await withApp(db, async ({ app }) => {
    await using served = serveApp(app, async (incoming) => {
      if (!incoming.headers.has("x-tamper")) return incoming;
      const response = await app.fetch(incoming);
      if (response.status !== 200) return response;
      const message = await response.json();
      if (message.result?.structuredContent) message.result.structuredContent.surplus = 1;
      return Response.json(message);
    });
    for (const [mode, version] of Object.entries(VERSIONS)) {
      const good = TOOL_NAMES.map((name) => goodCall(world, name));
      const first = good[0]!;
      const calls = [
        ...good,
        ...TOOL_NAMES.map((name) => ({ name, args: { surplus: 1 } })),
        first,
        { ...first, headers: { "x-tamper": "1" } },
        { ...goodCall(world, "create_usage"), poll: true },
      ];
      const program = `${CLIENTS}/second_line.ts`;
      const args = [served.url, JSON.stringify({ mode, key, calls })];
      const { code, stdout, stderr } = await runProgram(program, { args });
      assert.equal(code, 0, stderr);
      const { answers, ...report } = JSON.parse(stdout);
      assert.deepEqual([report.version, report.server.name, report.tools], [
        version,
        "company-evidence",
        TOOL_NAMES,
      ]);
      for (const [place, name] of TOOL_NAMES.entries()) {
        const { isError, body, content } = answers[place];
        assert.equal(isError, false, `${mode} ${name}: ${JSON.stringify(answers[place])}`);
        assert.deepEqual(content, contentOf(body), name);
        const bad = answers[TOOL_NAMES.length + place];
        assert.deepEqual([bad.isError, Object.keys(bad.body)], [true, ["error"]], name);
      }
      const [retry, tampered, polled] = answers.slice(2 * TOOL_NAMES.length);
      assert.deepEqual(retry.body.usage, answers[0].body.usage);
      assert.deepEqual(retry.body.companies, answers[0].body.companies);
      assert.equal(retry.meta["Idempotency-Replayed"], "true");
      assert.match(tampered.refused, /schema/);
      assert.deepEqual([polled.body.usage.status, polled.body.observations.length], [
        "delivered",
        2,
      ]);
    }
  }, { workers: 1 });
});

oneEngineTest("the Inspector follows a task of revision 2026-07-28 to its result", async (t) => {
  const { db, sql } = t;
  const world = await createWorld(sql);
  await withApp(db, async ({ app }) => {
    const tasks: string[] = [];
    await using served = serveApp(app, (incoming) => {
      const method = incoming.headers.get("mcp-method");
      if (method?.startsWith("tasks/")) tasks.push(method);
      return incoming;
    });
    const { code, stdout, stderr } = await runInspector([
      ...["--cli", served.url, "--transport", "http", "--protocol-era", "modern"],
      ...["--header", `Authorization: Bearer ${world.keys.entitled}`, "--method", "tools/call"],
      ...["--tool-name", "create_usage", "--tool-arg", "query=freezer warehouse"],
      "request_key=followed",
    ]);
    assert.equal(code, 0, stderr);
    const { usage, observations } = JSON.parse(stdout).structuredContent;
    assert.deepEqual([usage.request_key, usage.status], ["followed", "delivered"]);
    assert.equal(observations.length, 3);
    assert.ok(tasks.includes("tasks/get"), String(tasks));
  }, { workers: 1 });
});

/** Sections of docs/agents.md whose program prints companies. */
const SECTIONS = ["TypeScript SDK, version 2", "Vercel AI SDK", "LangChain"];

oneEngineTest("the programs of docs/agents.md find companies", async ({ db, sql }) => {
  const world = await createWorld(sql);
  await withApp(db, async ({ app }) => {
    await using served = serveApp(app);
    for (const section of SECTIONS) {
      const { code, stdout, stderr } = await runSection(section, served.url, {
        CE_API_KEY: world.keys.entitled,
      });
      assert.equal(code, 0, `${section}: ${stderr}`);
      assert.match(stdout, /North/, section);
      assert.match(stdout, /"delivered_units":3/, section);
    }
  });
});

oneEngineTest("the tool entry for the Responses API suffices to call the service", async (t) => {
  const { db, sql } = t;
  const world = await createWorld(sql);
  await withApp(db, async ({ app }) => {
    // This server takes the place of OpenAI's. It reads the tool entry and calls the service.
    const asked: Record<string, unknown>[] = [];
    await using served = serveApp(app, async (incoming) => {
      if (!new URL(incoming.url).pathname.endsWith("/responses")) return incoming;
      const body = await incoming.json();
      asked.push(body);
      return Response.json(await answerResponses(app, body));
    });
    const { code, stdout, stderr } = await runSection("OpenAI Responses API", served.url, {
      CE_API_KEY: world.keys.entitled,
      OPENAI_API_KEY: "not a key",
      OPENAI_BASE_URL: new URL("/v1", served.url).href,
    });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /North/);
    assert.equal(asked.length, 1);
  });
});

/** Runs the program of a section against the service at `url`. */
async function runSection(section: string, url: string, env: Record<string, string>) {
  const text = Deno.readTextFileSync("docs/agents.md");
  const [, after] = text.split(`## ${section}\n`);
  const [, program] = after!.match(/```ts\n([\s\S]*?)```/)!;
  const directory = Deno.makeTempDirSync({ prefix: "ce-snippet-" });
  try {
    const file = `${directory}/program.ts`;
    Deno.writeTextFileSync(file, askingWorld(program!).replace("http://127.0.0.1:8080/mcp", url));
    return await runProgram(file, { env });
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

// deno-lint-ignore no-explicit-any -- a body of the Responses API
async function answerResponses(app: Parameters<typeof serveApp>[0], body: any): Promise<object> {
  const [tool] = body.tools;
  assert.deepEqual([tool.type, tool.require_approval], ["mcp", "never"]);
  const address = { key: tool.authorization, url: tool.server_url };
  const listed = await rpc(app, request("tools/list"), address);
  const call = toolCall("search_companies", {
    query: body.input,
    request_key: crypto.randomUUID(),
  });
  const called = await rpc(app, call, address);
  const [{ text }] = called.body.result.content;
  const server_label = tool.server_label;
  return {
    id: "resp_1",
    object: "response",
    status: "completed",
    model: body.model,
    output: [
      { type: "mcp_list_tools", id: "mcpl_1", server_label, tools: listed.body.result.tools },
      { type: "mcp_call", id: "mcp_1", server_label, name: "search_companies", output: text },
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text, annotations: [] }],
      },
    ],
  };
}
