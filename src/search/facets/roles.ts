/** Positions of leadership in English and French. */
import chiefs from "./chiefs.tsv" with { type: "text" };
import { patternsOf, readPatterns } from "./patterns.ts";
import table from "./roles.tsv" with { type: "text" };

export const ROLE_PATTERNS = patternsOf(readPatterns(table));

/**
 * Roles whose words often mean something else. They count only if the query is about a change of
 * officers.
 */
export const ROLES_OF_CHANGES: ReadonlySet<string> = new Set(["chair", "president", "director"]);
/** Pattern that every role's name contains. Queries without a match skip the long patterns. */
export const MAY_BE_ROLE =
  /c[a-z]{1,3}o|chief|chef|head|presid|pdg|direct|dirige|rssi|drh|control|principal|account|counsel|legal|avocat|chair|vice|[se]?vp|treas|tresor|board|administrat/;

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
