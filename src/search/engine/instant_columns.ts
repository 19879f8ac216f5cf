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
interface PackedInstants extends InstantColumn {
  places: Uint16Array;
  values: Float64Array;
  uppers: Uint8Array;
  lowers: Uint32Array;
}

/** Packs instants in the form that takes the least room. */
export function packInstants(instants: Float64Array): PackedInstants {
  const { distinct, places } = columnOf(instants);
  const column = { uppers: new Uint8Array(0), lowers: new Uint32Array(0), base: 0, places };
  const split = places.length > 0 ? null : splitOf(instants);
  return { ...column, values: distinct, ...split };
}

/** Distinct values of a column, ascending, and by document the place of its value among them. */
interface DistinctColumn<Column> {
  distinct: Column;
  places: Uint16Array;
}

/**
 * Returns a column as distinctOf does. If most values differ, returns them by document, and no
 * places.
 */
export function columnOf(values: Float64Array): DistinctColumn<Float64Array> {
  const column = distinctOf(values);
  if (column.distinct.length < DISTINCT_SHARE * values.length) return column;
  return { distinct: values, places: new Uint16Array(0) };
}

/** Returns the distinct values of a column. */
export function distinctOf<Column extends Float64Array | Float32Array | Uint32Array>(
  values: Column,
): DistinctColumn<Column> {
  const Kind = values.constructor as new (numbers: Iterable<number>) => Column;
  const distinct = new Kind(new Set<number>(values)).sort() as Column;
  const numbers = new Map<number, number>();
  distinct.forEach((value: number, place: number) => numbers.set(value, place));
  return { distinct, places: Uint16Array.from(values, (value) => numbers.get(value)!) };
}

/** Splits instants, or returns null if they are no whole milliseconds of some decades. */
function splitOf(instants: Float64Array): Omit<PackedInstants, "places"> | null {
  const finite = instants.filter((value) => value !== -Infinity).sort();
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
