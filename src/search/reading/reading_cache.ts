/** Remembers how questions were read: the same ones come again and again. */
import type { AskedPeriod } from "./question.ts";
import { type QueryReading, readQuery } from "./read_query.ts";

/** Maximum number of readings that are remembered, about 2 MB. */
const READINGS_MAX = 512;

const DAY_MILLISECONDS = 86_400_000;

/**
 * Milliseconds for which a reading with a period is remembered: a request reads its query to accept
 * it, and again to perform it.
 */
const PERIOD_MILLISECONDS = 1_000;

/** Readings of one day by their queries. */
const readings = new Map<string, QueryReading>();

let day: number | undefined;

/** JSON of readings, which names what is asked for. */
const names = new WeakMap<QueryReading, string>();

/**
 * Reads a normalized query, its times relative to `now`, or to a moment less than a second from it.
 * Never throws. A reading without a period is remembered until the day in UTC is over: the calendar
 * decides which words are a period.
 */
export function readOnce(query: string, now: Date): QueryReading {
  forgetOtherDays(dayOf(now));
  const known = readings.get(query);
  if (known !== undefined && isValid(known, now)) return known;
  const reading = readQuery(query, now);
  if (readings.size >= READINGS_MAX) readings.clear();
  readings.set(query, reading);
  return reading;
}

function isValid({ question: { occurred, closes }, now: then }: QueryReading, now: Date): boolean {
  return (isOpen(occurred) && isOpen(closes)) ||
    Math.abs(now.getTime() - then.getTime()) < PERIOD_MILLISECONDS;
}

/** Returns a text that two readings share only if they ask for the same on the same day. */
export function nameOf(reading: QueryReading): string {
  const known = names.get(reading);
  if (known !== undefined) return known;
  // Periods stand in the question as instants, so of the moment only the day matters.
  const name = JSON.stringify({ ...reading, now: dayOf(reading.now) });
  names.set(reading, name);
  return name;
}

function forgetOtherDays(today: number): void {
  if (today === day) return;
  day = today;
  readings.clear();
}

function dayOf(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MILLISECONDS);
}

function isOpen({ after, before }: AskedPeriod): boolean {
  return after === null && before === null;
}
