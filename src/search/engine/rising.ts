/** Lists of numbers that rise. */

/** Where, in a part of a list of rising numbers, the first one stands that is not below another. */
export function firstFrom(
  numbers: Uint16Array,
  { start, end, least }: { start: number; end: number; least: number },
): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
