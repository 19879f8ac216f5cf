/** The technologies that a text names. */
import { TECHNOLOGY_NAMES } from "./technology_names.ts";

/** Most technologies that are taken of one text: a longer list says nothing of any of them. */
const MAX_TECHNOLOGIES = 30;

const NAME_OF_SPELLING: ReadonlyMap<string, string> = new Map(
  TECHNOLOGY_NAMES.trim().split("\n").flatMap((line) => {
    const spellings = line.split("=");
    return spellings.map((spelling) => [spelling, spellings[0]!] as const);
  }),
);

/** Names by their spellings in lower case, for fields that hold nothing but technologies. */
const NAME_OF_TAG: ReadonlyMap<string, string> = new Map([
  ...[...NAME_OF_SPELLING].map(([spelling, name]) => [spelling.toLowerCase(), name] as const),
  ["go", "Golang"],
]);

/** Returns the name of a technology that a field for technologies holds in any case of letters. */
export function technologyOfTag(tag: string): string {
  return NAME_OF_TAG.get(tag.toLowerCase()) ?? tag;
}

/** Words that follow where the word before is a verb: "React quickly", "Swift response". */
const NO_TECHNOLOGY_AFTER =
  "(?! (?:to |quickly|swiftly|and respond|response|action|resolution|Current))";
/**
 * Addresses name their owner's pages, not what it works with. One with "@" is looked for at the start
 * of a word alone: from each character of a long word, the search would take quadratic time.
 */
const ADDRESS = /\bhttps?:\/\/\S+|\bwww\.\S+|(?<!\S)\S+@\S+/giu;
const SPELLING = new RegExp(
  `(?<![\\p{L}\\p{N}_@.-])(?:${
    [...NAME_OF_SPELLING.keys()].sort((a, b) => b.length - a.length).map(RegExp.escape).join("|")
  })(?![\\p{L}_+#]|\\.\\p{L})${NO_TECHNOLOGY_AFTER}`,
  "gu",
);

/**
 * Returns the technologies that a text names, each once, in the order of the text. The company
 * itself is none: a posting of Databricks names Databricks without saying what it works with.
 */
export function technologiesIn(text: string, company = ""): string[] {
  const companyWords = new Set(company.toLowerCase().split(/[^\p{L}\p{N}.+#]+/u));
  const names = [...text.replace(ADDRESS, " ").matchAll(SPELLING)]
    .map(([spelling]) => NAME_OF_SPELLING.get(spelling)!)
    .filter((name) => !companyWords.has(name.toLowerCase()));
  return [...new Set(names)].slice(0, MAX_TECHNOLOGIES);
}
