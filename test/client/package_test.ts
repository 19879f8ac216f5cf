/** The typed client as users get it: its generated types, its built package and its README. */
import assert from "node:assert/strict";
import { createContract } from "../../src/http/openapi.ts";
import { VERSION } from "../../src/contract/version.ts";
import { checkProgram, installClient, printTypes } from "../support/client_package.ts";
import { clientTest } from "../support/client_service.ts";
import { findNode, findNpm } from "../support/interpreters.ts";
import { askingWorld } from "../support/markdown.ts";

async function withDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "ce-client-" });
  try {
    await use(directory);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test("the types of both clients equal the output of their generators", async () => {
  for (
    const [file, suffix] of [
      ["client/openapi.ts", ".ts"],
      ["client/python/src/company_evidence_client/types.py", ".py"],
    ] as const
  ) {
    const types = await printTypes(createContract(), suffix);
    assert.ok(
      types === Deno.readTextFileSync(file),
      `${file} is not current: run deno task client`,
    );
  }
});

/**
 * Program that compiles only if the types accept what the contract allows, and refuse the lines
 * after each `@ts-expect-error`.
 */
const SAMPLE = `
import type { components, operations } from "./openapi.ts";
type Schemas = components["schemas"];
type Request = Schemas["CompanySearchRequest"];
const requests: Request[] = [
  { query: "tenders", limit: 3 },
  { query: "tenders" },
  { query: "tenders", filters: { countries: ["CA"] }, background: true, cursor: null },
  // @ts-expect-error no query
  { limit: 3 },
  // @ts-expect-error no such country
  { query: "tenders", filters: { countries: ["FR"] } },
  // @ts-expect-error no such field
  { query: "tenders", surplus: 1 },
];
type Limited = operations["search_companies"]["responses"][429]["content"]["application/json"];
const code: Limited["error"]["code"] = "delivery_limit_reached";
// @ts-expect-error this code comes with another status
const foreign: Limited["error"]["code"] = "invalid_search";
const known: Schemas["ErrorCode"][] = ["unavailable", code, foreign];
console.log(requests, known);
`;

Deno.test("the generated types require the fields that the service requires", () =>
  withDirectory(async (directory) => {
    await Deno.copyFile("client/openapi.ts", `${directory}/openapi.ts`);
    assert.equal(await checkProgram(directory, SAMPLE), "");
  }));

const README = Deno.readTextFileSync("client/README.md");
const PROGRAMS = [...README.matchAll(/^```js\n(.*?)^```$/gms)].map(([, program]) => program!);

/** Patterns of the last line that each program of the README prints, in their order. */
const LAST_LINES = [
  /^\d+ requests are left in this window$/,
  /^2$/,
  /^true$/,
  /^true invalid_search query: 1 to 500 characters/,
  /^3$/,
];

/** Runs each program of the README, and checks the last line that it prints. */
async function runReadme(
  { url, key }: { url: string; key: string },
  commandOf: (file: string) => { program: string; args: string[]; cwd: string },
  directory: string,
): Promise<void> {
  assert.equal(PROGRAMS.length, LAST_LINES.length);
  for (const [index, text] of PROGRAMS.entries()) {
    const file = `${directory}/example_${index}.mjs`;
    await Deno.writeTextFile(file, askingWorld(text));
    const { program, args, cwd } = commandOf(file);
    const { success, stdout, stderr } = await new Deno.Command(program, {
      args,
      cwd,
      env: { SERVICE_URL: url, CE_API_KEY: key, NO_COLOR: "1" },
    }).output();
    const text_of = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assert.ok(success, `${text}\n${text_of(stderr)}`);
    assert.match(text_of(stdout).trim().split("\n").at(-1)!, LAST_LINES[index]!, text);
  }
}

clientTest(
  "the programs of client/README.md run in Deno, from the sources",
  ({ url, world }) =>
    withDirectory(async (directory) => {
      const config = `${directory}/deno.json`;
      const client = new URL("../../client/client.ts", import.meta.url).href;
      const imports = { "company-evidence-client": client };
      await Deno.writeTextFile(config, JSON.stringify({ imports }));
      const head = 'import process from "node:process";\n';
      await runReadme({ url, key: world.keys.entitled }, (file) => {
        Deno.writeTextFileSync(file, head + Deno.readTextFileSync(file));
        const flags = ["--no-prompt", `--config=${config}`, "--no-lock", "--allow-env"];
        const args = ["run", "--quiet", ...flags, "--allow-net=127.0.0.1", file];
        return { program: Deno.execPath(), args, cwd: directory };
      }, directory);
    }),
);

const IN_NODE =
  "the programs of client/README.md run in Node, from the package that npm has packed";
const node = findNode();
const npm = findNpm();
if (node === undefined || npm === undefined) Deno.test({ name: IN_NODE, ignore: true, fn() {} });
else {
  clientTest(IN_NODE, ({ url, world }) =>
    withDirectory(async (directory) => {
      await installClient(directory, npm);
      const key = world.keys.entitled;
      await runReadme({ url, key }, (file) => ({
        program: node,
        args: [file],
        cwd: directory,
      }), directory);
      // CommonJS modules load the package as well, and its version is readable.
      const required = await new Deno.Command(node, {
        args: [
          "-p",
          'typeof require("company-evidence-client").EvidenceClient + " " + ' +
          'require("company-evidence-client/package.json").version',
        ],
        cwd: directory,
      }).output();
      assert.equal(new TextDecoder().decode(required.stdout), `function ${VERSION}\n`);
      // A program in TypeScript compiles with the declarations of the package.
      const program = `
        import { EvidenceClient } from "company-evidence-client";
        const client = new EvidenceClient({ url: "http://127.0.0.1", key: "k" });
        const { companies } = await client.searchCompanies({ query: "q", limit: 1 });
        console.log(companies[0]?.observations[0]?.observed_fact.length);
        // @ts-expect-error no query
        await client.searchCompanies({ limit: 1 });`;
      assert.equal(await checkProgram(directory, program), "");
    }));
}

Deno.test("client/package.json has the service's version and no dependency", () => {
  const { version, dependencies } = JSON.parse(Deno.readTextFileSync("client/package.json"));
  assert.deepEqual([version, dependencies], [VERSION, undefined]);
  for (const file of ["client", "transport", "errors", "allowance"]) {
    const text = Deno.readTextFileSync(`client/${file}.ts`);
    for (const [, specifier] of text.matchAll(/from "([^"]+)"/g)) assert.match(specifier!, /^\.\//);
  }
});
