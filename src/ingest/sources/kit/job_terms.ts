/** Reads the kind of employment, the workplace and the departments from a board's words. */
import type { Facets } from "../../../contract/facets.ts";
import { cleanLine, cutAtWord, splitCamelCase } from "../../text/clean_text.ts";

type Employment = NonNullable<Facets["employment"]>;
/** Kind of employment in the form of the facet. */
export type EmploymentKind = NonNullable<Employment["kind"]>;
/** Workplace in the form of the facet. */
export type Workplace = NonNullable<Employment["workplace"]>;

/**
 * Kinds of employment with their patterns. The first match counts, because an internship can also
 * be full-time.
 */
const KINDS: readonly [EmploymentKind, RegExp][] = [
  ["internship", /\b(?:intern(?:ship)?s?|co-?op|stage|stagiaire|apprentice(?:ship)?|trainee)\b/i],
  ["temporary", /\b(?:temp|temporary|temporaire|seasonal|casual)\b/i],
  ["contract", /\b(?:contract(?:or)?|contractuel(?:le)?|freelance|fixed[- ]term|consultant)\b/i],
  ["part_time", /\b(?:part[- ]?time|temps partiel)\b/i],
  ["full_time", /\b(?:full[- ]?time|temps plein)\b/i],
];

/** Matches the title of an internship: "Data Engineer Intern". */
const INTERNSHIP_TITLE = /\b(?:intern|internship|co-op|stagiaire)\b/i;

/**
 * Returns the kind of employment that `words` state. If they state none, returns `internship` if
 * the title names one. Words that name both full time and part time, and no other kind, are
 * ignored.
 */
export function employmentKindOf(
  words: string | null | undefined,
  title: string,
): EmploymentKind | undefined {
  const text = splitCamelCase(words ?? "");
  const isBoth = KINDS.slice(-2).every(([, pattern]) => pattern.test(text));
  const kind = KINDS.find(([, pattern]) => pattern.test(text))?.[0];
  const stated = isBoth && kind === "part_time" ? undefined : kind;
  return stated ?? (INTERNSHIP_TITLE.test(title) ? "internship" : undefined);
}

const REMOTE =
  /\b(?:remote|remotely|t[ée]l[ée]travail|à distance|work from home|wfh|home[- ]based|virtual|distributed)\b/i;
const HYBRID = /\bhybrid(?:e)?\b/i;
const ON_SITE = /\b(?:on[- ]?site|in[- ](?:the )?office|in[- ]person|sur place)\b/i;

/**
 * Returns the workplace that a field or text names: "OnSite", "on-site", "Hybrid". Hybrid takes
 * precedence. Returns undefined if both remote and on site are named.
 */
export function workplaceOf(words: string): Workplace | undefined {
  const text = splitCamelCase(words);
  const named = ([["hybrid", HYBRID], ["remote", REMOTE], ["on_site", ON_SITE]] as const)
    .filter(([, pattern]) => pattern.test(text)).map(([workplace]) => workplace);
  return named.length === 1 ? named[0] : named[0] === "hybrid" ? "hybrid" : undefined;
}

/** Returns the workplace that the places of an opening name, if all name the same. */
export function workplaceOfPlaces(places: readonly string[]): Workplace | undefined {
  const items = places.flatMap((place) => place.split(/[;/|•\n]|\b(?:or|and|ou|et)\b/))
    .filter((item) => /\p{L}/u.test(item));
  const workplaces = new Set(items.map(workplaceOf));
  // In "Remote - United States or Canada", the first word applies to both places.
  const [first] = workplaces;
  if (workplaces.size === 1) return first;
  const isOneText = places.length === 1 && /^\W*remote\b\s*[-–—:,(]/i.test(places[0]!);
  return isOneText && !workplaces.has("hybrid") && !workplaces.has("on_site")
    ? "remote"
    : undefined;
}

const LEADING_NUMBER =
  /^[\s#([]*(?:(?:CC|cost cent(?:er|re))[\s#:-]*)?(?:\d[\d.-]*\d[\])]?\s*(?:[-–—:_|.]+\s*)|\d{3,}[\])]?\s+|[([]\d{2,}[\])]\s*)/iu;
const TRAILING_NUMBER = /\s*(?:[-–—:_|#]+\s*(?:CC)?\d{2,}|[([]\s*(?:CC)?\d{2,}\s*[\])])\s*$/i;

/** Drops the number of a cost centre: "1234 - Engineering" gives "Engineering". */
function departmentOf(words: string): string {
  const line = cutAtWord(cleanLine(words), 300);
  const rest = line.replace(LEADING_NUMBER, "");
  const name = (/\p{L}/u.test(rest) ? rest : line).replace(TRAILING_NUMBER, "").trim();
  return /\p{L}/u.test(name) ? name : "";
}

/**
 * Joins the names of departments and teams into one line, without duplicates and without the
 * numbers of cost centres.
 */
export function departmentsOf(words: readonly (string | null | undefined)[]): string {
  const names = words.map((name) => departmentOf(name ?? "")).filter((name) => name !== "");
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(", ");
}
