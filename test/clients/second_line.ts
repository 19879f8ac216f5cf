/**
 * Calls the service at an address with the client of version 2 of the MCP SDK. Prints the answers
 * as JSON. If the client throws, for example because a result violates its output schema, the
 * answer has only the error message, as `refused`.
 *
 * Arguments: the address, and JSON with the `mode` of the version negotiation, the `key` and the
 * `calls`.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

interface ToolCase {
  name: string;
  args: Record<string, unknown>;
  headers?: Record<string, string>;
  /** True if the operation is polled until it has ended. */
  poll?: true;
}

/** Max number of polls of an operation. At one poll per 100 ms, they take two minutes. */
const POLLS_MAX = 1_200;

const [address, json] = Deno.args;
const { mode, key, calls }: { mode: "legacy" | "auto"; key: string; calls: ToolCase[] } = JSON
  .parse(json!);

async function connect(headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(address!), {
      requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
    }),
  );
  return client;
}

async function answer({ name, args, headers, poll }: ToolCase): Promise<object> {
  const client = await connect(headers);
  try {
    await client.listTools();
    let result = await client.callTool({ name, arguments: args });
    for (let n = 0; poll && isPending(result.structuredContent) && n < POLLS_MAX; n++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const { id } = operationOf(result.structuredContent);
      result = await client.callTool({ name: "get_usage", arguments: { id } });
    }
    const { isError = false, structuredContent: body, content, _meta } = result;
    return { isError, body, content, meta: _meta };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  } finally {
    await client.close();
  }
}

function operationOf(body: unknown): { id: number; status: string } {
  return (body as { usage: { id: number; status: string } }).usage;
}

function isPending(body: unknown): boolean {
  return ["pending", "processing"].includes(operationOf(body).status);
}

const client = await connect();
const { tools } = await client.listTools();
const report = {
  version: client.getNegotiatedProtocolVersion(),
  server: client.getServerVersion(),
  tools: tools.map(({ name }) => name),
  answers: [] as object[],
};
await client.close();
for (const call of calls) report.answers.push(await answer(call));
console.log(JSON.stringify(report));
