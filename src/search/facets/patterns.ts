/** Patterns of phrases, in the folded text of a query or of a record. */

/**
 * Returns a pattern that matches any of the phrases as whole words. Semicolons separate phrases. A
 * space matches one or more spaces, hyphens and apostrophes, and " ?" matches any number of them.
 * Phrases have no accents. They may contain regular expressions. Only letters without accents and
 * digits end a word, because an engine takes twice as long to compile all letters of Unicode.
 */
export function anyOf(...phrases: string[]): string {
  const all = phrases.flatMap((list) => list.split("; ")).map((phrase) =>
    phrase.trim().replaceAll(" ?", "[\\s'-]*").replaceAll(" ", "[\\s'-]+")
  );
  return `(?<![a-z0-9])(?:${all.join("|")})(?![a-z0-9])`;
}

/** Returns a pattern for each name of a table of phrases (see anyOf). */
export function patternsOf<Name extends string>(
  table: Readonly<Record<Name, readonly string[]>>,
): [Name, RegExp][] {
  return Object.entries<readonly string[]>(table)
    .map(([name, phrases]) => [name as Name, new RegExp(anyOf(...phrases), "gu")]);
}
