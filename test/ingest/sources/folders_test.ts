/** Tests that each source is one folder, with a page and a sample that its reader accepts. */
import assert from "node:assert/strict";
import { SOURCES } from "../../../src/ingest/sources/sources.ts";
import { linksOf } from "../../support/markdown.ts";
import { outcomesOf } from "../../support/reading.ts";
import { checkFolder, readSample, SOURCES_FOLDER } from "../../support/source_folders.ts";

/** Targets that the samples of some sources need. Other boards get the target `example`. */
const TARGETS: Readonly<Record<string, string>> = { homepage: "greenhouses.example" };

/** Sources whose records name their company and their board. */
const COMPLETE = ["edgar_8k", "gleif"];

Deno.test("each source has a folder with its reader, its page and a sample", () => {
  const folders = [...Deno.readDirSync(SOURCES_FOLDER)]
    .filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
  assert.deepEqual(folders.toSorted(), [...SOURCES.keys(), "kit"].toSorted());
  for (const source of SOURCES.values()) checkFolder(source);
});

Deno.test("docs/sources.md lists the pages of all sources", () => {
  const listed = linksOf("docs/sources.md").map(({ path }) => path)
    .filter((path) => path.startsWith("src/ingest/sources/"));
  const pages = [...SOURCES.keys()].map((name) => `src/ingest/sources/${name}/README.md`);
  assert.deepEqual(listed.toSorted(), pages.toSorted());
});

for (const source of SOURCES.values()) {
  Deno.test(`${source.name} accepts its sample, and rejects no record of it`, async () => {
    const needsTarget = source.remote?.target !== undefined && !COMPLETE.includes(source.name);
    const target = TARGETS[source.name] ?? (needsTarget ? "example" : undefined);
    const entries = await Array.fromAsync(readSample(source, { target }));
    const outcomes = outcomesOf(entries).map(([, outcome]) => outcome);
    assert.ok(outcomes.includes("accepted"));
    assert.deepEqual(outcomes.filter((one) => !/^(accepted$|left out: )/.test(one)), []);
  });
}
