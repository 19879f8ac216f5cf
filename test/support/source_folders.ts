/** Finds the folders of sources, with their pages and samples. */
import assert from "node:assert/strict";
import type { ReadContext, SourceEntry } from "../../src/ingest/record/entry.ts";
import type { Source } from "../../src/ingest/sources/kit/source.ts";
import { RETRIEVED_AT } from "./reading.ts";

/** Folder of the sources. */
export const SOURCES_FOLDER = new URL("../../src/ingest/sources/", import.meta.url);

/** Returns the address of the only sample in the folder of a source. */
export function sampleOf(name: string, folder = SOURCES_FOLDER): URL {
  const directory = new URL(`${name}/`, folder);
  const samples = [...Deno.readDirSync(directory)].map((entry) => entry.name)
    .filter((file) => file.startsWith("sample."));
  assert.equal(samples.length, 1, `${name}: ${samples}`);
  return new URL(samples[0]!, directory);
}

/** Reads the sample of a source. */
export async function* readSample(
  source: Source,
  context: Partial<ReadContext> = {},
  folder = SOURCES_FOLDER,
): AsyncGenerator<SourceEntry> {
  const file = await Deno.open(sampleOf(source.name, folder));
  yield* source.read(file.readable, { retrieved_at: RETRIEVED_AT, ...context });
}

/** Checks that a folder has the reader, the page and the sample of its source. */
export function checkFolder({ name, licence }: Source, folder = SOURCES_FOLDER): void {
  const page = Deno.readTextFileSync(new URL(`${name}/README.md`, folder));
  const text = page.replaceAll(/\s+/g, " ");
  const labels = [...page.matchAll(/^- \*\*([^*]+):\*\*/gm)].map(([, label]) => label);
  assert.deepEqual(labels, ["Good for", "Licence", "Read from", "What is read", "Sample"], name);
  assert.ok(text.includes(`**Licence:** ${licence}.`), `the page of ${name}: ${licence}`);
  const sample = sampleOf(name, folder).pathname.split("/").at(-1);
  assert.ok(text.includes(`**Sample:** \`${sample}\``), `the page of ${name}: ${sample}`);
  assert.ok(Deno.statSync(new URL(`${name}/${name}.ts`, folder)).isFile);
}
