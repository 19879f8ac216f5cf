/**
 * Tests that the client settings in docs/agents.md reach the service with their API key.
 * Runs the MCP Inspector and `mcp-remote`. Checks the settings of editors against schemas that
 * follow the documentation of the editors.
 */
import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { withApp } from "../support/app.ts";
import { converseByRemote, runInspector, serveApp } from "../support/client_program.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { askingWorld } from "../support/markdown.ts";
import { request, rpc, toolCall } from "../support/mcp.ts";
import { createWorld } from "../support/world.ts";

const ADDRESS = "http://127.0.0.1:8080/mcp";
const PAGE = Deno.readTextFileSync("docs/agents.md");

interface Setting {
  url: string;
  authorization: string;
}

/** Returns the code block after the name of a client. */
function blockOf(client: string): string {
  const [, after] = PAGE.split(`**${client}**`);
  return after!.match(/```\w+\n([\s\S]*?)```/)![1]!;
}

/** Returns the words of a client's shell command. A quoted text is one word. */
function wordsOf(client: string): string[] {
  const command = blockOf(client).replaceAll("\\\n", " ");
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);
}

function fromCommand(client: string): Setting {
  const words = wordsOf(client);
  const header = words[words.indexOf("--header") + 1]!;
  assert.equal(words[words.indexOf("--transport") + 1], "http", client);
  return {
    url: words.find((word) => word.startsWith("http://"))!,
    authorization: header.replace("Authorization: ", "").replace("$CE_API_KEY", "KEY"),
  };
}

const SETTINGS: Record<string, () => Setting> = {
  "Claude Code": () => fromCommand("Claude Code"),
  "MCP Inspector": () => fromCommand("MCP Inspector"),
  "Claude Desktop"() {
    const { command, args, env } = JSON.parse(blockOf("Claude Desktop"))
      .mcpServers["company-evidence"];
    assert.deepEqual([command, args.slice(0, 2)], ["npx", ["-y", "mcp-remote"]]);
    assert.equal(args[args.indexOf("--header") + 1], "Authorization:${AUTHORIZATION}");
    return { url: args[2], authorization: env.AUTHORIZATION.replace("ce_…", "KEY") };
  },
  "VS Code"() {
    const { inputs, servers } = JSON.parse(blockOf("VS Code"));
    const { type, url, headers } = servers["company-evidence"];
    assert.deepEqual([type, inputs[0].password], ["http", true]);
    const authorization = headers.Authorization.replace(`\${input:${inputs[0].id}}`, "KEY");
    return { url, authorization };
  },
  "Cursor"() {
    const { url, headers } = JSON.parse(blockOf("Cursor")).mcpServers["company-evidence"];
    return { url, authorization: headers.Authorization.replace("${env:CE_API_KEY}", "KEY") };
  },
};

oneEngineTest("the documented settings of clients reach the service", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    for (const [client, read] of Object.entries(SETTINGS)) {
      const { url, authorization } = read();
      assert.deepEqual([url, authorization], [ADDRESS, "Bearer KEY"], client);
      const headers = { authorization: authorization.replace("KEY", key) };
      const { status } = await rpc(app, request("tools/list"), { url, headers });
      assert.equal(status, 200, client);
    }
  });
});

oneEngineTest("the documented command of the Inspector finds companies", async ({ db, sql }) => {
  const { keys } = await createWorld(sql);
  await withApp(db, async ({ app }) => {
    await using served = serveApp(app);
    const words = wordsOf("MCP Inspector").map((word) =>
      askingWorld(word).replace(ADDRESS, served.url).replace("$CE_API_KEY", keys.entitled)
    );
    assert.deepEqual(words.slice(0, 3), ["npx", "-y", "@modelcontextprotocol/inspector@2"]);
    const { code, stdout, stderr } = await runInspector(words.slice(3));
    assert.equal(code, 0, stderr);
    const { structuredContent } = JSON.parse(stdout);
    assert.equal(structuredContent.usage.request_key, "first-1");
    assert.equal(structuredContent.companies.length, 3);
  });
});

oneEngineTest("the bridge of Claude Desktop passes calls to the service", async ({ db, sql }) => {
  const { keys } = await createWorld(sql);
  const { args, env } = JSON.parse(blockOf("Claude Desktop")).mcpServers["company-evidence"];
  await withApp(db, async ({ app }) => {
    await using served = serveApp(app);
    const messages = [
      request("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      }),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      toolCall("search_companies", { query: "freezer warehouse", request_key: "desktop" }),
    ];
    const [initialized, called] = await converseByRemote(messages, {
      args: args.slice(2).map((word: string) => word.replace(ADDRESS, served.url)),
      env: { AUTHORIZATION: env.AUTHORIZATION.replace("ce_…", keys.entitled) },
      // deno-lint-ignore no-explicit-any -- responses of JSON-RPC
    }) as any[];
    assert.equal(initialized.result.serverInfo.name, "company-evidence");
    assert.equal(called.result.structuredContent.companies.length, 3);
  });
});

const TEXT = { type: "string" };
const HEADERS = { type: "object", additionalProperties: TEXT };
const ADDRESSES = { type: "string", pattern: "^https?://." };

/** Returns the schema of an object that has these properties and no others. */
function exactly(properties: object, required: string[]): object {
  return { type: "object", properties, required, additionalProperties: false };
}

/** Returns the schema of an object of servers by their names. */
function serversOf(server: object): object {
  return { type: "object", additionalProperties: server, minProperties: 1 };
}

/** Schemas of the editors' settings, as documented. VS Code marks other members as errors. */
const EDITORS: Record<string, object> = {
  "VS Code": exactly({
    inputs: {
      type: "array",
      items: exactly({
        id: TEXT,
        type: { enum: ["promptString"] },
        description: TEXT,
        password: { type: "boolean" },
      }, ["id", "type", "description"]),
    },
    servers: serversOf(
      exactly({ type: { enum: ["http", "sse"] }, url: ADDRESSES, headers: HEADERS }, ["url"]),
    ),
  }, ["servers"]),
  "Cursor": exactly(
    { mcpServers: serversOf(exactly({ url: ADDRESSES, headers: HEADERS }, ["url"])) },
    ["mcpServers"],
  ),
};

Deno.test("the documented settings of editors have only members that the editors know", () => {
  const ajv = new Ajv2020();
  for (const [editor, schema] of Object.entries(EDITORS)) {
    assert.ok(ajv.validate(schema, JSON.parse(blockOf(editor))), `${editor}: ${ajv.errorsText()}`);
  }
  const vsCode = JSON.parse(blockOf("VS Code"));
  assert.equal(ajv.validate(EDITORS["Cursor"]!, vsCode), false);
});
