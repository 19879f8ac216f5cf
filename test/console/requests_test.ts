/**
 * The console shows each request as a curl command, as an MCP call, and as programs in TypeScript and
 * Python. All of them lead to the same operation.
 */
import assert from "node:assert/strict";
import { oneEngineTest } from "../support/database.ts";
import { withConsole } from "../support/console_world.ts";
import { createCaller, record } from "../support/factories.ts";
import { findPython } from "../support/interpreters.ts";

interface Call {
  action: string;
  params?: string[][];
  body?: { query: string };
  key: string;
}

interface Requests {
  searchCall(inputs: object): Call;
  lookupCall(targets: string[]): Call;
  listingCall(inputs: object): Call;
  asCurl(call: Call): string;
  asMcp(call: Call): string;
  asTypeScript(call: Call): string;
  asPython(call: Call): string;
}

async function loadAt(origin: string): Promise<Requests> {
  Object.assign(globalThis, { document: { baseURI: `${origin}/` } });
  const path = "../../src/console/requests.js";
  return await import(`${path}?at=${encodeURIComponent(origin)}`);
}

/** Splits a command into its words as a shell does, and expands $CE_API_KEY. */
function wordsOf(command: string, CE_API_KEY: string): string[] {
  const word = /(?:'([^']*)'|"([^"]*)"|\\(.)|[^\s'"\\])+/gs;
  return [...command.replaceAll("\\\n", " ").matchAll(word)].map(([text]) =>
    text.replace(
      /'([^']*)'|"([^"]*)"|\\(.)/gs,
      (_, single, double, plain) => single ?? double?.replace("$CE_API_KEY", CE_API_KEY) ?? plain,
    )
  );
}

/** Sends the request that a curl command describes. Returns the body of the answer. */
async function runCurl(command: string, key: string): Promise<unknown> {
  const words = wordsOf(command, key);
  assert.deepEqual(words.slice(0, 2), ["curl", "-sS"]);
  const headers = new Headers();
  let [url, body]: [string?, string?] = [];
  for (let at = 2; at < words.length; at++) {
    if (words[at] === "-H") headers.append(...words[++at]!.split(/: (.*)/s) as [string, string]);
    else if (words[at] === "-d") body = words[++at];
    else if (words[at] !== "-g") url = words[at];
  }
  const response = await fetch(url!, { method: body ? "POST" : "GET", headers, body });
  return await response.json();
}

/** Runs a TypeScript program of the console. Returns the JSON that it prints. */
async function runProgram(text: string, key: string): Promise<unknown> {
  const file = Deno.makeTempFileSync({ suffix: ".ts" });
  try {
    Deno.writeTextFileSync(file, text);
    const args = ["run", "--no-config", "--allow-net=127.0.0.1", "--allow-env=CE_API_KEY", file];
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args,
      env: { CE_API_KEY: key, NO_COLOR: "1" },
    }).output();
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    assert.notEqual(out, "", err);
    return JSON.parse(out!);
  } finally {
    Deno.removeSync(file);
  }
}

/** Runs a Python program of the console. Returns the JSON that it prints. */
async function runPython(python: string, text: string, key: string): Promise<unknown> {
  // With -I, Python ignores its environment variables and the user's packages.
  const { stdout, stderr } = await new Deno.Command(python, {
    args: ["-I", "-c", text],
    env: { CE_API_KEY: key },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.notEqual(out, "", err);
  return JSON.parse(out!);
}

const python = findPython();
if (python === undefined) {
  Deno.test({ name: "the Python programs of the console are run", ignore: true, fn() {} });
}

oneEngineTest("a request by curl, by MCP and by a program is one operation", async (t) => {
  const { key } = await createCaller(t.sql);
  await record(t.sql, [
    { observed_fact: "A freezer warehouse.", company: { domains: ["north.example"] } },
  ]);
  await withConsole(t.db, async ({ origin }) => {
    const requests = await loadAt(origin);
    // A hostname among ids is no id.
    assert.deepEqual(requests.lookupCall(["7", "north.example"]).params, [
      ["domains[]", "7"],
      ["domains[]", "north.example"],
    ]);
    const calls = [
      // A shell and a program treat these characters differently.
      requests.searchCall({ query: `freezer's "warehouse" \\ $HOME`, filters: {}, limit: 3 }),
      requests.lookupCall(["north.example", "nowhere.example"]),
      requests.listingCall({
        domains: ["north.example"],
        since: "2020-01-01T00:00:00+01:00",
        kinds: ["facility_expansion"],
        limit: 10,
      }),
    ];
    for (const call of calls) {
      call.key = crypto.randomUUID();
      const first = await runCurl(requests.asCurl(call), key) as { usage: { id: number } };
      assert.equal(typeof first.usage.id, "number", JSON.stringify(first));
      assert.deepEqual(usageOf(await runProgram(requests.asTypeScript(call), key)), first.usage);
      if (python !== undefined) {
        const answer = await runPython(python, requests.asPython(call), key);
        assert.deepEqual(usageOf(answer), first.usage);
      }
      if (call.action === "list_observations") continue;
      const { result } = await runCurl(requests.asMcp(call), key) as {
        result: { structuredContent: unknown };
      };
      assert.deepEqual(usageOf(result.structuredContent), first.usage);
    }
    const [{ charged }] = await t.sql<[{ charged: number }]>`
      select sum(request_units)::integer as charged from ledger
    `;
    assert.equal(charged, 3);
  }, { workers: 0 });
});

const usageOf = (answer: unknown) => (answer as { usage: unknown }).usage;
