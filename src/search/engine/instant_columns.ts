/**
 * Stores the exact instants of all documents of a segment. Many documents have the same instant,
 * such as the beginning of a day. A column therefore usually contains the distinct values, and the
 * place of each document's value among them. If most values differ, a column contains one value per
 * document. If these values are also whole milliseconds, each value is split into 32 lower bits and
 * up to 8 upper bits.
 */

/**
 * Microseconds per unit of the lower part, and units of the lower part per unit of the upper part.
 */
const MILLISECOND = 1_000;
const UPPER = 2 ** 32;

/** Upper part of -Infinity, the instant of an event that never happened. */
const NEVER = 255;

/**
 * Share of distinct values from which an array of one value per document is smaller. A value has 8
 * bytes, and a place has 2.
 */
const DISTINCT_SHARE = 0.75;

/**
 * A column of microseconds since 1970. Arrays that the form of the column does not need are empty.
 */
export interface InstantColumn {
  /**
   * Place of each document's value among the distinct values; empty if there is one value per
   * document.
   */
  places: ArrayLike<number>;
  /** Distinct values, or one value per document; empty if the values are split. */
  values: ArrayLike<number>;
  /** Upper part minus `base`, and lower part, of each document's value. */
  uppers: ArrayLike<number>;
  lowers: ArrayLike<number>;
  /** Lowest upper part. */
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

/** An instant column with the kinds of arrays that sections have. */
interface PackedInstants extends InstantColumn {
  places: Uint16Array;
  values: Float64Array;
  uppers: Uint8Array;
  lowers: Uint32Array;
}

/**
 * Packs instants in the first of three forms that suits them: distinct values, split values, or one
 * value per document.
 */
export function packInstants(instants: Float64Array): PackedInstants {
  const { distinct, places } = columnOf(instants);
  const column = { uppers: new Uint8Array(0), lowers: new Uint32Array(0), base: 0, places };
  const split = places.length > 0 ? null : splitOf(instants);
  return { ...column, values: distinct, ...split };
}

/** Distinct values of a column, ascending, and the place of each document's value among them. */
interface DistinctColumn<Column> {
  distinct: Column;
  places: Uint16Array;
}

/**
 * Returns the distinct values of a column, with places. If most values differ, returns one value
 * per document, without places.
 */
export function columnOf(values: Float64Array): DistinctColumn<Float64Array> {
  const column = distinctOf(values);
  if (column.distinct.length < DISTINCT_SHARE * values.length) return column;
  return { distinct: values, places: new Uint16Array(0) };
}

/** Returns the distinct values of a column, with places. */
export function distinctOf<Column extends Float64Array | Float32Array | Uint32Array>(
  values: Column,
): DistinctColumn<Column> {
  const Kind = values.constructor as new (numbers: Iterable<number>) => Column;
  const distinct = new Kind(new Set<number>(values)).sort() as Column;
  const numbers = new Map<number, number>();
  distinct.forEach((value: number, place: number) => numbers.set(value, place));
  return { distinct, places: Uint16Array.from(values, (value) => numbers.get(value)!) };
}

/**
 * Splits instants into upper and lower parts. Returns null unless all instants except -Infinity are
 * whole milliseconds since 1970 that span less than 34 years.
 */
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
