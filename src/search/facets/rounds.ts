/** Kinds of funding rounds in English and French, and in the columns of sources. */
import { patternsOf, readPatterns } from "./patterns.ts";
import table from "./rounds.tsv" with { type: "text" };

const { money, ...rounds } = Object.fromEntries(readPatterns(table));
const SERIES = "abcdefgh";

/** Patterns of phrases that always mean a round. */
export const ROUND_PATTERNS = patternsOf(Object.entries(rounds));

/** Patterns of words that mean a round only if the query is about funding. */
export const FUNDING_ROUND_PATTERNS = patternsOf([
  ["seed", ["seed"]],
  ["debt", ["debt"]],
  ["grant", ["grants?; subventions?"]],
]);

/** Pattern of a list of rounds: "Series A or B", "series A/B", "séries B à D". */
export const SERIES_LIST = new RegExp(
  `(?<![\\p{L}\\p{N}])series?[\\s-]+([${SERIES}])` +
    `((?:\\s*(?:,|/|&|-|(?<=\\s)(?:or|and|to|through|et|ou|a)(?=\\s))\\s*(?:(?:an? )?series?\\s+)?[${SERIES}](?![\\p{L}\\p{N}]))+)` +
    `(?:\\s+${money![0]}(?![\\p{L}\\p{N}]))?`,
  "gu",
);

/** Returns the rounds of a list of letters. "To" and a hyphen include the letters in between. */
export function roundsOfList(first: string, further: string): string[] {
  const letters = [first];
  for (
    const [, link, letter] of further.matchAll(
      /([^a-z\s]|[a-z]+)\s*(?:(?:an? )?series?\s+)?([a-h])(?![a-z])/g,
    )
  ) {
    const isRange = /^(?:-|to|through|a)$/.test(link!);
    const from = isRange ? SERIES.indexOf(letters.at(-1)!) + 1 : SERIES.indexOf(letter!);
    letters.push(...SERIES.slice(from, SERIES.indexOf(letter!) + 1));
  }
  return letters.map((letter) => `series_${letter}`);
}

/** Returns the facet terms that meet a round. A record of "Series C or later" meets "Series C". */
export function termsOfRound(round: string): string[] {
  return [`round:${round}`, ...round === "series_c" ? ["round:series_c_plus"] : []];
}

/** Names of rounds in facet terms, by the names that sources use. */
const ROUND_OF_SOURCE: Readonly<Record<string, string>> = {
  "series_c_or_later": "series_c_plus",
  "series_c+": "series_c_plus",
  "post_ipo": "post_ipo_equity",
  "debt_financing": "debt",
  "equity_crowdfunding": "crowdfunding",
};

/** Returns the facet term of a round in a column: "round:series_a" for "Series A" or "series-a". */
export function roundTerm(round: string): string {
  const key = round.toLowerCase().replace(/[\s-]+/g, "_");
  return `round:${ROUND_OF_SOURCE[key] ?? key}`;
}

/**
 * Pattern of a round in a sentence. Unlike in a query, "venture" and "angel" need a word for money,
 * because "venture-backed" firms and firms called "Angel" raise other rounds.
 */
const ROUND_OF_FACT =
  /\b(?:series ([a-h])|(pre-?seed)|(seed|angel|venture|private equity|debt|crowdfunding) (?:round|financing|funding)|s[ée]rie ([a-h]))\b/i;

/** Returns the facet term of the round that a sentence names first. */
export function roundTermOfFact(fact: string): string | undefined {
  const match = ROUND_OF_FACT.exec(fact);
  if (match === null) return undefined;
  const letter = match[1] ?? match[4];
  if (letter !== undefined) return `round:series_${letter.toLowerCase()}`;
  return match[2] !== undefined ? "round:pre_seed" : roundTerm(match[3]!);
}
