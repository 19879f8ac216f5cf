/**
 * Patterns of phrases in the folded text of a query or record, and tables of patterns. Each line of a
 * table has a name, a tab and a pattern of that name. A name with a $ is that of a part, which
 * patterns name in braces. The lines of a part are alternatives. A line with # is a comment.
 */

/** Returns the patterns of each name in a table, with the parts in place of their names. */
export function readPatterns(table: string): Map<string, string[]> {
  const lines = Map.groupBy(
    table.trimEnd().split("\n").filter((line) => !line.startsWith("#"))
      .map((line) => line.split("\t") as [string, string]),
    ([name]) => name,
  );
  const withParts = (pattern: string): string =>
    pattern.replace(/(?<!\\p)\{([A-Z_]+)\}/g, (_, name) => {
      const alternatives = lines.get(`$${name}`)!.map(([, part]) => withParts(part));
      return `(?:${alternatives.join("|")})`;
    });
  return new Map(
    [...lines].filter(([name]) => !name.startsWith("$"))
      .map(([name, all]) => [name, all.map(([, pattern]) => withParts(pattern))]),
  );
}

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

/** Reads a table of phrases. @returns a function of a name, which returns a pattern as anyOf() does */
export function readPhrases(table: string): (name: string) => string {
  const phrases = readPatterns(table);
  return (name) => anyOf(...phrases.get(name)!);
}

/** Returns a pattern for each name of a table of phrases (see anyOf). */
export function patternsOf(table: Iterable<[string, string[]]>): [string, RegExp][] {
  return [...table].map(([name, phrases]) => [name, new RegExp(anyOf(...phrases), "gu")]);
}
