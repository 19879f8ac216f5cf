/** Reads the dates and times of SAM.gov's two forms. */
import { normalizeInstant } from "../../contract/instant.ts";
import { EASTERN_TIME, instantInZone } from "../formats/local_time.ts";

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)? ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;
const AMERICAN_DATE = /^(\d\d)\/(\d\d)\/(\d{4})$/;

/**
 * Returns the UTC instant of a text, or undefined if it is not a date. Forms are 2026-02-02,
 * 02/02/2026, 2026-02-02 09:30:00.123-05 and 2026-02-02T09:30:00-05:00. A date without a time gets
 * `time`. A time without an offset is in `zone`, by default the zone of SAM.gov in Washington.
 */
export function instantOf(
  text: string,
  time: string,
  zone: string = EASTERN_TIME.US,
): string | undefined {
  const match = DATE.exec(text.trim().replace(AMERICAN_DATE, "$3-$1-$2"));
  if (match === null) return undefined;
  const [, date, minute, second = ":00", offset] = match;
  const clock = minute === undefined ? time : minute + second;
  return offset === undefined
    ? instantInZone(zone, date!, clock)
    : normalizeInstant(`${date}T${clock}${offset}`);
}

/** Returns a deadline in words: the local time with the offset that the notice states. */
export function timeOf(text: string): string | undefined {
  const [, date, minute, , offset] = DATE.exec(text.trim()) ?? [];
  if (date === undefined) return undefined;
  const zone = offset === undefined ? "local time" : `(UTC${offset === "Z" ? "" : offset})`;
  return [date, ...minute === undefined ? [] : [minute, zone]].join(" ");
}
