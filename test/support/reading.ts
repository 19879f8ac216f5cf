/** Reads what a source's files hold, in tests. */
import assert from "node:assert/strict";
import type { SourceEntry } from "../../src/ingest/record/entry.ts";
import type { NormalRecord } from "../../src/ingest/record/normalize.ts";
import type { Source } from "../../src/ingest/sources/source.ts";

/** When the bytes count as read. */
export const RETRIEVED_AT = new Date("2026-08-01T00:00:00Z");

/** All entries of a file, given as its text, its bytes or its address. */
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

/** The record of an entry that has one. */
export function recordOf({ judged }: SourceEntry): NormalRecord {
  assert.ok("record" in judged, "reason" in judged ? judged.reason : "");
  return judged.record;
}

/** Returns the content of recordOf(), without what is derived from the rest. */
export function contentOf(
  entry: SourceEntry,
): Omit<NormalRecord, "content_hash" | "normalized_name" | "legal_form"> {
  const { content_hash: _hash, normalized_name: _name, legal_form: _form, ...content } = recordOf(
    entry,
  );
  return content;
}

/** Returns the outcome of each entry: its line, and why it was rejected or left out. */
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

/** Returns how often each text occurs. */
export function countsOf(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

/** A table of some columns, our name of each: the file's; a cell that a row lacks is empty. */
export function csvOf<Columns extends Record<string, string>>(
  columns: Columns,
  rows: readonly Partial<Record<keyof Columns, string>>[],
): string {
  const cells = rows.map((row) => Object.keys(columns).map((key) => `"${row[key] ?? ""}"`));
  return [Object.values(columns), ...cells].map((line) => line.join(",")).join("\r\n");
}

/** Returns whether a file lies beside the project. */
export function isThere(file: URL): Promise<boolean> {
  return Deno.stat(file).then(() => true, () => false);
}

async function* bytes(text: string | Uint8Array) {
  yield await Promise.resolve(typeof text === "string" ? new TextEncoder().encode(text) : text);
}
