/** Makes, records and reads back records, for the tests of record_observations(). */
import assert from "node:assert/strict";
import type { SourceRecord } from "../../src/contract/record.ts";
import type { Sql } from "../../src/db/connect.ts";
import { normalizeRecord } from "../../src/ingest/record/normalize.ts";
import { type RecordCounts, recordObservations } from "../../src/ingest/record/pipeline.ts";
import { sourceRecord } from "./factories.ts";

/**
 * Returns a record of the source "feed" about "Northwind Foods". Equal arguments give equal
 * records.
 */
export function raw(external_id: string, part: Partial<SourceRecord> = {}): SourceRecord {
  return sourceRecord({
    source: "feed",
    external_id,
    company: { name: "Northwind Foods" },
    evidence: [{ source_uri: "https://news.example/1", excerpt: "The hall" }],
    ...part,
  });
}

/** Records all records in one batch. */
export function record(sql: Sql, ...raws: SourceRecord[]): Promise<RecordCounts> {
  return recordObservations(
    sql,
    raws.map((part) => {
      const judged = normalizeRecord(part);
      assert.ok("record" in judged, "reason" in judged ? judged.reason : "");
      return judged.record;
    }),
  );
}

/** Returns the stored row of an observation. */
export const observation = async (sql: Sql, external_id: string) =>
  (await sql`select * from observations where external_id = ${external_id}`)[0]!;

/** Returns the id of the company of an observation. */
export const companyOf = async (sql: Sql, external_id: string): Promise<number> =>
  (await observation(sql, external_id)).company_id;
