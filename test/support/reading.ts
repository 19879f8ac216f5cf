/** Reads files of sources in tests. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { type SourceEntry, UnreadableSource } from "../../src/ingest/record/entry.ts";
import type { NormalRecord } from "../../src/ingest/record/normalize.ts";
import type { Source } from "../../src/ingest/sources/kit/source.ts";

/** Time at which a file counts as retrieved. */
export const RETRIEVED_AT = new Date("2026-08-01T00:00:00Z");

/** Returns all entries of a file. The file is a text, bytes, or the URL of a file. */
export async function readSource(
  source: Source,
  file: string | Uint8Array | URL,
): Promise<SourceEntry[]> {
  const stream = file instanceof URL ? (await Deno.open(file)).readable : bytes(file);
  const entries = [];
  for await (const entry of source.read(stream, { retrieved_at: RETRIEVED_AT })) {
    entries.push(entry);
  }
  return entries;
}

/** Asserts that the source refuses each file, with a message that matches the expression. */
export async function assertUnreadable(
  source: Source,
  files: readonly (readonly [file: string | Uint8Array, reason: RegExp])[],
): Promise<void> {
  for (const [file, reason] of files) {
    await assert.rejects(readSource(source, file), (error: Error) => {
      assert.ok(error instanceof UnreadableSource, error.stack);
      assert.match(error.message, reason);
      return true;
    });
  }
}

/**
 * Registers a test of all entries of a real file. Real files are outside of the project, so the
 * test is ignored if its file is absent.
 * @param path path of the file below ../shared/data
 */
export function realFileTest(
  name: string,
  { source, path }: { source: Source; path: string },
  body: (entries: SourceEntry[]) => void,
): void {
  const file = new URL(`../../../shared/data/${path}`, import.meta.url);
  const fn = async () => body(await readSource(source, file));
  Deno.test({ name, ignore: !existsSync(file), fn });
}

/** Returns the record of an entry. @throws AssertionError if it has none */
export function recordOf({ judged }: SourceEntry): NormalRecord {
  assert.ok("record" in judged, "reason" in judged ? judged.reason : "");
  return judged.record;
}

/** Returns the record of an entry without its derived members. */
export function contentOf(
  entry: SourceEntry,
): Omit<NormalRecord, "content_hash" | "normalized_name" | "legal_form"> {
  const { content_hash: _hash, normalized_name: _name, legal_form: _form, ...content } = recordOf(
    entry,
  );
  return content;
}

/** Returns the line of each entry, and "accepted" or the reason why it was rejected or left out. */
export function outcomesOf(entries: readonly SourceEntry[]): [number, string][] {
  return entries.map(({ line, judged }) => [
    line,
    "reason" in judged
      ? judged.reason
      : "left_out" in judged
      ? `left out: ${judged.left_out}`
      : "accepted",
  ]);
}

/** Returns the number of occurrences of each text. */
export function countsOf(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

/**
 * Returns a CSV file. A cell that a row omits is empty.
 * @param columns header of each column, by the column's name in the code
 */
export function csvOf<Columns extends Record<string, string>>(
  columns: Columns,
  rows: readonly Partial<Record<keyof Columns, string>>[],
): string {
  const cells = rows.map((row) => Object.keys(columns).map((key) => `"${row[key] ?? ""}"`));
  return [Object.values(columns), ...cells].map((line) => line.join(",")).join("\r\n");
}

/** Returns whether a file exists. */
export function isThere(file: URL): Promise<boolean> {
  return Deno.stat(file).then(() => true, () => false);
}

async function* bytes(text: string | Uint8Array) {
  yield await Promise.resolve(typeof text === "string" ? new TextEncoder().encode(text) : text);
}
