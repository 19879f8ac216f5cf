/** Makes a new source in a copy of the tree, by the steps of CONTRIBUTING.md alone. */
import assert from "node:assert/strict";
import { cp, rename } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { batchSizeOf, ingestEntries } from "../../../src/ingest/record/pipeline.ts";
import type { Source } from "../../../src/ingest/sources/kit/source.ts";
import { oneEngineTest } from "../../support/database.ts";
import { checkFolder, readSample } from "../../support/source_folders.ts";

/** Max number of lines that a developer changes for a source that is a mapping. */
const CHANGED_LINES_MAX = 150;

/** Returns the code blocks of the section "Add a source", by their languages. */
async function documentedSteps(): Promise<Map<string, string>> {
  const page = await Deno.readTextFile("CONTRIBUTING.md");
  const [, section] = /^## Add a source\n(.*?)^## /ms.exec(page)!;
  const blocks = section!.matchAll(/^ {3}```(\w+)\n(.*?)^ {3}```$/gms);
  const byLanguage = Map.groupBy(blocks, ([, language]) => language!);
  return new Map([...byLanguage].map(([language, found]) => [
    language,
    found.map(([, , text]) => text!.replaceAll(/^ {3}/gm, "")).join(""),
  ]));
}

/** Runs the commands `cp` and `mv` of a step below `root`. */
async function copyFolder(commands: string, root: URL): Promise<void> {
  for (const command of commands.split("\n")) {
    const [program, ...paths] = command.split(" ").filter((word) => word !== "-r");
    const [from, to] = paths.map((path) => new URL(path, root));
    if (program === "cp") await cp(from!, to!, { recursive: true });
    if (program === "mv") await rename(from!, to!);
  }
}

/** Adds the lines of a step that begin with "+", each after the line that precedes it there. */
function withAddedLines(text: string, step: string): string {
  const lines = step.split("\n");
  return lines.reduce((changed, line, at) => {
    if (!line.startsWith("+")) return changed;
    const before = `${lines[at - 1]!.slice(1)}\n`;
    assert.equal(changed.split(before).length, 2, `sources.ts has one line: ${before}`);
    return changed.replace(before, `${before}${line.slice(1)}\n`);
  }, text);
}

oneEngineTest(
  "the steps of CONTRIBUTING.md make a source that ingests its sample",
  async ({ db }) => {
    const steps = await documentedSteps();
    const directory = await Deno.makeTempDir({ prefix: "ce-source-" });
    try {
      const root = pathToFileURL(`${directory}/`);
      await cp(new URL("../../../src", import.meta.url), new URL("src", root), { recursive: true });
      await copyFolder(steps.get("sh")!, root);
      const folder = new URL("src/ingest/sources/", root);
      const files = {
        "halifax/sample.csv": steps.get("csv")!,
        "halifax/mapping.json": steps.get("json")!,
        "halifax/halifax.ts": steps.get("ts")!,
        "halifax/README.md": steps.get("md")!,
      };
      for (const [path, text] of Object.entries(files)) {
        await Deno.writeTextFile(new URL(path, folder), text);
      }
      const list = new URL("sources.ts", folder);
      const added = withAddedLines(await Deno.readTextFile(list), steps.get("diff")!);
      await Deno.writeTextFile(list, added);
      const changed = Object.values(files).join("").split("\n").length;
      assert.ok(changed <= CHANGED_LINES_MAX, `${changed} lines`);

      const { SOURCES } = await import(list.href) as { SOURCES: ReadonlyMap<string, Source> };
      const halifax = SOURCES.get("halifax")!;
      checkFolder(halifax, folder);
      const left: string[] = [];
      const counts = await ingestEntries(db.sql, readSample(halifax, {}, folder), {
        batch: batchSizeOf(db),
        reject: ({ reason }) => assert.fail(reason),
        leave_out: (reason) => left.push(reason),
      });
      assert.deepEqual([counts.recorded, left], [1, ["a cancelled tender"]]);
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
    const [row] = await db.sql`
    select c.name, o.external_id, o.observed_fact, o.expires_at
    from observations o
    join companies c on c.id = o.company_id
  `;
    assert.deepEqual(row, {
      name: "City of Halifax – Public Works",
      external_id: "26-101",
      observed_fact: "Public Works of Halifax requests bids: Winter maintenance of sidewalks.",
      expires_at: new Date("2026-10-31T02:59:59Z"),
    });
  },
);
