/** Caches the results of pure functions of texts. */

/** Max number of cached values. All are dropped when there are more. */
const VALUES_MAX = 4_096;

/** Returns a function with the results of `compute`, which are cached. */
export function memoized<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = compute(text);
    if (known.size >= VALUES_MAX) known.clear();
    known.set(text, value);
    return value;
  };
}
