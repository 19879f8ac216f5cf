/** Turns the lists of shown_observations() into rows for answers. */
import type { ObservationBody, ObservationText, ObservationTexts } from "./observation_text.ts";

/** Observations that may be shown now, in parallel lists. */
export interface ShownLists {
  ids: number[];
  company_ids: number[] | null;
  company_names: string[] | null;
  revisions: string[] | null;
  /** Bodies of the requested observations, by id. */
  bodies: Record<string, ObservationBody> | null;
  /** Hostnames by the id of the observation; null if they were not requested. */
  hostnames: Record<string, { id: number; hostname: string }[]> | null;
}

/** An observation that may be shown, with its company under its present name. */
export interface ObservationRow extends ObservationText {
  id: number;
  company_id: number;
  company_name: string;
  /**
   * Hostnames that the observation supports; null if they were not requested, or if there is none.
   */
  domains: { id: number; hostname: string }[] | null;
}

/**
 * Returns the rows in their order, or undefined if a body is missing.
 * @param held texts by id that were read before the statement, because the cache may have dropped
 * them since
 */
export function shownRows(
  { ids, company_ids, company_names, revisions, bodies, hostnames }: ShownLists,
  texts: ObservationTexts,
  held?: ReadonlyMap<number, ObservationText>,
): ObservationRow[] | undefined {
  const rows: ObservationRow[] = [];
  for (const [place, id] of ids.entries()) {
    const revision = revisions![place]!;
    const body = bodies?.[id];
    const kept = body === undefined ? held?.get(id) ?? texts.find(id) : undefined;
    const text = body === undefined ? kept : texts.write(id, revision, body);
    if (text?.revision !== revision) return;
    rows.push({
      ...text,
      id,
      company_id: company_ids![place]!,
      company_name: company_names![place]!,
      domains: hostnames?.[id] ?? null,
    });
  }
  return rows;
}

/**
 * Reads an answer without bodies first. Reads it again with bodies if the process lacks a text. The
 * second read decides again which observations may be shown.
 * @throws any error of `read`
 */
export async function readShown<Read extends { shown: ShownLists | null }>(
  texts: ObservationTexts,
  read: (bodies: boolean) => Promise<Read>,
  first?: Read,
): Promise<{ answer: Read; rows: ObservationRow[] }> {
  const answer = first ?? await read(false);
  const rows = answer.shown === null ? [] : shownRows(answer.shown, texts);
  if (rows !== undefined) return { answer, rows };
  const complete = await read(true);
  const all = complete.shown === null ? [] : shownRows(complete.shown, texts);
  if (all === undefined) throw new Error("an answer with bodies lacks a body");
  return { answer: complete, rows: all };
}
