/**
 * Reads tables of patterns. Each line has a name, a tab and a pattern of that name. A name with a $ is
 * that of a part, which patterns name in braces. The lines of a part are alternatives. A line with
 * # is a comment.
 */

/** Returns the patterns of each name, with the parts in place of their names. */
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
