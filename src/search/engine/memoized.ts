/** Remembers what a pure function returned, for texts that come again and again. */

/** Maximum number of values that are remembered. */
const VALUES_MAX = 4_096;

/** Returns a function with the same results, which computes each of them rarely. */
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
