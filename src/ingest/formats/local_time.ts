/** Converts local dates and times to UTC, with the daylight saving time of their zone. */
import { normalizeInstant } from "../../contract/instant.ts";

/** Default time zone of buyers, by country. */
export const EASTERN_TIME = { CA: "America/Toronto", US: "America/New_York" } as const;

/**
 * Returns the UTC instant of a local date ("2026-08-18") and time ("16:00:00") in a zone, or
 * undefined if there is no such date or time. A local time that occurs twice gives the earlier
 * instant. A local time that is skipped is moved forward by the length of the gap.
 */
export function instantInZone(zone: string, date: string, time: string): string | undefined {
  try {
    const local = Temporal.PlainDateTime.from(`${date}T${time}`, { overflow: "reject" });
    return normalizeInstant(local.toZonedDateTime(zone).toString({ timeZoneName: "never" }));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the time zone in which most people of a state of the United States live. */
export function zoneOfState(code: string): string {
  const state = code.trim().toUpperCase();
  return ZONES_OF_STATES.find(([states]) => states.split(" ").includes(state))?.[1] ??
    EASTERN_TIME.US;
}

/** States that are not on Eastern time, with their zone. */
const ZONES_OF_STATES: readonly (readonly [string, string])[] = [
  ["AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI", "America/Chicago"],
  ["CO ID MT NM UT WY", "America/Denver"],
  ["AZ", "America/Phoenix"],
  ["CA NV OR WA", "America/Los_Angeles"],
  ["AK", "America/Anchorage"],
  ["HI", "Pacific/Honolulu"],
  ["PR VI", "America/Puerto_Rico"],
  ["GU MP", "Pacific/Guam"],
  ["AS", "Pacific/Pago_Pago"],
];
