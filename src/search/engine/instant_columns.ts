/**
 * Exact instants of all documents of a segment. Days repeat, so a column usually holds its distinct
 * values, and the place of each document's value. If most values differ, the column holds one value
 * per document. These values are split into 32 lower and up to 16 upper bits if all are whole
 * milliseconds.
 */

/** Microseconds in the unit of the lower part, and lower parts in the unit of the upper one. */
const MILLISECOND = 1_000;
const UPPER = 2 ** 32;

/** Upper part of an instant before all others: what never happened. */
const NEVER = 255;

/** Share of distinct values from which values are kept by document: places take a fifth of the room. */
const DISTINCT_SHARE = 0.75;

/** A column of microseconds since 1970. Only the sections of its form are filled. */
export interface InstantColumn {
  /** Place of each document's value among the distinct ones; absent if values are by document. */
  places: ArrayLike<number>;
  /** Distinct values, or values by document if nothing is split. */
  values: ArrayLike<number>;
  /** Upper parts, counted from `base`, and lower parts by document. */
  uppers: ArrayLike<number>;
  lowers: ArrayLike<number>;
  /** Upper part that the others are counted from. */
  base: number;
}

/** Returns the instant of a document. */
export function instantOfDocument(
  { places, values, uppers, lowers, base }: InstantColumn,
  document: number,
): number {
  if (places.length > 0) return values[places[document]!]!;
  if (lowers.length === 0) return values[document]!;
  const upper = uppers[document]!;
  if (upper === NEVER) return -Infinity;
  return MILLISECOND * (UPPER * (base + upper) + lowers[document]!);
}

/** Numbers of an instant column in the kinds that sections have. */
export interface PackedInstants extends InstantColumn {
  places: Uint16Array;
  values: Float64Array;
  uppers: Uint8Array;
  lowers: Uint32Array;
}

/** Packs instants in the form that takes the least room. */
export function packInstants(instants: Float64Array): PackedInstants {
  const distinct = new Float64Array(new Set(instants)).sort();
  const empty = { uppers: new Uint8Array(0), lowers: new Uint32Array(0), base: 0 };
  if (distinct.length < DISTINCT_SHARE * instants.length) {
    const numbers = new Map<number, number>();
    distinct.forEach((value, place) => numbers.set(value, place));
    const places = Uint16Array.from(instants, (value) => numbers.get(value)!);
    return { ...empty, places, values: distinct };
  }
  const places = new Uint16Array(0);
  return { places, ...splitOf(instants, distinct) ?? { ...empty, values: instants } };
}

/** Splits instants, or returns null if they are no whole milliseconds of some decades. */
function splitOf(
  instants: Float64Array,
  distinct: Float64Array,
): Omit<PackedInstants, "places"> | null {
  const finite = distinct.filter((value) => value !== -Infinity);
  if (finite.length === 0) return null;
  const upperOf = (value: number) => Math.floor(value / MILLISECOND / UPPER);
  const base = upperOf(finite[0]!);
  const fits = finite[0]! >= 0 && Number.isFinite(finite.at(-1)!) &&
    upperOf(finite.at(-1)!) - base < NEVER && finite.every((value) => value % MILLISECOND === 0);
  if (!fits) return null;
  const uppers = Uint8Array.from(
    instants,
    (value) => value === -Infinity ? NEVER : upperOf(value) - base,
  );
  const lowers = Uint32Array.from(
    instants,
    (value) => value === -Infinity ? 0 : value / MILLISECOND % UPPER,
  );
  return { values: new Float64Array(0), uppers, lowers, base };
}
