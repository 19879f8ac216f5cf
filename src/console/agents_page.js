// Page that shows the snippets of docs/agents.md and README.md with the address of this service.
import { Code, html } from "./parts.js";
import { BASE } from "./requests.js";
import { session } from "./session.js";

/** Address of the service in the documents. The page replaces it by its own address. */
const DOCUMENTED = "http://127.0.0.1:8080/";

/** Placeholder of the key in the snippets. */
const NO_KEY = "ce_…";

/**
 * Snippets as name of the client, hint and text. A test compares the texts with the documents.
 * @type {[string, string, string][]}
 */
export const SNIPPETS = [
  [
    "Claude Code",
    "In a shell that has CE_API_KEY.",
    `claude mcp add --transport http company-evidence http://127.0.0.1:8080/mcp \\
  --header "Authorization: Bearer $CE_API_KEY"`,
  ],
  [
    "Claude Desktop",
    "claude_desktop_config.json. Copying inserts your key.",
    `{
  "mcpServers": {
    "company-evidence": {
      "command": "npx",
      "args": [
        "-y",
        "mcp-remote",
        "http://127.0.0.1:8080/mcp",
        "--transport",
        "http-only",
        "--header",
        "Authorization:\${AUTHORIZATION}"
      ],
      "env": { "AUTHORIZATION": "Bearer ce_…" }
    }
  }
}`,
  ],
  [
    "VS Code",
    ".vscode/mcp.json. It asks for the key once.",
    `{
  "inputs": [
    { "type": "promptString", "id": "ce-key", "description": "API key", "password": true }
  ],
  "servers": {
    "company-evidence": {
      "type": "http",
      "url": "http://127.0.0.1:8080/mcp",
      "headers": { "Authorization": "Bearer \${input:ce-key}" }
    }
  }
}`,
  ],
  [
    "Cursor",
    "~/.cursor/mcp.json. Cursor reads CE_API_KEY itself.",
    `{
  "mcpServers": {
    "company-evidence": {
      "url": "http://127.0.0.1:8080/mcp",
      "headers": { "Authorization": "Bearer \${env:CE_API_KEY}" }
    }
  }
}`,
  ],
  [
    "Codex",
    "~/.codex/config.toml. Codex reads CE_API_KEY itself.",
    `[mcp_servers.company-evidence]
url = "http://127.0.0.1:8080/mcp"
bearer_token_env_var = "CE_API_KEY"`,
  ],
  [
    "TypeScript SDK",
    "npm install @modelcontextprotocol/client",
    `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const client = new Client({ name: "my-agent", version: "1.0.0" }, {
  versionNegotiation: { mode: "auto" },
});
await client.connect(
  new StreamableHTTPClientTransport(new URL("http://127.0.0.1:8080/mcp"), {
    requestInit: { headers: { Authorization: \`Bearer \${process.env.CE_API_KEY}\` } },
  }),
);
const result = await client.callTool({
  name: "search_companies",
  arguments: { query: "cold storage warehouse", limit: 3, request_key: crypto.randomUUID() },
});
console.log(JSON.stringify(result.structuredContent));
await client.close();`,
  ],
  [
    "AI SDK",
    "npm install @ai-sdk/mcp",
    `import { createMCPClient } from "@ai-sdk/mcp";

const client = await createMCPClient({
  transport: {
    type: "http",
    url: "http://127.0.0.1:8080/mcp",
    headers: { Authorization: \`Bearer \${process.env.CE_API_KEY}\` },
  },
});
const tools = await client.tools();
const result = await tools.search_companies!.execute(
  { query: "cold storage warehouse", limit: 3, request_key: crypto.randomUUID() },
  { toolCallId: "1", messages: [] },
);
console.log(JSON.stringify(result.structuredContent));
await client.close();`,
  ],
  [
    "LangChain",
    "npm install @langchain/mcp-adapters",
    `import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const client = new MultiServerMCPClient({
  mcpServers: {
    "company-evidence": {
      transport: "http",
      url: "http://127.0.0.1:8080/mcp",
      headers: { Authorization: \`Bearer \${process.env.CE_API_KEY}\` },
    },
  },
});
const tools = await client.getTools();
const search = tools.find(({ name }) => name === "search_companies")!;
const text = await search.invoke({
  query: "cold storage warehouse",
  limit: 3,
  request_key: crypto.randomUUID(),
});
console.log(text);
await client.close();`,
  ],
  [
    "OpenAI",
    "OpenAI's servers call the service, so it needs a public address with TLS.",
    `import OpenAI from "openai";

const response = await new OpenAI().responses.create({
  model: "gpt-5",
  input: "cold storage warehouse",
  tools: [{
    type: "mcp",
    server_label: "company-evidence",
    server_url: "http://127.0.0.1:8080/mcp",
    authorization: process.env.CE_API_KEY,
    require_approval: "never",
  }],
});
console.log(response.output_text);`,
  ],
  [
    "Inspector",
    "Calls a tool from a shell. Without the options after the header, it opens a page.",
    `npx -y @modelcontextprotocol/inspector@2 --cli http://127.0.0.1:8080/mcp --transport http \\
  --header "Authorization: Bearer $CE_API_KEY" --method tools/call \\
  --tool-name search_companies --tool-arg "query=cold storage warehouse" limit=3 request_key=first-1`,
  ],
];

export function AgentsPage() {
  const key = session.key ?? NO_KEY;
  return html`
    <div class="narrow">
      <h1>Connect your agent</h1>
      <p class="lead">The same data and the same allowance, over the Model Context Protocol at${" "}
        <code>${BASE}mcp</code>.</p>
      <section class="panel">
        <h2>First, the key</h2>
        <p>A program reads the key from its environment. ${session.key
          ? "Copying inserts your key; the page does not show it."
          : "After you have signed in, copying inserts your key."} Never put the key into a
          prompt.</p>
        <${Code} text="export CE_API_KEY=${NO_KEY}" copied="export CE_API_KEY=${key}"
          label="The key, for a shell" />
      </section>
      ${SNIPPETS.map(([name, hint, text], at) => {
        const here = text.replaceAll(DOCUMENTED, BASE);
        return html`
          <details class="panel snippet" open=${at === 0}>
            <summary><h2>${name}</h2><span class="quiet">${hint}</span></summary>
            <${Code} text=${here} copied=${here.replace(NO_KEY, key)} label=${name} />
          </details>
        `;
      })}
      <section class="panel">
        <h2>What to tell the agent</h2>
        <p>“Find companies that are looking for cold storage in Canada, and show me the evidence.”
          The tools explain themselves: costs, request keys, paging and errors.</p>
      </section>
    </div>
  `;
}
