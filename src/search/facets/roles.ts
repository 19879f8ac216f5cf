/** Positions of leadership in English and French. */
import { fold } from "../words/stems.ts";
import { patternsOf, readPatterns } from "./patterns.ts";
import table from "./roles.tsv" with { type: "text" };

const ROLE_PATTERNS = patternsOf(readPatterns(table));

/** Roles with ordinary names. They count only in a query about a change of officers. */
export const ROLES_OF_CHANGES: ReadonlySet<string> = new Set(["chair", "president", "director"]);
/** Pattern that every role's name contains. Queries without a match skip the long patterns. */
const MAY_BE_ROLE =
  /c[a-z]{1,3}o|chief|chef|head|presid|pdg|direct|dirige|rssi|drh|control|principal|account|counsel|legal|avocat|chair|vice|[se]?vp|treas|tresor|board|administrat/;

/**
 * Returns the roles that a folded text names, with the spans of their words. "Vice president" names
 * no president.
 */
export function rolesIn(text: string) {
  const roles: { role: string; start: number; end: number }[] = [];
  if (!MAY_BE_ROLE.test(text)) return roles;
  let unread = text;
  for (const [role, pattern] of ROLE_PATTERNS) {
    for (const { index: start, 0: words } of unread.matchAll(pattern)) {
      roles.push({ role, start, end: start + words.length });
    }
    unread = unread.replace(pattern, (words) => "\0".repeat(words.length));
  }
  return roles;
}

/** Returns the facet terms of the roles that a column or sentence names. */
export function roleTermsOf(text: string): string[] {
  return [...new Set(rolesIn(fold(text)).map(({ role }) => `role:${role}`))];
}
