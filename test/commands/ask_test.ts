/** The output of `ask` for a search, and its messages if it cannot search. */
import assert from "node:assert/strict";
import { ask, type AskContext } from "../../src/commands/ask.ts";
import { UsageError } from "../../src/failures.ts";
import { type ClientCase, clientTest, refusal } from "../support/client_service.ts";
import { runCommand } from "../support/command.ts";

/** Runs `ask` against a service. Returns its output and its messages. */
async function run(
  args: string[],
  { url, world }: Pick<ClientCase, "url" | "world">,
  changes: Partial<AskContext> = {},
): Promise<{ code: number; printed: string[]; messages: string[] }> {
  const [printed, messages]: string[][] = [[], []];
  const { hostname, port } = new URL(url);
  const code = await ask(args, {
    settings: { BASE_PATH: "", DATA_DIR: "docs", HOST: hostname, PORT: Number(port) },
    key: world.keys.entitled,
    columns: undefined,
    print: (text) => printed!.push(text),
    say: (text) => messages!.push(text),
    ...changes,
  });
  return { code, printed: printed!, messages: messages! };
}

clientTest("ask prints companies, facts, links and the charge", async (t) => {
  const { code, printed, messages } = await run(["freezer", "warehouse", "for fish"], t);
  assert.deepEqual([code, printed.length], [0, 1]);
  const lines = printed[0]!.split("\n");
  assert.equal(lines[0], "COMPANY  DATE        FACT AND LINKS");
  assert.match(lines[1]!, /^South {4}2026-03-01 {2}A freezer warehouse for fish\.$/);
  assert.match(lines[2]!, /^ {21}https:\/\/\S+$/);
  assert.match(
    messages.join(),
    /^Charged: 1 request and (1 company|[2-9] companies)\. Left in this window: 99999 requests\.$/,
  );
  const nothing = await run(["zzzqqq"], t);
  assert.deepEqual([nothing.code, nothing.printed], [0, []]);
  assert.match(
    nothing.messages.join(),
    /^No company was found\. Charged: 1 request and 0 companies\./,
  );
});

clientTest("ask --json prints the unchanged answer of the service", async (t) => {
  const { printed } = await run(["freezer warehouse", "--limit", "1", "--json"], t);
  const { companies, usage } = JSON.parse(printed[0]!);
  assert.deepEqual([companies.length, usage.delivered_units], [1, 1]);
  const [request] = t.requests;
  assert.match(request!, /^POST \/api\/companies\/search [0-9a-f-]{36}$/);
});

clientTest(
  "ask explains what to do without a key, without a service, or after a refusal",
  async (t) => {
    const { world, next } = t;
    await assert.rejects(run(["tenders"], t, { key: undefined }), {
      message: "There is no demo key in docs. Start a service with `deno task start`, which " +
        "creates one, or pass a key by --key or CE_API_KEY.",
    });
    const closed = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const url = `http://127.0.0.1:${(closed.addr as Deno.NetAddr).port}`;
    closed.close();
    await assert.rejects(run(["tenders"], { url, world }), {
      message: `No service answers at ${url}. Start one with \`deno task start\` in another ` +
        "terminal, set PORT to that of the service, or pass an address by --url.",
    });
    next.push(() => refusal({ status: 422, code: "unsupported_request" }));
    await assert.rejects(run(["tenders"], t), {
      message: "unsupported_request: The request failed with unsupported_request. " +
        `${new URL(t.url).origin} has answered.`,
    });
    await assert.rejects(run(["tenders", "--key", world.keys.revoked], t), {
      message: `invalid_api_key: The API key is unknown, revoked or expired. ${
        new URL(t.url).origin
      } has answered.`,
    });
    for (const args of [[], [" "], ["--limit", "few", "q"], ["--surplus"], ["--url=x:80", "q"]]) {
      await assert.rejects(run(args, t), UsageError, args.join(" "));
    }
  },
);

clientTest("ask runs under the permissions of its task", async ({ url, world }) => {
  const env = { CE_API_KEY: world.keys.entitled, DATA_DIR: "docs" };
  const { code, stdout, stderr } = await runCommand(["ask", "--url", url, "fish"], env);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^COMPANY .*\nSouth /);
  const { stdout: help } = await runCommand(["ask", "--help"], {});
  assert.match(help, /^ask \[--limit N\]/);
});
