/** Each source is one folder with a page and a sample, and requires only the columns that it needs. */
import assert from "node:assert/strict";
import { SOURCES } from "../../../src/ingest/sources/sources.ts";
import { linksOf } from "../../support/markdown.ts";
import { outcomesOf, readSource, recordOf } from "../../support/reading.ts";
import { checkFolder, readSample, SOURCES_FOLDER } from "../../support/source_folders.ts";
import { canadabuys } from "../../../src/ingest/sources/canadabuys/canadabuys.ts";
import { COLUMNS } from "../../../src/ingest/sources/canadabuys/cells.ts";
import { toronto } from "../../../src/ingest/sources/toronto/toronto.ts";
import { csv as notices } from "../../support/canadabuys_notices.ts";
import { csv as solicitations } from "../../support/toronto_solicitations.ts";

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

Deno.test("canadabuys reads a file without the columns that only describe a notice", async () => {
  const described = ["title_fra", "solicitation", "gsin", "unspsc", "url_fra"] as const;
  let text = notices({ reference: "plain" });
  for (const key of described) text = text.replace(COLUMNS[key], `other-${key}`);
  assert.deepEqual(outcomesOf(await readSource(canadabuys, text)), [[2, "accepted"]]);
  await assert.rejects(readSource(canadabuys, text.replace(COLUMNS.status, "other")), {
    message:
      /^not a CanadaBuys tender notice file; columns missing: tenderStatus-appelOffresStatut-eng; its/,
  });
  const utf16 = Uint16Array.from(`\ufeff${text}`, (one) => one.charCodeAt(0));
  await assert.rejects(readSource(canadabuys, new Uint8Array(utf16.buffer)), {
    message: /^the file seems to be in UTF-16; save it as UTF-8, or /,
  });
});

Deno.test("toronto reads an export without the columns Wards, Division and Category", async () => {
  for (const column of ["Wards", "Division", "High Level Category"]) {
    const text = solicitations({ number: "4041093476" }).replace(`"${column}"`, '"Other"');
    const [entry] = await readSource(toronto, text);
    assert.equal(recordOf(entry!).external_id, "4041093476:2026-08-07");
  }
  const without = solicitations({}).replace(/"(Submission Deadline|Buyer Name)"/g, '"Other"');
  await assert.rejects(readSource(toronto, without), {
    message: /^not a City of Toronto sol.* missing: Submission Deadline, Buyer Name; its/,
  });
});
