/**
 * Withdraws records from the dataset for an operator, and permits or forbids sources. Changes apply
 * from the next read on.
 */
import type { Sql } from "../../db/connect.ts";
import { callWriter } from "./pipeline.ts";

/** The number of observations that a change affects. */
interface Change {
  observations: number;
}

/** Sets whether a source's observations may be shown. Returns null if there is no such source. */
export async function setSource(
  sql: Sql,
  name: string,
  permitted: boolean,
): Promise<Change & { source: string; permitted: boolean } | null> {
  return await callWriter(sql, sql`set_source(${name}, ${permitted})`);
}

/** Withdraws an observation. Returns null if there is none with this id. */
export async function withdrawObservation(
  sql: Sql,
  id: number,
): Promise<{ observation: number; withdrawn: true } | null> {
  return await callWriter(sql, sql`withdraw_observation(${id})`);
}

/** Withdraws all evidence of an address, also that of later records. */
export async function withdrawEvidence(
  sql: Sql,
  uri: string,
): Promise<Change & { evidence_uri: string }> {
  return await callWriter(sql, sql`withdraw_evidence(${uri})`);
}

/** Suppresses a company with all its records. Returns null if there is none with this id. */
export async function suppressCompany(
  sql: Sql,
  id: number,
): Promise<Change & { company: number } | null> {
  return await callWriter(sql, sql`suppress_company(${id})`);
}
