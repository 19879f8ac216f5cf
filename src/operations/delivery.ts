/** Writes deliveries as parameters of the statements that settle them, and reads the answers. */
import type {
  AllowanceState,
  Caller,
  Context,
  DeliveryEntry,
  Frozen,
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
import type { Confirmation, ForeseenPage } from "./confirmations.ts";
import type { ObservationText, ObservationTexts } from "./observation_text.ts";
import { readFound } from "./replay.ts";
import { shownRows } from "./shown_observations.ts";

/** Performed work of an operation, and the caller who gets its answer. */
export interface Delivery<Inputs extends object> {
  action: MeteredAction<Inputs>;
  /**
   * Inputs of the request. If absent, the database returns the whole answer, because this process
   * cannot build the answer for a confirmed page.
   */
  inputs?: Inputs;
  /** Null for background work, whose answer no caller awaits. */
  caller: Caller | null;
  limit: number | null;
  work: Work;
  /** State that the previous page has frozen; null for a first page. */
  frozen: Frozen | null;
}

/**
 * Number of entries after a first page whose texts are looked up in the cache. They replace entries
 * of the page that may not be shown.
 */
const SPARE_ENTRIES = 6;

/** Answer of a statement that settles an operation. */
export type SettlementAnswer<Inputs> = StoredAnswer<Inputs> | Confirmed | Refusal;

interface DeliveryLists extends ReturnType<typeof listsOf> {
  held: ReadonlyMap<number, ObservationText>;
  page?: ForeseenPage;
  confirmed?: Confirmation;
}

/**
 * Returns the lists of a delivery, with the texts that this process holds, and with the cached
 * confirmation of the page if there is one.
 */
export function listDelivery<Inputs extends object>(
  delivery: Delivery<Inputs>,
  texts: ObservationTexts,
): DeliveryLists {
  const { caller, limit, frozen, work } = delivery;
  // Only the database knows where a later page starts, so the page may show any of the entries.
  const pages = limit === null || frozen !== null ? Infinity : limit + SPARE_ENTRIES;
  const held = caller === null
    ? new Map<number, ObservationText>()
    : textsOf(work.entries.slice(0, pages), texts);
  const page = pageOf(delivery, held);
  const confirmed = page && texts.confirmations.find(page);
  return { ...listsOf(work.entries, held), held, page, confirmed };
}

/** Completes the answer of a statement that settles. @throws Failure if it refuses */
export async function readSettlement<Inputs extends object>(
  context: Context,
  delivery: Delivery<Inputs>,
  { page, confirmed, held }: DeliveryLists,
  settlement: SettlementAnswer<Inputs>,
): Promise<Answer<Inputs>> {
  const { texts } = context;
  const { caller } = delivery;
  const answer = accepted(settlement);
  if (isConfirmed(answer)) {
    const confirmation = answer.confirmation ?? confirmed!;
    if (answer.confirmation) texts.confirmations.add(page!, answer.confirmation);
    return confirmedAnswer(delivery, { ...answer, confirmation }, page!);
  }
  if (caller === null || answer.shown === null) return answerOf(answer, []);
  if (answer.outcome === "settled") {
    const rows = shownRows(answer.shown, texts, held);
    if (rows === undefined) throw new Error("a settlement lacks the body of an observation");
    return answerOf(answer, rows);
  }
  return await readFound(context, caller, answer);
}

/** Answer of a settlement that delivers the page exactly as this process expected. */
interface Confirmed extends Pick<Answer, "operation" | "next_cursor"> {
  outcome: "confirmed";
  as_of: string;
  /** Null if the process has it cached and the moment of the dataset has not changed. */
  confirmation: Confirmation | null;
  allowance: AllowanceState;
}

function isConfirmed(answer: { outcome: string }): answer is Confirmed {
  return answer.outcome === "confirmed";
}

/**
 * Returns the first page if the process has all texts for it. The database then only has to confirm
 * that the page may be shown. Returns undefined otherwise.
 */
function pageOf<Inputs extends object>(
  { action, frozen, inputs, caller, limit, work: { entries: all } }: Delivery<Inputs>,
  held: ReadonlyMap<number, ObservationText>,
): ForeseenPage | undefined {
  if (caller === null || inputs === undefined) return;
  if (frozen !== null || action.shows_hostnames) return;
  if (all.some(({ observation_ids }) => observation_ids.length === 0)) return;
  const entries = all.slice(0, limit ?? undefined);
  const isHeld = entries.every(({ observation_ids }) =>
    observation_ids.every((id) => held.has(id))
  );
  return isHeld ? { entries, behind: all[entries.length], held } : undefined;
}

/** Returns the answer that the statement would have written for a page that it has confirmed. */
function confirmedAnswer<Inputs extends object>(
  { action, inputs, work: { facts } }: Delivery<Inputs>,
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
 * number separately. `places` has the position of each observation's entry, from 1. `known` has the
 * revision of each observation whose text the process has, and null for the others. It ends with
 * the last revision, because the database reads missing elements as nulls.
 */
function listsOf(
  entries: readonly DeliveryEntry[],
  held: ReadonlyMap<number, ObservationText>,
) {
  let [company_ids, places, observation_ids, known] = ["", "", "", ""];
  /** Nulls that are written only if a revision follows. */
  let nulls = "";
  for (let place = 1; place <= entries.length; place++) {
    const entry = entries[place - 1]!;
    company_ids += `${place === 1 ? "" : ","}${entry.company_id}`;
    for (const id of entry.observation_ids) {
      const comma = places === "" ? "" : ",";
      places += `${comma}${place}`;
      observation_ids += `${comma}${id}`;
      const revision = held.get(id)?.revision;
      if (revision === undefined) {
        nulls += `${comma}null`;
      } else {
        known += `${nulls}${comma}"${revision}"`;
        nulls = "";
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
