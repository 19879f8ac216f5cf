/** Numbers in English and French words. */

type NumberWords = readonly (readonly [pattern: string, value: number])[];

/** Numbers that people write in words both in times and in amounts. */
export const COMMON_NUMBERS: NumberWords = [
  ["one", 1],
  ["two|deux", 2],
  ["three|trois", 3],
  ["four|quatre", 4],
  ["five|cinq", 5],
  ["six", 6],
  ["seven|sept", 7],
  ["eight|huit", 8],
  ["nine|neuf", 9],
  ["ten|dix", 10],
  ["twelve|douze", 12],
  ["twenty|vingt", 20],
  ["thirty|trente", 30],
];

/**
 * Returns a pattern that tries the words in their order, and a function that returns the value of a
 * match.
 */
export function numberWords(table: NumberWords) {
  const values = table.map(([pattern, value]) => ({
    whole: new RegExp(`^(?:${pattern})$`),
    value,
  }));
  return {
    pattern: table.map(([pattern]) => pattern).join("|"),
    valueOf: (text: string) => values.find(({ whole }) => whole.test(text))?.value,
  };
}
