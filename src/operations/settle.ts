/** Ends operations whose leases this process holds (room 5), each in one statement. */
import type {
  AllowanceState,
  Caller,
  Context,
  DeliveryEntry,
  MeteredAction,
  Work,
} from "./action.ts";
import {
  accepted,
  type Answer,
  answerOf,
  type ObservationRow,
  type Refusal,
  type StoredAnswer,
} from "./answer.ts";
import type { Lease } from "./claim.ts";
import type { Confirmation, ForeseenPage } from "./confirmations.ts";
import { createCursor } from "./cursor.ts";
import type { ObservationText, ObservationTexts } from "./observation_text.ts";
import { readStored } from "./replay.ts";
import { readShown, shownRows } from "./shown_observations.ts";

export interface Settlement<Inputs extends object> {
  action: MeteredAction<Inputs>;
  lease: Lease;
  /** Inputs of the request. If absent, the database returns the whole answer. */
  inputs?: Inputs;
  /** Null for background work, whose answer no caller awaits. */
  caller: Caller | null;
  limit: number | null;
  work: Work;
}

/**
 * Number of entries beyond a first page whose texts are looked up, because entries of the page may
 * be withheld.
 */
const SPARE_ENTRIES = 6;

/**
 * Delivers and charges exactly once, since only the holder of the lease can.
 * @returns the answer to `caller`; its outcome is `found` if another process has taken the lease
 */
export async function settle<Inputs extends object>(
  context: Context,
  settlement: Settlement<Inputs>,
): Promise<Answer<Inputs>> {
  const { action, lease, caller, limit, work } = settlement;
  const { sql, texts } = context;
  // The start of a later page is not known here, so any of its entries may be shown.
  const pages = limit === null || lease.frozen !== null ? Infinity : limit + SPARE_ENTRIES;
  const held = caller === null
    ? new Map<number, ObservationText>()
    : textsOf(work.entries.slice(0, pages), texts);
  const { company_ids, places, observation_ids, known } = listsOf(work.entries, held);
  const page = pageOf(settlement, held);
  const confirmed = page && texts.confirmations.find(page);
  const [row] = await sql<{ settlement: StoredAnswer<Inputs> | Confirmed | Refusal }[]>`
    select settle_operation(
      ${caller?.key_hash ?? null},
      ${lease.operation_id},
      ${lease.token},
      ${company_ids},
      ${places},
      ${observation_ids},
      ${known},
      ${page ? sql.json(page.entries as never) : null},
      ${confirmed?.moment ?? null},
      ${confirmed?.expires_at ?? null},
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
  if (isConfirmed(answer)) {
    const confirmation = answer.confirmation ?? confirmed!;
    if (answer.confirmation) texts.confirmations.add(page!, answer.confirmation);
    return confirmedAnswer(settlement, { ...answer, confirmation }, page!);
  }
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

/** Answer of settle_operation if it delivers the page exactly as this process expected. */
interface Confirmed extends Pick<Answer, "operation" | "next_cursor"> {
  outcome: "confirmed";
  as_of: string;
  /** Null if the process already knows it and the moment of the dataset has not changed. */
  confirmation: Confirmation | null;
  allowance: AllowanceState;
}

function isConfirmed(answer: { outcome: string }): answer is Confirmed {
  return answer.outcome === "confirmed";
}

/**
 * Returns the first page if the process has all texts for it; otherwise undefined. The database
 * then only has to confirm that the page may be shown.
 */
function pageOf<Inputs extends object>(
  { action, lease, inputs, caller, limit, work: { entries: all } }: Settlement<Inputs>,
  held: ReadonlyMap<number, ObservationText>,
): ForeseenPage | undefined {
  if (caller === null || inputs === undefined) return;
  if (lease.frozen !== null || action.shows_hostnames) return;
  if (all.some(({ observation_ids }) => observation_ids.length === 0)) return;
  const entries = all.slice(0, limit ?? undefined);
  const isHeld = entries.every(({ observation_ids }) =>
    observation_ids.every((id) => held.has(id))
  );
  return isHeld ? { entries, behind: all[entries.length], held } : undefined;
}

/** Returns the answer that settle_operation would have written for a page that it has confirmed. */
function confirmedAnswer<Inputs extends object>(
  { action, inputs, work: { facts } }: Settlement<Inputs>,
  { operation, next_cursor, as_of, confirmation, allowance }: Confirmed & {
    confirmation: Confirmation;
  },
  { entries, held }: ForeseenPage,
): Answer<Inputs> {
  const rowsOf = (
    { company_id, observation_ids }: DeliveryEntry,
    place: number,
  ): ObservationRow[] =>
    observation_ids.map((id) => ({
      ...held.get(id)!,
      id,
      company_id,
      company_name: confirmation.company_names[place]!,
      domains: null,
    }));
  return {
    outcome: "settled",
    operation,
    action: action.name,
    inputs: inputs!,
    failure_code: null,
    next_cursor,
    start_position: 0,
    result: { ...asStored({ as_of, ...facts }), entries },
    allowance,
    observations: entries.flatMap(rowsOf),
    holders: null,
  };
}

/**
 * Returns a value with its members in the order of PostgreSQL's jsonb, which sorts names by length
 * and then by bytes. A replay reads the stored value and must return the same text.
 */
function asStored<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(asStored) as Value;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) =>
    a.length - b.length || (a < b ? -1 : 1)
  );
  return Object.fromEntries(members.map(([name, one]) => [name, asStored(one)])) as Value;
}

/**
 * Returns entries as lists in PostgreSQL's array syntax, because the driver would convert each
 * number separately. The lists are the companies, the observations with the positions of their
 * entries (from 1), and the revisions that the process can show. The last list ends with the last
 * such revision: the database reads missing elements as nulls.
 */
function listsOf(
  entries: readonly DeliveryEntry[],
  held: ReadonlyMap<number, ObservationText>,
) {
  let [company_ids, places, observation_ids, known] = ["", "", "", ""];
  let unheld = "";
  for (let place = 1; place <= entries.length; place++) {
    const entry = entries[place - 1]!;
    company_ids += `${place === 1 ? "" : ","}${entry.company_id}`;
    for (const id of entry.observation_ids) {
      const comma = places === "" ? "" : ",";
      places += `${comma}${place}`;
      observation_ids += `${comma}${id}`;
      const revision = held.get(id)?.revision;
      if (revision === undefined) {
        unheld += `${comma}null`;
      } else {
        known += `${unheld}${comma}"${revision}"`;
        unheld = "";
      }
    }
  }
  return {
    company_ids: `{${company_ids}}`,
    places: `{${places}}`,
    observation_ids: `{${observation_ids}}`,
    known: `{${known}}`,
  };
}

function textsOf(
  entries: readonly DeliveryEntry[],
  texts: ObservationTexts,
): Map<number, ObservationText> {
  const held = new Map<number, ObservationText>();
  for (const id of entries.flatMap(({ observation_ids }) => observation_ids)) {
    const text = texts.find(id);
    if (text !== undefined) held.set(id, text);
  }
  return held;
}

/**
 * Ends an operation by a failure that is replayed for its key. @returns whether the lease was still
 * held
 */
export async function fail(context: Context, lease: Lease, code: string): Promise<boolean> {
  const [row] = await context.sql<{ failed: boolean }[]>`
    select fail_operation(
      ${lease.operation_id}, ${lease.token}, ${code}, ${context.now?.() ?? null}
    ) as failed
  `;
  return row!.failed;
}
