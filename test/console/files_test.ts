/** The files of the console: their sizes, requests and texts. */
import assert from "node:assert/strict";
import { CONSOLE_FILES } from "../../src/console/files.ts";
import { GUIDE_FILES } from "../../src/console/guides.ts";
import { FAILURE_CODES } from "../../src/failures.ts";
import { DEMAND_CLASSES, KINDS, SECTOR_CODES } from "../../src/contract/vocabulary.ts";

const textOf = (path: string) => CONSOLE_FILES.get(path)?.text ?? GUIDE_FILES.get(path)!.text();

/** Returns the paths of the files that a page names. */
function partsOf(page: string): string[] {
  const links = [...textOf(page).matchAll(/(?:src|href)="(?:\.\.\/)?(console\/[^"]*)"/g)];
  return [...new Set(links.map(([, path]) => `/${path}`))];
}

/** Returns the number of uncompressed bytes of a page and of all files that it loads. */
function bytesOf(page: string): number {
  return [page, ...partsOf(page)].reduce((sum, path) => sum + new Blob([textOf(path)]).size, 0);
}

Deno.test("the console has less than 150 kB, and the reference less than 2 MB, uncompressed", () => {
  assert.ok(bytesOf("/") < 150_000, `${bytesOf("/")} bytes`);
  assert.ok(bytesOf("/docs") < 2_000_000, `${bytesOf("/docs")} bytes`);
});

Deno.test("each page names all modules that it runs, and every file is part of a page", () => {
  const parts = new Set(["/", "/docs", "/console/icon.svg", "/console/licences.txt"]);
  for (const page of ["/", "/docs", "/docs/metering"]) {
    for (const path of partsOf(page)) {
      parts.add(path);
      assert.ok(CONSOLE_FILES.has(path), path);
      const specifiers = textOf(path).matchAll(/^(?:import|\} from).*"(\.\/[^"]+)";$/gm);
      for (const [, specifier] of specifiers) {
        const imported = new URL(specifier!, `file://${path}`).pathname;
        assert.ok(partsOf(page).includes(imported), `${page} runs ${imported}`);
      }
    }
  }
  assert.deepEqual([...CONSOLE_FILES.keys()].filter((path) => !parts.has(path)), []);
});

Deno.test("no file names an address of another host, or a path from the root", () => {
  for (const [path, { text }] of CONSOLE_FILES) {
    // A browser does not request XML namespaces. The address 127.0.0.1:8080 in the snippets is
    // replaced by the page's own address.
    const absolute = [...text.matchAll(/["'`(](https?:\/\/[^"'`\s)]*)/g)].map(([, url]) => url!)
      .filter((url) => !/^http:\/\/(www\.w3\.org\/|127\.0\.0\.1:8080)/.test(url));
    assert.deepEqual(absolute, [], path);
    assert.deepEqual(text.match(/(src|href)="\/|fetch\("\/|import "\//g), null, path);
  }
});

Deno.test("the licence of each library is served, and each library names it", () => {
  const licences = textOf("/console/licences.txt");
  for (const [name, files] of [["preact", ["preact", "hooks"]], ["htm", ["htm"]]] as const) {
    assert.ok(licences.includes(Deno.readTextFileSync(`node_modules/${name}/LICENSE`)), name);
    for (const file of files) {
      assert.match(textOf(`/console/vendor/${file}.js`), /^\/\*! .*See \.\.\/licences\.txt \*\//);
    }
  }
});

/** Loads modules of the console. Some of them read `document.baseURI`, which is therefore set. */
async function load(): Promise<{
  SNIPPETS: [string, string, string][];
  EXPLAINED: string[];
  explain: (answer: { error: { code: string; message: string } }) => { advice: string };
  words: Record<string, (name: string) => string>;
}> {
  Object.assign(globalThis, { document: { baseURI: "http://127.0.0.1:8080/" } });
  // A static import would add the types of a browser to all tests.
  const [{ SNIPPETS }, { EXPLAINED, explain }, words] = await Promise.all(
    ["agents_page", "faults", "words"].map((name) => import(`../../src/console/${name}.js`)),
  );
  return { SNIPPETS, EXPLAINED, explain, words };
}

Deno.test("the documents contain each snippet for an agent as the console shows it", async () => {
  const { SNIPPETS } = await load();
  const pages = [...Deno.readDirSync("docs")].filter(({ name }) => name.endsWith(".md"))
    .map(({ name }) => `docs/${name}`);
  const documents = ["README.md", ...pages].map((path) => Deno.readTextFileSync(path));
  assert.ok(SNIPPETS.length >= 9);
  for (const [name, , text] of SNIPPETS) {
    assert.ok(documents.some((document) => document.includes(text)), name);
  }
});

/** Error codes that the console cannot get, because none of its requests causes them. */
const NEVER_MET = [
  "malformed_request",
  "not_found",
  "method_not_allowed",
  "request_timeout",
  "payload_too_large",
  "unsupported_media_type",
  "forbidden_origin",
];

Deno.test("every error code that the console can get has an explanation", async () => {
  const { EXPLAINED } = await load();
  const codes = FAILURE_CODES.filter((code) => !NEVER_MET.includes(code));
  assert.deepEqual(EXPLAINED.toSorted(), [...codes, "no_answer"].sort());
});

Deno.test("every kind, demand class and sector has a readable label", async () => {
  const { words } = await load();
  for (const name of KINDS) assert.notEqual(words.kindLabel!(name), name);
  for (const name of DEMAND_CLASSES) assert.notEqual(words.demandLabel!(name), name);
  for (const code of SECTOR_CODES) assert.notEqual(words.sectorText!(code), code);
});

Deno.test("a refused input is named as the form names it", async () => {
  const { explain } = await load();
  const message = "filters.company_ids[0]: a positive integer; query: 1 to 500 characters.";
  assert.equal(
    explain({ error: { code: "invalid_search", message } }).advice,
    "Only these company ids, entry 1: a positive integer; Question: 1 to 500 characters.",
  );
});
