/**
 * Instants in one form: UTC with microseconds, the database's precision, and of fixed width
 * (`2026-03-01T09:30:00.000000Z`), so that texts compare as the times do.
 */

const INSTANT =
  /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/i;

const MINUTE = 60_000;
/** The years that both ISO 8601 and the database write with four digits. */
const FIRST = Date.parse("0001-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59Z");

/**
 * Brings an ISO 8601 date and time, with `Z` or any offset, into that form. Digits beyond the
 * microsecond are dropped: no stored instant has them, so "strictly after" stays exact.
 *
 * @returns nothing where the text is no such instant: where it lacks time or zone, or where no
 * calendar or clock shows it
 */
export function normalizeInstant(text: string): string | undefined {
  const match = INSTANT.exec(text);
  if (match === null) return undefined;
  const [, date, hour, minute, second = "00", fraction = "", sign, hours = "0", minutes = "0"] =
    match;
  const local = `${date}T${hour}:${minute}:${second}.000Z`;
  const milliseconds = Date.parse(local);
  // Date rolls 30 February over to March: an instant that is written back differently was none.
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString() !== local) return;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -MINUTE : MINUTE);
  const utc = milliseconds - offset;
  if (utc < FIRST || utc > LAST) return undefined;
  const seconds = new Date(utc).toISOString().slice(0, "2026-03-01T09:30:00".length);
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, "0")}Z`;
}

/** The same form of a clock's time. */
export function instantOf(date: Date): string {
  return date.toISOString().replace("Z", "000Z");
}
