/**
 * The client of the SDK's second line against the service at an address. It prints what it was
 * answered as JSON; a result that does not fit its tool's output schema is a `refused` one.
 *
 * Arguments: the address, and JSON with the `mode` of negotiation, the `key`, and the `calls`.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

interface GivenCall {
  name: string;
  given: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Asks for the operation until it is finished. */
  poll?: true;
}

/** Polls until an operation is given up: two minutes of pauses. */
const POLLS_MAX = 1_200;

const [address, json] = Deno.args;
const { mode, key, calls }: { mode: "legacy" | "auto"; key: string; calls: GivenCall[] } = JSON
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

async function answer({ name, given, headers, poll }: GivenCall): Promise<object> {
  const client = await connect(headers);
  try {
    await client.listTools();
    let result = await client.callTool({ name, arguments: given });
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
