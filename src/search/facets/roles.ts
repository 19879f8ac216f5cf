/** Positions of leadership in English and French. */
import chiefs from "./chiefs.tsv" with { type: "text" };
import { readPatterns } from "./pattern_table.ts";
import { anyOf, patternsOf } from "./patterns.ts";
import table from "./roles.tsv" with { type: "text" };

export const ROLE_PATTERNS = patternsOf(Object.fromEntries(readPatterns(table)));

/**
 * Roles whose words often mean something else. They count only if the query is about a change of
 * officers.
 */
export const ROLES_OF_CHANGES: ReadonlySet<string> = new Set(["chair", "president", "director"]);
/** Pattern of words for changes of officers. */
export const CHANGE = new RegExp(
  anyOf(
    "new; named?; names; appoint(?:s|ed|ments?|ing)?; resign(?:s|ed|ation|ations|ing)?; replac(?:e|es|ed|ing|ements?); depart(?:s|ed|ure|ures|ing)?",
    "succe(?:ss|ed)[a-z]*; chang(?:es?|ed|ing|ent|er|eant); leadership; hires; hired; joins; joined; quits?; steps? down; retir(?:es|ed|ing|ement); elect(?:s|ed|ion|ing)?; left; leaves; leaving",
    "nouve(?:au|aux|lle|lles|l); nomm(?:ee?s?|ent|er|ant); nominations?; demission[a-z]*; changements?; remplac[a-z]*; elu(?:e|s|es)?",
  ),
  "u",
);

/** Pattern that every role's name contains. Queries without a match skip the long patterns. */
export const MAY_BE_ROLE =
  /c[a-z]{1,3}o|chief|chef|head|presid|pdg|direct|dirige|rssi|drh|control|principal|account|counsel|legal|avocat|chair|vice|[se]?vp|treas|tresor|board|administrat/;

/** Pattern of words that only state a change of officers. */
export const CHANGE_NOISE = new RegExp(
  anyOf(
    "hired; hires; joins; joined; left; leaves; leaving; quits?; depart(?:s|ed|ure|ures|ing)?; resign(?:s|ed|ation|ations|ing)",
    "named?; names; naming; replac(?:e|es|ed|ing|ements?); chang(?:es?|ed|ing); elect(?:s|ed|ion|ing)?; retir(?:es|ed|ing|ement)",
    "nomm(?:ee?s?|ent|er|ant); chang(?:ent|er|eant|ements?); remplac[a-z]*; demission[a-z]*; quitt(?:e|es|ent|er|ant)",
  ),
  "gu",
);

/** Roles by the words between "chief" and "officer". */
const ROLE_OF_CHIEF: ReadonlyMap<string, string> = new Map(
  [...readPatterns(chiefs)].flatMap(([role, [words]]) =>
    words!.split("|").map((word) => [word, role] as const)
  ),
);

/** Pattern of a role in a text. */
const ROLE_OF_TEXT = new RegExp(
  `\\b(?:chief (${[...ROLE_OF_CHIEF.keys()].join("|")}) officer|` +
    "(ceo|cfo|coo|cto|cio|cmo|ciso|chro|pdg)\\b|(general counsel|vice[ -]president|chair(?:man|woman|person)?\\b|treasurer|president|director))",
  "gi",
);

/** Returns the facet terms of the roles that a column or sentence names, at most five. */
export function roleTermsOf(text: string): string[] {
  const terms = new Set<string>();
  for (const [, chief, short, role] of text.matchAll(ROLE_OF_TEXT)) {
    if (chief !== undefined) terms.add(`role:${ROLE_OF_CHIEF.get(chief.toLowerCase())}`);
    else if (short !== undefined) terms.add(`role:${short.toLowerCase().replace("pdg", "ceo")}`);
    else terms.add(`role:${role!.toLowerCase().replace(/^chair.*/, "chair").replace(/[ -]/, "_")}`);
    if (terms.size === 5) break;
  }
  return [...terms];
}
