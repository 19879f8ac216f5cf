/**
 * Sets the `Date` of a process ahead by the seconds in the URL of this module (`?seconds=3600`). A
 * negative number sets it back.
 */

const MILLISECONDS_AHEAD = Number(new URL(import.meta.url).searchParams.get("seconds")) * 1000;

const RightDate = Date;

/** A Date whose present time differs from the machine's clock. */
class SkewedDate extends RightDate {
  constructor(...parts: unknown[]) {
    super(...(parts.length === 0 ? [SkewedDate.now()] : parts) as [number]);
  }

  static override now(): number {
    return RightDate.now() + MILLISECONDS_AHEAD;
  }
}

globalThis.Date = SkewedDate as DateConstructor;
