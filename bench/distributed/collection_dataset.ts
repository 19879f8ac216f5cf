/** Records a public test collection in a database, and asks a retriever its questions. */
import {
  CANDIDATE_LIMIT,
  OBSERVATIONS_PER_COMPANY,
  QUERY_LENGTH_MAX,
} from "../../src/contract/search.ts";
import type { SourceRecord } from "../../src/contract/record.ts";
import type { Sql } from "../../src/db/connect.ts";
import { normalizeRecord } from "../../src/ingest/record/normalize.ts";
import { recordObservations } from "../../src/ingest/record/record.ts";
import { readQuery } from "../../src/search/reading/read_query.ts";
import type { Retriever } from "../../src/search/retriever.ts";
import { normalizeFilters } from "../../test/support/inputs.ts";
import { type Judged, ndcg, recall, type Relevance } from "../relevance.ts";

const BATCH = 500;

/** Moment to which times in questions are relative. */
const NOW = new Date("2026-11-01T00:00:00Z");

/** Text without a word, for fields that must not be empty. */
const NO_WORDS = "–";

/** Ids of documents, by the ids of their companies. */
type DocumentIds = ReadonlyMap<number, string>;

/** Records each document as the only observation of a company. Its title is the observed fact. */
export async function recordCollection(
  sql: Sql,
  documents: Judged["documents"],
): Promise<DocumentIds> {
  for (let start = 0; start < documents.length; start += BATCH) {
    const records = documents.slice(start, start + BATCH).map((document) => {
      const judged = normalizeRecord(recordOf(document));
      if ("reason" in judged) throw new Error(`document ${document.id}: ${judged.reason}`);
      return judged.record;
    });
    await recordObservations(sql, records);
  }
  const rows = await sql<{ company_id: number; external_id: string }[]>`
    select company_id, external_id from observations
  `;
  return new Map(rows.map(({ company_id, external_id }) => [company_id, external_id]));
}

function recordOf({ id, title, text }: Judged["documents"][number]): SourceRecord {
  return {
    source: "collection",
    external_id: id,
    company: { name: nameOf(id), external_id: id },
    kind: "company_profile",
    observed_fact: title.trim() || NO_WORDS,
    why_it_may_matter: NO_WORDS,
    demand_class: "structural",
    country: "US",
    confidence: 1,
    observed_at: "2026-01-01T00:00:00Z",
    text: text.trim() || NO_WORDS,
    evidence: [{ source_uri: "https://collection.example", excerpt: NO_WORDS }],
  };
}

/** Returns a name that occurs in no text and that no other company has. */
function nameOf(id: string): string {
  const letters = [...id].map((digit) => "bcdfghjklm"[Number(digit)] ?? "x").join("o");
  return `Zu${letters}ozu`;
}

/** Asks the questions of a collection. Longer questions are cut at the max length of a query. */
export async function askCollection(
  retriever: Retriever,
  { queries, ids }: { queries: Judged["queries"]; ids: DocumentIds },
): Promise<Relevance> {
  let gain = 0;
  let recalled = 0;
  for (const { text, grades } of queries) {
    const query = text.slice(0, QUERY_LENGTH_MAX);
    const { entries } = await retriever.search({
      reading: readQuery(query, NOW),
      query,
      filters: normalizeFilters({}),
      companies: CANDIDATE_LIMIT,
      observations_per_company: OBSERVATIONS_PER_COMPANY,
      now: NOW,
    });
    const ranked = entries.map(({ company_id }) => ids.get(company_id)!);
    gain += ndcg(ranked, grades, 10);
    recalled += recall(ranked, grades, 100);
  }
  return { ndcg_at_10: gain / queries.length, recall_at_100: recalled / queries.length };
}
