/** Texts by which agents find the service: llms.txt, the skill, and the registry's description. */
import assert from "node:assert/strict";
import { VERSION } from "../../src/contract/version.ts";
import { FAILURE_CODES } from "../../src/failures.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { withApp } from "../support/app.ts";
import { embeddedTest } from "../support/database.ts";

embeddedTest(
  "llms.txt links only to what the service serves, also below a path",
  async ({ db }) => {
    for (const base of ["", "/evidence"]) {
      await withApp(db, async ({ app }) => {
        const ask = (path: string) => app.fetch(new Request(new URL(path, "http://127.0.0.1")));
        const address = `http://127.0.0.1${base}/llms.txt`;
        const answer = await ask(address);
        assert.deepEqual([answer.status, answer.headers.get("content-type")], [
          200,
          "text/plain; charset=utf-8",
        ]);
        const text = await answer.text();
        const links = [...text.matchAll(/\]\((.*?)\)/g)].map(([, link]) => link!);
        assert.deepEqual(links, ["mcp", "skill.md", "openapi.json", "docs"]);
        for (const link of links) {
          const { status, body } = await ask(new URL(link, address).href);
          // The MCP server answers POST only.
          assert.equal(status, link === "mcp" ? 405 : 200, link);
          await body?.cancel();
        }
      }, { env: { BASE_PATH: base } });
    }
  },
);

Deno.test("the skill names only tools, arguments and codes that exist", () => {
  const text = Deno.readTextFileSync("src/http/skill.md");
  const [, name, description] = /^---\nname: (.*)\ndescription: (.*)\n---\n/.exec(text)!;
  assert.equal(name, "company-evidence");
  assert.ok(description!.length <= 1_024);
  const known: string[] = [
    ...TOOLS.flatMap((tool) => [tool.name, ...Object.keys(tool.input.shape)]),
    ...FAILURE_CODES,
    ...["request_allowance", "retry_at", "source_uri", "as_of", "demand_class", "limitations"],
    ...["explicit_request", "proxy", "structural"],
    ...["condition_not_stated", "single_source", "stale_evidence"],
    ...["filters.domains", "filters.observed_after", "error.message"],
  ];
  const words = [...text.matchAll(/`([a-z_.]+)`/g)].map(([, word]) => word!)
    .filter((word) => !word.endsWith(".example"));
  assert.ok(words.length > 20);
  assert.deepEqual(words.filter((word) => !known.includes(word)), []);
});

Deno.test("deploy/server.json describes the MCP server with its secret header", () => {
  const { version, name, description, remotes } = JSON.parse(
    Deno.readTextFileSync("deploy/server.json"),
  );
  assert.equal(version, VERSION);
  assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.ok(description.length <= 100, "the registry allows 100 characters");
  const [{ type, url, headers: [header] }] = remotes;
  assert.deepEqual(
    [type, new URL(url).pathname, header.name, header.isRequired, header.isSecret],
    ["streamable-http", "/mcp", "Authorization", true, true],
  );
});
