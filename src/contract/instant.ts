/**
 * Normalizes instants to UTC with microseconds, the precision of the database. The fixed width
 * (`2026-03-01T09:30:00.000000Z`) lets texts be compared like times.
 */
import { memoized } from "../memoized.ts";

const INSTANT =
  /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/i;

const MINUTE = 60_000;
/**
 * First and last instant of the years that both ISO 8601 and the database write with four digits.
 */
const FIRST = Date.parse("0001-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59Z");

/**
 * Normalizes an ISO 8601 date and time with `Z` or any offset. Drops digits beyond the microsecond.
 * A comparison "strictly after" stays exact, because stored instants have whole microseconds. An
 * instant of the local year 9999 that is in the year 10000 in UTC becomes the last second of 9999,
 * because sources write this year for "never".
 *
 * @returns undefined if time or zone is missing, if no calendar or clock shows the instant, if its
 * year in UTC is 0, or if the text has more than INSTANT_CHARACTERS
 */
export function normalizeInstant(text: string): string | undefined {
  return text.length > INSTANT_CHARACTERS ? undefined : keptInstantIn(text);
}

/** Max number of characters of an instant. It is chosen: nanoseconds with an offset take 35. */
const INSTANT_CHARACTERS = 64;

/** Caches instants, because a record states one in several fields, and each is read twice. */
const keptInstantIn = memoized(instantIn);

function instantIn(text: string): string | undefined {
  const match = INSTANT.exec(text);
  if (match === null) return undefined;
  const [, date, hour, minute, second = "00", fraction = "", sign, hours = "0", minutes = "0"] =
    match;
  const local = `${date}T${hour}:${minute}:${second}`;
  const milliseconds = Date.parse(`${local}Z`);
  // Date rolls 30 February and 24:00 over to another day.
  if (new Date(milliseconds).getUTCDate() !== Number(date!.slice(-2))) return undefined;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -MINUTE : MINUTE);
  const utc = Math.min(milliseconds - offset, LAST);
  if (utc < FIRST) return undefined;
  const seconds = offset === 0 ? local : new Date(utc).toISOString().slice(0, local.length);
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, "0")}Z`;
}

/** Returns a `Date` in the normalized form. */
export function instantOf(date: Date): string {
  return date.toISOString().replace("Z", "000Z");
}
