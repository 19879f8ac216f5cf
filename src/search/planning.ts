/** From a query to a plan: what to look for, by built-in rules. */
import { QUERY_LENGTH_MAX } from "../contract/search.ts";
import { KINDS } from "../contract/vocabulary.ts";
import { Failure } from "../failures.ts";
import { stemsOf } from "./engine/question.ts";
import { stem, words } from "./engine/tokens.ts";
import type { SearchFilters } from "./filters.ts";
import { type Plan, TERMS_MAX } from "./planning/plan.ts";
import { readQuery, readWanted, type RulesRead } from "./planning/rules.ts";
import { refusalOf } from "./unsupported.ts";

/**
 * A query trimmed and in Unicode NFC.
 *
 * @throws Failure invalid_search, naming the field, where it is no text of 1 to 500 characters
 */
export function normalizeQuery(raw: unknown): string {
  const refuse = (expected: string) =>
    new Failure("invalid_search", { message: `query: ${expected}.` });
  if (raw === undefined) throw refuse("required");
  if (typeof raw !== "string") throw refuse("a text");
  if (!raw.isWellFormed() || raw.includes("\0")) throw refuse("valid Unicode text");
  const query = raw.trim().normalize("NFC");
  const length = [...query].length;
  if (length < 1 || length > QUERY_LENGTH_MAX) throw refuse(`1 to ${QUERY_LENGTH_MAX} characters`);
  return query;
}

/** How people address a search engine, in words that describe no company: by their stems. */
const REQUEST_STEMS: ReadonlySet<string> = new Set(
  "look please want need company firm".split(" ").map((word) => stem(word, "english")),
);

/** Orders, which come first; further on they tell something. */
const ORDER_STEMS: ReadonlySet<string> = new Set(
  "find give tell search identify show list".split(" ").map((word) => stem(word, "english")),
);
const ORDER_PLACES = 2;

/** The same as they are, where the stem is that of a word with content (organic, données). */
const REQUEST_WORDS: ReadonlySet<string> = new Set(
  ("organizations organisations everything anything " +
    "trouver trouve trouvez cherche chercher cherchez montre montrez montrer liste lister donne " +
    "donnez veux veut voulons veulent voudrais besoin besoins entreprise entreprises compagnie " +
    "compagnies societe societes organisme organismes")
    .split(" "),
);

function describes(word: string, place: number): boolean {
  const own = stem(word, "english");
  return !REQUEST_WORDS.has(word) && !REQUEST_STEMS.has(own) &&
    !(place < ORDER_PLACES && ORDER_STEMS.has(own));
}

/** Of "a construction company" the construction; all, where nothing describes. */
function describing(some: string[]): string[] {
  const own = some.filter((word) => describes(word, ORDER_PLACES));
  return own.length > 0 ? own : some;
}

/**
 * The plan of a normalized query by the built-in rules. Words that only address the service, tell a
 * time or name what is not wanted are left out unless there is nothing else; a query that only names
 * what it does not want finds whatever filters admit, that behind, where it names it beyond doubt.
 *
 * @param now what time words are relative to
 * @throws Failure unsupported_request for contact data, outreach and exports of the dataset
 */
export function planSearch(query: string, now: Date): Plan {
  refuse(refusalOf(query));
  const { kept, unnamed, wanted, doubtful, ...read } = readQuery(query, now);
  const terms = distinct(askedOf(query, { kept, wanted, doubtful }));
  const content = distinct(words(unnamed).filter(describes));
  const searched = new Set(terms.map(nameOf));
  const excluded = read.excluded.map(describing)
    // What is searched for is not unwanted as well.
    .filter((own) => !own.every((word) => searched.has(nameOf(word))));
  const isNegation = wanted !== undefined && terms.length === 0;
  const others = read.preferences.kinds.length > 0 ? read.preferences.kinds : [...KINDS];
  return { terms, content, ...read, excluded, named_kinds: isNegation ? others : read.named_kinds };
}

/** What describes, or all that there is; a negation that may be none tells what is searched for. */
function askedOf(
  query: string,
  { kept, wanted, doubtful }: Pick<RulesRead, "kept" | "wanted" | "doubtful">,
): string[] {
  const content = words(kept).filter(describes);
  if (content.length > 0) return content;
  const told = wanted === undefined ? [] : words(wanted).filter(describes);
  if (told.length > 0 || (wanted !== undefined && !doubtful)) return told;
  const all = words(query);
  return wanted === undefined ? all : all.filter(describes);
}

/**
 * @throws Failure unsupported_request for contact data, outreach and exports of the dataset, and where
 * only what is not wanted is told and no filter tells what is
 */
export function refuseUnsupported(query: string, filters: SearchFilters): void {
  refuse(refusalOf(query));
  const { wanted, doubtful } = readWanted(query);
  if (wanted === undefined || doubtful || words(wanted).some(describes)) return;
  if (admitsFew(filters)) return;
  refuse(
    "This search tells only what it does not want. Say what companies are to do or need as well, " +
      'such as "tenders, not construction", or filter by kind, country, time, company or domain. ' +
      "A name goes between quotation marks.",
  );
}

function refuse(message: string | undefined): void {
  if (message !== undefined) throw new Failure("unsupported_request", { message });
}

/** Whether filters tell what is wanted, and not only what is not. */
function admitsFew(filters: SearchFilters): boolean {
  const { exclude_company_ids: _, exclude_domains: __, ...admitted } = filters;
  return Object.values(admitted).some((own) => own !== null && own.length > 0);
}

/** The words of a normalized query as they are, without planning. */
export function termsOf(query: string): string[] {
  return distinct(words(query));
}

/** The first of all words that have the same stem in every language, as many as are searched for. */
function distinct(all: string[]): string[] {
  const first = new Map<string, string>();
  for (const word of all) {
    const key = nameOf(word);
    if (!first.has(key)) first.set(key, word);
  }
  return [...first.values()].slice(0, TERMS_MAX);
}

function nameOf(word: string): string {
  return stemsOf(word).join(" ");
}
