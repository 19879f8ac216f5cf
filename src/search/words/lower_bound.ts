/** Returns the place of the first number that is not below a value, by binary search. */
export function lowerBound(sorted: ArrayLike<number>, value: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (sorted[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
