/** Reads the change sequence of the dataset in pages of rows. */
import { normalizeInstant } from "../../contract/instant.ts";
import type { Sql } from "../../db/sql.ts";
import { sectorOfNaics } from "../../ingest/classify/sectors.ts";
import type { ObservationDocument } from "../index/document.ts";
import type { RecordIndex } from "../index/record_index.ts";
import { type FacetRecord, facetTermsOf } from "../facets/facet_terms.ts";

/**
 * A changed observation with its present contents. If the observation may not be shown,
 * `company_id` is null, and only `id` and `change_seq` may be read.
 */
type ChangedRow = { id: number; change_seq: number } & (Deliverable | { company_id: null });

/** Members of a document that a row states in another form. */
type Derived = "observation_id" | "company" | "facets" | "amount" | "closes_at" | "sectors";

interface Deliverable extends Omit<ObservationDocument, Derived> {
  company_name: string;
  categories: string[];
  facets: FacetRecord["facets"];
}

/** Number of rows per page, unless a reader sets another. A cluster gets as many per request. */
export const PAGE_ROWS = 500;

/** A position in the order of (change_seq, id). */
export interface ChangePosition {
  change_seq: number;
  id: number;
}

/** A page of `count` rows up to the position `last`, as JSON text, which the worker parses. */
export interface ChangePage {
  rows: string;
  count: number;
  last: ChangePosition;
}

/** Yields the pages of rows in the order of (change_seq, id), strictly after a position. */
export async function* changesAfter(
  sql: Sql,
  position: ChangePosition,
  limit = PAGE_ROWS,
): AsyncGenerator<ChangePage, void, void> {
  for (let after = position;;) {
    const page = await readChanges(sql, { after, limit });
    yield page;
    // The last page has fewer rows than the limit, or none.
    if (page.count < limit) return;
    after = page.last;
  }
}

/** Reads the next `limit` rows in the order of (change_seq, id), strictly after a position. */
export async function readChanges(
  sql: Sql,
  { after, limit }: { after: ChangePosition; limit: number },
): Promise<ChangePage> {
  const [page] = await sql<[{ rows: string; count: number; last: ChangePosition | null }]>`
    select
      coalesce(json_agg(d order by d.change_seq, d.id), '[]')::text as rows,
      count(*) as count,
      (
        array_agg(json_build_object('change_seq', d.change_seq, 'id', d.id)
          order by d.change_seq desc, d.id desc)
      )[1] as last
    from index_rows(array(
      select o.id
      from observations o
      where (o.change_seq, o.id) > (${after.change_seq}, ${after.id})
      order by o.change_seq, o.id
      limit ${limit}
    )) d
  `;
  return { ...page, last: page.last ?? after };
}

/** Parses the rows of a page. */
export function parseChanges({ rows }: Pick<ChangePage, "rows">): ChangedRow[] {
  return JSON.parse(rows);
}

/** Indexes a changed row. */
export function applyChange(index: Pick<RecordIndex, "put" | "remove">, row: ChangedRow): void {
  const document = documentOf(row);
  if (document) index.put(document);
  else index.remove(row.id);
}

/** Returns the document to index for a row; undefined if the observation may not be shown. */
export function documentOf(row: ChangedRow): ObservationDocument | undefined {
  if (row.company_id === null) return undefined;
  const { id, change_seq: _, company_name: company, categories, facets, ...common } = row;
  const { amount, deadline, naics } = facets;
  return {
    ...common,
    observation_id: id,
    company,
    facets: facetTermsOf({ ...row, company }),
    amount: amount?.value ?? null,
    closes_at: deadline == null ? null : normalizeInstant(deadline) ?? null,
    sectors: [...categories, ...(naics ?? []).flatMap((code) => sectorOfNaics(code) ?? [])],
  };
}
