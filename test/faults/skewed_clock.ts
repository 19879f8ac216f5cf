/**
 * Sets the clock of a process ahead, by the `?seconds=` of this module's address.
 */

const MILLISECONDS_AHEAD = Number(new URL(import.meta.url).searchParams.get("seconds")) * 1000;

const RightDate = Date;

/** A Date whose present time is ahead of the machine's clock. */
class SkewedDate extends RightDate {
  constructor(...parts: unknown[]) {
    super(...(parts.length === 0 ? [SkewedDate.now()] : parts) as [number]);
  }

  static override now(): number {
    return RightDate.now() + MILLISECONDS_AHEAD;
  }
}

globalThis.Date = SkewedDate as DateConstructor;
