/** Merges and splits of companies by an operator, and their report. */
import type { Sql } from "../../db/connect.ts";
import { callWriter } from "./retry_on_lock.ts";

/** A merge as it was made; `observations` that it moved. */
interface Merge {
  merge: number;
  kept: number;
  merged: number;
  observations: number;
}

/** A merge as it is on record. Times as the wire writes them. */
interface MergeReport extends Merge {
  /** An operator's words, or identifiers as "cik:0000320193". */
  reason: string;
  /** Source of the record that brought the identifiers; null if an operator merged. */
  source: string | null;
  merged_at: string;
  undone_at: string | null;
}

/** All that is known of a company but its observations. */
interface CompanyReport {
  id: number;
  name: string;
  created_at: string;
  suppressed_at: string | null;
  /** The company that it is part of, which has all that was its own. */
  merged_into: number | null;
  /** Number of observations, and number of those that may be shown now. */
  observations: number;
  deliverable: number;
  external_ids: { source: string; external_id: string; name: string }[];
  identifiers: { scheme: string; value: string; source: string }[];
  names: { source: string; normalized_name: string; legal_form: string; country: string }[];
  hostnames: { hostname: string; active: boolean }[];
  /** Merges of this company with others, in either direction, oldest first. */
  merges: MergeReport[];
}

/** The database's reason not to do what it was asked for. */
interface Refused {
  refused: string;
}

/**
 * Makes one company of two: all that is the second's becomes the first's.
 *
 * @throws Error with the reason where there is no such company, where it is part of another
 * already, or where identifiers of registers say that the two are different
 */
export async function mergeCompanies(
  sql: Sql,
  { kept, merged, reason }: { kept: number; merged: number; reason: string },
): Promise<Merge> {
  return granted<Merge>(
    await callWriter(sql, sql`merge_companies(${kept}, ${merged}, ${reason})`),
  );
}

/**
 * Undoes a merge. The two are not merged again but by an operator.
 *
 * @returns nothing where there is no such merge
 * @throws Error where it was undone before, or another merge on top has to be undone first
 */
export async function splitCompany(
  sql: Sql,
  merge: number,
): Promise<{ merge: number; kept: number; returned: number; observations: number } | null> {
  return granted(await callWriter(sql, sql`split_company(${merge})`));
}

/** @returns nothing where there is no such company */
export async function showCompany(sql: Sql, id: number): Promise<CompanyReport | null> {
  const [row] = await sql<{ company: CompanyReport | null }[]>`
    select show_company(${id}) as company
  `;
  return row!.company;
}

/** The latest first. */
export async function listMerges(sql: Sql, limit: number): Promise<MergeReport[]> {
  const [row] = await sql<{ merges: MergeReport[] }[]>`select list_merges(${limit}) as merges`;
  return row!.merges;
}

function granted<T extends object | null>(answer: T | Refused): T {
  if (answer !== null && "refused" in answer) throw new Error(answer.refused);
  return answer as T;
}
