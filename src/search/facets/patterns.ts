/** Patterns of phrases, in the folded text of a query or of a record. */

/**
 * Pattern of a letter or digit in a folded text. With all letters of Unicode, the patterns of queries
 * took 0.3 s longer to compile (2026-11-28, two cores).
 */
const LETTER = "[a-z0-9ßœæøłđı]";

/**
 * Returns a pattern that matches any of the phrases as whole words. Semicolons separate phrases. A
 * space matches one or more spaces, hyphens and apostrophes, and " ?" matches any number of them.
 * Phrases have no accents. They may contain regular expressions.
 */
export function anyOf(...phrases: string[]): string {
  const all = phrases.flatMap((list) => list.split("; ")).map((phrase) =>
    phrase.trim().replaceAll(" ?", "[\\s'-]*").replaceAll(" ", "[\\s'-]+")
  );
  return `(?<!${LETTER})(?:${all.join("|")})(?!${LETTER})`;
}

/** Returns a pattern for each name of a table of phrases (see anyOf). */
export function patternsOf<Name extends string>(
  table: Readonly<Record<Name, readonly string[]>>,
): [Name, RegExp][] {
  return Object.entries<readonly string[]>(table)
    .map(([name, phrases]) => [name as Name, new RegExp(anyOf(...phrases), "gu")]);
}
