/** The files that commands of the documentation read, and how the tests run those commands. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { ingest } from "../../src/commands/ingest.ts";
import { readSettings } from "../../src/config.ts";
import type { Database } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";
import { csv } from "./canadabuys_notices.ts";
import { sourceRecord } from "./factories.ts";
import { GOLDEN_CSV } from "./lei_records.ts";
import { blocksOf } from "./markdown.ts";
import { greenhouseJob } from "./postings.ts";
import SEAO from "../../src/ingest/sources/seao/sample.json" with { type: "json" };

const line = () => `${JSON.stringify(sourceRecord())}\n`;

/** Contents of the files by their names in the documentation. */
const FILES: Readonly<Record<string, () => string | Uint8Array>> = {
  // Readers of the page write this file themselves.
  "records.ndjson": () => `${JSON.stringify(JSON.parse(blocksOf("docs/ingest.md", "json")[0]!))}\n`,
  "january.ndjson": line,
  "february.ndjson": line,
  "old.ndjson.gz": () => gzipSync(line()),
  "notices.csv": () => csv({}),
  "board.json": () => JSON.stringify({ jobs: [greenhouseJob({})] }),
  "golden-copy.csv": () => GOLDEN_CSV,
  "hebdo_20260720_20260726.json": () => JSON.stringify({ releases: SEAO.releases.slice(0, 1) }),
};

/**
 * Runs `deno task ingest` or `deno task quality` with the files of the documentation. `zipped` is
 * the file that the command unpacks to standard input.
 */
export async function runDocumentedIngest(
  args: readonly string[],
  { db, zipped }: { db: Database; zipped?: string },
): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "ce-documented-" });
  try {
    const words = [...args];
    for (const [at, word] of words.entries()) {
      const file = FILES[word]?.();
      if (file === undefined) continue;
      words[at] = `${directory}/${word}`;
      await Deno.writeFile(words[at], typeof file === "string" ? encoder.encode(file) : file);
    }
    const messages: string[] = [];
    const context = {
      database: () => Promise.resolve({ ...db, close: () => Promise.resolve() }),
      log: createLog("error"),
      settings: readSettings({}),
      say: (message: string) => void messages.push(message),
      stdin: zipped === undefined ? undefined : unzipped(FILES[zipped]!() as BufferSource),
    };
    const printed: string[] = [];
    const exit_code = await ingest(words, context, (text) => void printed.push(text));
    assert.equal(exit_code, 0, [...messages, ...printed].join("\n"));
    // Each file of the documentation has exactly one record.
    const files = words.filter((word) => word === "-" || word.startsWith(directory)).length;
    assert.match(printed.join("\n"), new RegExp(`^(\\{"read":${files},|read +${files}\n)`));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

const encoder = new TextEncoder();

function unzipped(bytes: BufferSource): AsyncIterable<Uint8Array> {
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
}
