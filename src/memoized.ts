/** Caches the results of pure functions of texts, because texts such as names often come again. */

/**
 * Max number of cached values of a function, unless it sets another. The number is chosen, not
 * measured.
 */
const VALUES_MAX = 4_096;

/**
 * Returns a function that returns the results of `compute`, and caches them. All are dropped before
 * a value beyond `max` is added.
 */
export function memoized<Value>(
  compute: (text: string) => Value,
  max = VALUES_MAX,
): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    if (known.has(text)) return known.get(text)!;
    const value = compute(text);
    if (known.size >= max) known.clear();
    known.set(text, value);
    return value;
  };
}
