/**
 * Returns a function that keeps the results for recent texts, because rows of a file often have the
 * same dates and names. It forgets all of them after `max` texts.
 */
export function remember<Result>(
  max: number,
  compute: (text: string) => Result,
): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    if (known.has(text)) return known.get(text)!;
    const result = compute(text);
    if (known.size >= max) known.clear();
    known.set(text, result);
    return result;
  };
}
