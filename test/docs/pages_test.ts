/** The links of the pages, the files that they name, and the length of the README. */
import assert from "node:assert/strict";
import { CHARTED, drawCharts } from "../../bench/charts.ts";
import { SETTING_NAMES } from "../../src/config.ts";
import { anchorsOf, linksOf, PAGES, wordsOf } from "../support/markdown.ts";

/** Picture of the console, taken by `test/console/picture.ts`. */
const PICTURE = "docs/console.png";

Deno.test("every relative link of the pages leads to an existing file and heading", () => {
  let count = 0;
  for (const page of PAGES) {
    for (const { path, anchor } of linksOf(page)) {
      assert.ok(exists(path), `${page} links to ${path}`);
      if (anchor !== undefined) assert.ok(anchorsOf(path).includes(anchor), `${path}#${anchor}`);
      count++;
    }
  }
  assert.ok(count > 60, `${count} links`);
});

Deno.test("the README links to every page of docs, and has at most 150 lines", () => {
  const linked = linksOf("README.md").map(({ path }) => path);
  for (const page of PAGES) if (page !== "README.md") assert.ok(linked.includes(page), page);
  assert.ok(linked.includes(PICTURE));
  const lines = Deno.readTextFileSync("README.md").trimEnd().split("\n").length;
  assert.ok(lines <= 150, `${lines} lines`);
});

Deno.test("files and folders that the documents for developers name exist", () => {
  let count = 0;
  for (const page of ["ARCHITECTURE.md", "CONTRIBUTING.md", "AGENTS.md", "SECURITY.md"]) {
    const named = Deno.readTextFileSync(page).matchAll(
      /`((?:src|sql|test|docs|client)\/[\w/.]*)`/g,
    );
    for (const [, path] of named) {
      // Placeholders such as sql/NNNN_name.sql or test/some/file_test.ts are skipped.
      if (/NNNN|\/some\//.test(path!)) continue;
      assert.ok(isThere(path!), `${page} names ${path}`);
      count++;
    }
  }
  assert.ok(count > 60, `${count} names`);
});

Deno.test("the charts are drawn from the tables of the pages", () => {
  const charts = drawCharts(CHARTED.map((page) => Deno.readTextFileSync(page)));
  assert.ok(charts.size >= 3);
  for (const [path, svg] of charts) {
    assert.ok(svg === Deno.readTextFileSync(path), `${path} is not current: run deno task charts`);
  }
});

Deno.test("wordsOf() splits a command as a shell does", () => {
  const known = { variables: { KEY: "k" }, files: { "data/f": "c" } };
  assert.deepEqual(wordsOf(`curl -H "A: $KEY" -d '{"a": "$b c"}' x="y z"`, known), [
    "curl",
    "-H",
    "A: k",
    "-d",
    '{"a": "$b c"}',
    "x=y z",
  ]);
  assert.deepEqual(wordsOf('export K=$(cat data/f) "b $(cat data/f)"', known), [
    "export",
    "K=c",
    "b c",
  ]);
  assert.throws(() => wordsOf("echo $OTHER", known), {
    message: "$OTHER has no value: echo $OTHER",
  });
});

Deno.test("settings.md names every setting", async () => {
  const page = await Deno.readTextFile("docs/settings.md");
  const explained = new Set([...page.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name));
  assert.deepEqual(SETTING_NAMES.filter((name) => !explained.has(name)), []);
});

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
