/** Records for the tests of record_observations(): raw ones, written and read back. */
import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { normalizeRecord } from "../../src/ingest/normalize.ts";
import { type RecordCounts, recordObservations } from "../../src/ingest/record.ts";

export type Part = Record<string, unknown>;

/** A record of the source "feed" about "Northwind Foods", but for the part given. */
export function raw(external_id: string, part: Part = {}): Part {
  return {
    source: "feed",
    external_id,
    company: { name: "Northwind Foods" },
    kind: "facility_expansion",
    observed_fact: "A hall is built.",
    why_it_may_matter: "Halls need racks.",
    demand_class: "proxy",
    country: "CA",
    confidence: 0.8,
    occurred_at: "2026-03-01T00:00:00Z",
    observed_at: "2026-03-02T09:00:00Z",
    evidence: [{ source_uri: "https://news.example/1", excerpt: "The hall" }],
    ...part,
  };
}

/** Records one batch. */
export function record(sql: Sql, ...raws: Part[]): Promise<RecordCounts> {
  return recordObservations(
    sql,
    raws.map((part) => {
      const judged = normalizeRecord(part);
      assert.ok("record" in judged, "reason" in judged ? judged.reason : "");
      return judged.record;
    }),
  );
}

/** The row as it is stored. */
export const observation = async (sql: Sql, external_id: string) =>
  (await sql`select * from observations where external_id = ${external_id}`)[0]!;

export const companyOf = async (sql: Sql, external_id: string): Promise<number> =>
  (await observation(sql, external_id)).company_id;
