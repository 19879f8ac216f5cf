/**
 * Numbers of a document in 32 bits each. A document is rounded when it comes, so that the tail and
 * every segment give the same answer.
 */

const MICROSECONDS_PER_MINUTE = 60_000_000;
const MINUTES_MAX = 0xffff_fffe;
const UNKNOWN_MINUTES = 0xffff_ffff;

/** Rounds an amount to single precision: 24 significant bits, a relative error below 6e-8. */
export function roundAmount(amount: number): number {
  return Math.fround(amount);
}

/** Rounds microseconds since 1970 down to the minute. What is not finite becomes NaN: unknown. */
export function roundToMinute(microseconds: number): number {
  return microsecondsOfMinutes(minutesOf(microseconds));
}

/** Returns the whole minutes since 1970 that a segment keeps; instants before 1970 count as 0. */
export function minutesOf(microseconds: number): number {
  if (!Number.isFinite(microseconds)) return UNKNOWN_MINUTES;
  return Math.min(Math.max(Math.floor(microseconds / MICROSECONDS_PER_MINUTE), 0), MINUTES_MAX);
}

/** Returns microseconds since 1970, or NaN where no instant is known. */
export function microsecondsOfMinutes(minutes: number): number {
  return minutes === UNKNOWN_MINUTES ? NaN : minutes * MICROSECONDS_PER_MINUTE;
}
