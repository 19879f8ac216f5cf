/** Caches the results of pure functions of texts. */

/** Max number of cached values. All are dropped before a further value is added. */
const VALUES_MAX = 4_096;

/** Returns a function that returns the results of `compute`, and caches them. */
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
