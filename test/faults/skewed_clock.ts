/** Preloaded by a process whose clock is wrong: its time is ahead by `?seconds=` of this address. */

const MILLISECONDS_AHEAD = Number(new URL(import.meta.url).searchParams.get("seconds")) * 1000;

const RightDate = Date;

/** A Date whose present is not that of the machine. */
class SkewedDate extends RightDate {
  constructor(...parts: unknown[]) {
    super(...(parts.length === 0 ? [SkewedDate.now()] : parts) as [number]);
  }

  static override now(): number {
    return RightDate.now() + MILLISECONDS_AHEAD;
  }
}

globalThis.Date = SkewedDate as DateConstructor;
