/** Kinds of funding rounds in English and French, and in the columns of sources. */
import { anyOf, patternsOf } from "./patterns.ts";

const MONEY_EN =
  "(?:rounds?|funding|financings?|stage|capital|investments?|money|raises?|deals?|funded|backed)";
const SERIES = "abcdefgh";

/** Patterns of phrases that always mean a round. */
export const ROUND_PATTERNS = patternsOf<string>({
  pre_seed: ["pre ?seed(?: (?:rounds?|funding|stage))?; pre amorcage"],
  seed: [
    `seed(?: stage)? ${MONEY_EN}; seed stage; serie(?:s)? seed; amorcage; (?:rondes?|tours?|financements?) d amorcage`,
  ],
  angel: [
    `angels?(?: (?:${MONEY_EN}|investors?|backed))?; business angels?`,
    "(?:rondes? d )?anges? (?:financiers?|investisseurs?); investisseurs? providentiels?",
  ],
  ...Object.fromEntries(
    [...SERIES].map((letter) => [`series_${letter}`, [
      `series ${letter}s?(?: ${MONEY_EN})?; serie ${letter}; rounds? ${letter}`,
      // "A series" is no round, because it is an ordinary phrase: "a series of".
      ...letter === "a" ? [] : [`${letter} series`],
      `${letter} rounds?; (?:rondes?|tours?)(?: de (?:financement|table))? (?:de )?serie ${letter}`,
    ]]),
  ),
  series_c_plus: ["series c ?(?:\\+|or later)"],
  venture: [
    `venture(?: capital)? ${MONEY_EN}; venture capital; vc ${MONEY_EN}`,
    "(?<!joint )venture; capital de risque; capital risque",
  ],
  private_equity: [`private equity(?: ${MONEY_EN})?; pe ${MONEY_EN}; capital investissement`],
  debt: [
    `debt (?:${MONEY_EN}|fundings?|facilit(?:y|ies)); venture debt; loans? obtained`,
    "(?:financements?|emprunts?) par (?:dette|emprunt); dette",
  ],
  convertible_note: ["convertible (?:notes?|debentures?); (?:billets?|debentures?) convertibles?"],
  grant: ["grant (?:funding|rounds?|money)", "financements? par subvention"],
  crowdfunding: [
    "crowd ?fund(?:ing|ed)(?: rounds?)?; financements? participatifs?; sociofinancement",
  ],
  post_ipo_equity: ["post ipo(?: (?:rounds?|equity|financing))?"],
  exempt_offering: ["form d; exempt offerings?; regulation d"],
});

/** Patterns of words that mean a round only if the query is about funding. */
export const FUNDING_ROUND_PATTERNS = patternsOf({
  seed: ["seed"],
  debt: ["debt"],
  grant: ["grants?; subventions?"],
});

/** Pattern that every round's name contains. Queries without a match skip the long patterns. */
export const MAY_BE_ROUND =
  /seri|seed|amor|ange|provid|round|ronde|tour|ventu|vc[\s-]|pe[\s-]|risque|equity|invest|debt|dette|loan|emprunt|conver|grant|subv|fund|particip|ipo|form|exempt|regul/;
export const FUNDING = new RegExp(
  anyOf(
    "fund(?:ing|ed|s|raising)?; financ(?:ing|ed|ement|ements|ees?); rais(?:e|es|ed|ing); rounds?; startups?; leve(?:e|es)?; investors?",
  ),
  "u",
);

/** Pattern of a list of rounds: "Series A or B", "series A/B", "séries B à D". */
export const SERIES_LIST = new RegExp(
  `(?<![\\p{L}\\p{N}])series?[\\s-]+([${SERIES}])` +
    `((?:\\s*(?:,|/|&|-|(?<=\\s)(?:or|and|to|through|et|ou|a)(?=\\s))\\s*(?:series?\\s+)?[${SERIES}](?![\\p{L}\\p{N}]))+)` +
    `(?:\\s+${MONEY_EN}(?![\\p{L}\\p{N}]))?`,
  "gu",
);

/** Returns the rounds of a list of letters. "To" and a hyphen include the letters in between. */
export function roundsOfList(first: string, further: string): string[] {
  const letters = [first];
  for (
    const [, link, letter] of further.matchAll(
      /([^a-z\s]|[a-z]+)\s*(?:series?\s+)?([a-h])(?![a-z])/g,
    )
  ) {
    const isRange = /^(?:-|to|through|a)$/.test(link!);
    const from = isRange ? SERIES.indexOf(letters.at(-1)!) + 1 : SERIES.indexOf(letter!);
    letters.push(...SERIES.slice(from, SERIES.indexOf(letter!) + 1));
  }
  return letters.map((letter) => `series_${letter}`);
}

/** Returns the facet terms that meet a round. A record of "Series C or later" meets "Series D". */
export function termsOfRound(round: string): string[] {
  const isLate = /^series_[c-h]$/.test(round);
  return [`round:${round}`, ...isLate ? ["round:series_c_plus"] : []];
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
