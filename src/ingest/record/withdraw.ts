/**
 * Withdrawals from the dataset by an operator, and returns to it. They hold from the next read on.
 */
import type { Sql } from "../../db/connect.ts";
import { inTurn } from "./retry_on_lock.ts";

/** Number of observations that a change shows or hides. */
interface Change {
  observations: number;
}

/** Sets whether a source's observations may be shown. @returns null if there is no such source */
export async function setSource(
  sql: Sql,
  name: string,
  permitted: boolean,
): Promise<Change & { source: string; permitted: boolean } | null> {
  const [row] = await inTurn(() =>
    sql<{ change: Change & { source: string; permitted: boolean } | null }[]>`
      select set_source(${name}, ${permitted}) as change
    `
  );
  return row!.change;
}

/** @returns nothing where there is no such observation */
export async function withdrawObservation(
  sql: Sql,
  id: number,
): Promise<{ observation: number; withdrawn: true } | null> {
  const [row] = await inTurn(() =>
    sql<{ change: { observation: number; withdrawn: true } | null }[]>`
      select withdraw_observation(${id}) as change
    `
  );
  return row!.change;
}

/** Withdraws an address wherever it is evidence, also in records that come later. */
export async function withdrawEvidence(
  sql: Sql,
  uri: string,
): Promise<Change & { evidence_uri: string }> {
  const [row] = await inTurn(() =>
    sql<{ change: Change & { evidence_uri: string } }[]>`
      select withdraw_evidence(${uri}) as change
    `
  );
  return row!.change;
}

/** Suppresses a company with all that is known of it. @returns nothing where there is none */
export async function suppressCompany(
  sql: Sql,
  id: number,
): Promise<Change & { company: number } | null> {
  const [row] = await inTurn(() =>
    sql<{ change: Change & { company: number } | null }[]>`
      select suppress_company(${id}) as change
    `
  );
  return row!.change;
}
