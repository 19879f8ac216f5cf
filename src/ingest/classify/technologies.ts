/**
 * Finds the technologies that a text names: products, languages and tools. technologies.txt lists
 * them, with one name per line, and its other spellings after `=`. Names match only with their
 * capitals, so that everyday words do not match. "Go", "R" and "C" are omitted, because they cannot
 * be distinguished from other words.
 */
import table from "./technologies.txt" with { type: "text" };

/** Max number of technologies of one text. The number is chosen. */
const MAX_TECHNOLOGIES = 30;

/** Names of technologies by their spellings. */
export const NAME_OF_SPELLING: ReadonlyMap<string, string> = new Map(
  table.trim().split("\n").flatMap((line) => {
    const spellings = line.split("=");
    return spellings.map((spelling) => [spelling, spellings[0]!] as const);
  }),
);

/** Names by their spellings in lower case, for fields that contain only technologies. */
const NAME_OF_TAG: ReadonlyMap<string, string> = new Map([
  ...[...NAME_OF_SPELLING].map(([spelling, name]) => [spelling.toLowerCase(), name] as const),
  ["go", "Golang"],
]);

/**
 * Returns the name of a technology in a field for technologies, whatever its capitals. Returns an
 * unknown tag unchanged.
 */
export function technologyOfTag(tag: string): string {
  return NAME_OF_TAG.get(tag.toLowerCase()) ?? tag;
}

/**
 * Source of a pattern that refuses a name before these words, because it is then an ordinary word:
 * "React quickly", "Swift response".
 */
const NO_TECHNOLOGY_AFTER =
  "(?! (?:to |quickly|swiftly|and respond|response|action|resolution|Current))";
/**
 * Matches addresses, which name no technologies. An e-mail address matches only from the start of a
 * word, because a search from each character of a long word would take quadratic time.
 */
const ADDRESS = /\bhttps?:\/\/\S+|\bwww\.\S+|(?<!\S)\S+@\S+/giu;
const SPELLING = new RegExp(
  `(?<![\\p{L}\\p{N}_@.-])(?:${
    [...NAME_OF_SPELLING.keys()].sort((a, b) => b.length - a.length).map(RegExp.escape).join("|")
  })(?![\\p{L}_+#]|\\.\\p{L})${NO_TECHNOLOGY_AFTER}`,
  "gu",
);

/**
 * Returns the technologies that a text names, in the order of the text, without duplicates. The
 * company's own name does not count: a posting of Databricks does not show that Databricks uses its
 * product.
 */
export function technologiesIn(text: string, company: string): string[] {
  const companyWords = new Set(company.toLowerCase().split(/[^\p{L}\p{N}.+#]+/u));
  const names = [...text.replace(ADDRESS, " ").matchAll(SPELLING)]
    .map(([spelling]) => NAME_OF_SPELLING.get(spelling)!)
    .filter((name) => !companyWords.has(name.toLowerCase()));
  return [...new Set(names)].slice(0, MAX_TECHNOLOGIES);
}
