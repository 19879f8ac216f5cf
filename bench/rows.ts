/** Converts records to documents of an index, without a database. */
import { normalizeInstant } from "../src/contract/instant.ts";
import type { Country, DemandClass, Kind } from "../src/contract/vocabulary.ts";
import type { NormalRecord } from "../src/ingest/record/normalize.ts";
import { SOURCES } from "../src/ingest/sources/sources.ts";
import { type ChangedRow, documentOf } from "../src/search/changes/changes.ts";
import type { ObservationDocument } from "../src/search/index/document.ts";
import { REAL_DATA, type RealFile, realFiles } from "../test/support/real_records.ts";

/** Returns the row that the SQL function `index_rows` returns for a record. */
export function rowOf(
  record: NormalRecord,
  { id, company_id }: { id: number; company_id: number },
): ChangedRow {
  const { kind, demand_class, country, texts, evidence } = record;
  return {
    id,
    change_seq: id,
    company_id,
    company_name: record.company_name,
    kind: kind as Kind,
    observed_fact: record.observed_fact,
    why_it_may_matter: record.why_it_may_matter,
    demand_class: demand_class as DemandClass,
    country: country as Country,
    occurred_at: instant(record.occurred_at),
    observed_at: instant(record.observed_at)!,
    expires_at: instant(record.expires_at),
    categories: record.categories,
    facets: record.facets ?? {},
    texts: texts.length > 0 ? texts : evidence.map(({ excerpt }) => excerpt),
    hostnames: record.hostnames,
  };
}

function instant(text: string | null): string | null {
  return text === null ? null : normalizeInstant(text)!;
}

/**
 * Reads the real records. Records with the same company name get the same company, which is
 * sufficient to measure time and memory. The documents do not expire.
 *
 * @param files by default all
 */
export async function readRealDocuments(
  files: readonly RealFile[] = realFiles(),
): Promise<ObservationDocument[]> {
  const companies = new Map<string, number>();
  const documents: ObservationDocument[] = [];
  for (const { format, path, company } of files) {
    using file = await Deno.open(REAL_DATA + path);
    const retrieved_at = new Date("2026-11-01T00:00:00Z");
    for await (
      const { judged } of SOURCES.get(format)!.read(file.readable, { retrieved_at, company })
    ) {
      if (!("record" in judged)) continue;
      const { record } = judged;
      const company_id = companies.get(record.normalized_name) ?? companies.size + 1;
      companies.set(record.normalized_name, company_id);
      const row = rowOf(record, { id: documents.length + 1, company_id });
      documents.push({ ...documentOf(row)!, expires_at: null });
    }
  }
  return documents;
}
