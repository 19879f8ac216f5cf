/**
 * Tests that the example records in docs are valid, and that docs/ingest.md names every member and
 * the current bounds.
 */
import assert from "node:assert/strict";
import { Facets } from "../../../src/contract/facets.ts";
import { RECORD_LIMITS, SourceRecord } from "../../../src/contract/record.ts";
import { DEMAND_CLASSES, KINDS } from "../../../src/contract/vocabulary.ts";
import { normalizeRecord } from "../../../src/ingest/record/normalize.ts";
import { NOTHING_READ } from "../../../src/ingest/record/pipeline.ts";

const GUIDE = Deno.readTextFileSync("docs/ingest.md");

/** Returns the JSON blocks of a document that are records. */
function recordsOf(text: string): unknown[] {
  return [...text.matchAll(/^```json\n(.*?)^```$/gms)]
    .map(([, block]) => JSON.parse(block!))
    .filter((value) => typeof value.observed_fact === "string" && "external_id" in value);
}

Deno.test("normalizeRecord() accepts the records of docs/ingest.md", () => {
  const records = recordsOf(GUIDE);
  assert.equal(records.length, 2);
  for (const documented of records) assert.ok("record" in normalizeRecord(documented));
});

Deno.test("docs/ingest.md names every member, facet, kind and count", () => {
  const names = [
    ...Object.keys(SourceRecord.shape),
    ...Object.keys(Facets.shape),
    ...KINDS,
    ...DEMAND_CLASSES,
    ...Object.keys(NOTHING_READ),
  ];
  for (const name of names) assert.ok(GUIDE.includes(`\`${name}\``), name);
});

Deno.test("docs/ingest.md states the current bounds", () => {
  const { excerpt_characters, text_characters, fact_characters, why_characters } = RECORD_LIMITS;
  for (const bound of [excerpt_characters, text_characters, fact_characters, why_characters]) {
    assert.ok(GUIDE.includes(`${bound.toLocaleString("en")} characters`), `${bound}`);
  }
});
