/** Room 5: what ends an operation that this process holds the lease of. One statement each. */
import type { Caller, Context, Entry, MeteredAction, Work } from "./action.ts";
import { accepted, type Answer, answerOf, type Refusal, type StoredAnswer } from "./answer.ts";
import type { Lease } from "./claim.ts";
import { createCursor } from "./cursor.ts";
import type { ObservationText, ObservationTexts } from "./observation_text.ts";
import { readStored } from "./replay.ts";
import { readShown, shownRows } from "./shown.ts";

export interface Settlement<Inputs extends object> {
  action: MeteredAction<Inputs>;
  lease: Lease;
  /** Null for background work: nobody waits for the answer. */
  caller: Caller | null;
  limit: number | null;
  work: Work;
}

/** Entries beyond a first page whose texts are looked for: some of a page may be withheld. */
const SPARE_ENTRIES = 6;

/**
 * Delivers and charges; exactly once, since only the lease's holder can.
 * @returns the answer to `caller`; its outcome is `found` where the lease was lost to another process
 */
export async function settle<Inputs extends object>(
  context: Context,
  { action, lease, caller, limit, work }: Settlement<Inputs>,
): Promise<Answer<Inputs>> {
  const { sql, texts } = context;
  const { company_ids, places, observation_ids } = listsOf(work.entries);
  // Where a later page starts is not known here, so all of its entries may be shown.
  const pages = limit === null || lease.frozen !== null ? Infinity : limit + SPARE_ENTRIES;
  const held = caller === null
    ? new Map<number, ObservationText>()
    : textsOf(work.entries.slice(0, pages), texts);
  const [row] = await sql<{ settlement: StoredAnswer<Inputs> | Refusal }[]>`
    select settle_operation(
      ${caller?.key_hash ?? null},
      ${lease.operation_id},
      ${lease.token},
      ${arrayText(company_ids)},
      ${arrayText(places)},
      ${arrayText(observation_ids)},
      ${held.size === 0 ? "{}" : known(observation_ids, held)},
      ${limit},
      ${action.delivery_unit},
      ${sql.json(work.facts as never)},
      ${limit === null ? null : createCursor()},
      ${work.next === undefined ? null : sql.json(work.next as never)},
      ${work.refresh_hostnames ?? []},
      ${work.fresh_observation_ids ?? []},
      ${context.now?.() ?? null}
    ) as settlement
  `;
  const answer = accepted(row!.settlement);
  if (caller === null || answer.shown === null) return answerOf(answer, []);
  if (answer.outcome === "settled") {
    const rows = shownRows(answer.shown, texts, held);
    if (rows === undefined) throw new Error("a settlement lacks the body of an observation");
    return answerOf(answer, rows);
  }
  const read = (bodies: boolean) =>
    readStored<Inputs>(context, caller, { id: lease.operation_id, bodies });
  const { answer: complete, rows } = await readShown(texts, read, answer);
  return answerOf(complete, rows);
}

/** Entries as lists: their companies, and the observations with the place of their entry, from 1. */
function listsOf(entries: readonly Entry[]) {
  return {
    company_ids: entries.map(({ company_id }) => company_id),
    places: entries.flatMap(({ observation_ids }, index) => observation_ids.map(() => index + 1)),
    observation_ids: entries.flatMap(({ observation_ids }) => observation_ids),
  };
}

/** Numbers as PostgreSQL writes an array: the driver would look at each of them by itself. */
function arrayText(numbers: readonly number[]): string {
  return `{${numbers.join()}}`;
}

/** Revisions that the process can show, in the form of an array; null for the others. */
function known(ids: readonly number[], held: ReadonlyMap<number, ObservationText>): string {
  const revisions = ids.map((id) => {
    const text = held.get(id);
    return text === undefined ? "null" : `"${text.revision}"`;
  });
  return `{${revisions.join()}}`;
}

function textsOf(
  entries: readonly Entry[],
  texts: ObservationTexts,
): Map<number, ObservationText> {
  const held = new Map<number, ObservationText>();
  for (const id of entries.flatMap(({ observation_ids }) => observation_ids)) {
    const text = texts.find(id);
    if (text !== undefined) held.set(id, text);
  }
  return held;
}

/** Ends an operation by a failure that its key replays for ever. @returns whether the lease held */
export async function fail(context: Context, lease: Lease, code: string): Promise<boolean> {
  const [row] = await context.sql<{ failed: boolean }[]>`
    select fail_operation(
      ${lease.operation_id}, ${lease.token}, ${code}, ${context.now?.() ?? null}
    ) as failed
  `;
  return row!.failed;
}
