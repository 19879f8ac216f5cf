/** Merges and splits companies for an operator, and reports on them. */
import type { Sql } from "../../db/connect.ts";
import { callWriter } from "./pipeline.ts";

/**
 * A merge of company `merged` into company `kept`, with the number of observations that it moved.
 */
interface Merge {
  merge: number;
  kept: number;
  merged: number;
  observations: number;
}

/** A recorded merge. Times are ISO 8601. */
interface MergeReport extends Merge {
  /** An operator's words, shared identifiers ("cik:0000320193"), or name and region that agree. */
  reason: string;
  /** Source of the record that led to the merge; null if an operator merged. */
  source: string | null;
  merged_at: string;
  undone_at: string | null;
}

/** The database's reason for a refusal. */
interface Refused {
  refused: string;
}

/**
 * Merges one company into another, which takes over all its records.
 *
 * @throws Error with the reason: the two are one company, one of them does not exist or is already
 * merged, or their register identifiers differ
 */
export async function mergeCompanies(
  sql: Sql,
  { kept, merged, reason }: { kept: number; merged: number; reason: string },
): Promise<Merge> {
  return unlessRefused<Merge>(
    await callWriter(sql, sql`merge_companies(${kept}, ${merged}, ${reason})`),
  );
}

/**
 * Undoes a merge. Only an operator can merge the two again. Returns null if there is no such merge.
 *
 * @throws Error if it was undone before, or a later merge has to be undone first
 */
export async function splitCompany(
  sql: Sql,
  merge: number,
): Promise<{ merge: number; kept: number; returned: number; observations: number } | null> {
  return unlessRefused(await callWriter(sql, sql`split_company(${merge})`));
}

/** Reports on a company (show_company). Returns null if there is none with this id. */
export async function showCompany(sql: Sql, id: number): Promise<Record<string, unknown> | null> {
  const [row] = await sql<{ company: Record<string, unknown> | null }[]>`
    select show_company(${id}) as company
  `;
  return row!.company;
}

/** Lists merges, the latest first. */
export async function listMerges(sql: Sql, limit: number): Promise<MergeReport[]> {
  const [row] = await sql<{ merges: MergeReport[] }[]>`select list_merges(${limit}) as merges`;
  return row!.merges;
}

function unlessRefused<T extends object | null>(answer: T | Refused): T {
  if (answer !== null && "refused" in answer) throw new Error(answer.refused);
  return answer as T;
}
