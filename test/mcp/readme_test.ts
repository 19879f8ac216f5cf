/** The README's settings of clients: each leads to the service with the key that it names. */
import assert from "node:assert/strict";
import { withApp } from "../support/app.ts";
import { embeddedTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { request, rpc } from "../support/mcp.ts";

const ADDRESS = "http://127.0.0.1:8080/mcp";
const README = Deno.readTextFileSync("README.md");

interface Setting {
  url: string;
  authorization: string;
}

/** Text of the code block that follows a client's name. */
function blockOf(client: string): string {
  const [, after] = README.split(`**${client}**`);
  return after!.match(/```\w+\n([\s\S]*?)```/)![1]!;
}

/** Words of a shell command: quoted ones are one word each. */
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

embeddedTest("the README's settings of clients lead to the service", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    for (const [client, read] of Object.entries(SETTINGS)) {
      const { url, authorization } = read();
      assert.deepEqual([url, authorization], [ADDRESS, "Bearer KEY"], client);
      const headers = { authorization: authorization.replace("KEY", key) };
      const { status } = await rpc(app, request("tools/list"), { url, headers });
      assert.equal(status, 200, client);
    }
    // The Inspector's command calls a tool as well.
    const words = wordsOf("MCP Inspector");
    const given = words.slice(words.indexOf("--tool-arg") + 1);
    assert.deepEqual(given, ["query=snow removal tenders", "limit=3", "request_key=first-1"]);
  });
});
