/** Caches readings by their queries, because many requests have the same query. */
import { isOpen } from "./question.ts";
import { type QueryReading, readQuery } from "./read_query.ts";

/** Maximum number of cached readings, about 2 MB. */
const READINGS_MAX = 512;

const DAY_MILLISECONDS = 86_400_000;

/**
 * Milliseconds for which a reading with a period is cached. A request reads its query once to
 * accept it and once to perform it.
 */
const PERIOD_MILLISECONDS = 1_000;

/** Readings of one day, by their queries. */
const readings = new Map<string, QueryReading>();

let day: number | undefined;

/** Keys that nameOf() has made, by their readings. */
const names = new WeakMap<QueryReading, string>();

/**
 * Reads a normalized query. Never throws. Times are relative to `now`, or to a moment that differs
 * from it by less than a second. A reading without a period is cached only until the end of the day
 * in UTC. A rule may have ignored a period in the future, which has to be read once it has begun.
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

/** Returns a key of a reading. Only equal readings of the same day have the same key. */
export function nameOf(reading: QueryReading): string {
  const known = names.get(reading);
  if (known !== undefined) return known;
  // Only the day of `now` matters, because the question contains its periods as instants.
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
