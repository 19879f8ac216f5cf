/** From a query to a plan: what to look for, by built-in rules. */
import { QUERY_LENGTH_MAX } from "../contract/search.ts";
import { Failure } from "../failures.ts";
import { LANGUAGES, stem, words } from "./engine/tokens.ts";
import { refusalOf } from "./unsupported.ts";

/** More distinct words add cost and hardly any meaning. */
const TERMS_MAX = 32;

/** What a search looks for. A plan never widens the filters of its search. */
export interface Plan {
  /**
   * Distinct folded words (see engine/tokens.ts), at most 32, any of which may match. None: the
   * query consists of stop words and symbols, and nothing matches.
   */
  terms: string[];
}

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
  "find give tell search look please want need identify company firm".split(" ")
    .map((word) => stem(word, "english")),
);

/** The same as they are, where the stem is that of a word with content (organic, données). */
const REQUEST_WORDS: ReadonlySet<string> = new Set(
  ("show list lists organization organizations organisation organisations " +
    "trouver trouve trouvez cherche chercher cherchez montre montrez montrer liste lister donne " +
    "donnez veux veut voulons veulent voudrais besoin besoins entreprise entreprises compagnie " +
    "compagnies societe societes organisme organismes")
    .split(" "),
);

function addressesService(word: string): boolean {
  return REQUEST_WORDS.has(word) || REQUEST_STEMS.has(stem(word, "english"));
}

/**
 * The plan of a normalized query. Words that only address the service are left out unless there is
 * nothing else.
 *
 * @throws Failure unsupported_request for contact data, outreach and exports of the dataset
 */
export function planSearch(query: string): Plan {
  const refusal = refusalOf(query);
  if (refusal !== undefined) throw new Failure("unsupported_request", { message: refusal });
  const content = words(query).filter((word) => !addressesService(word));
  return content.length > 0 ? { terms: distinct(content) } : { terms: termsOf(query) };
}

/** The words of a normalized query as they are, without planning. */
export function termsOf(query: string): string[] {
  return distinct(words(query));
}

/** The first of all words that have the same stem in every language, as many as are searched for. */
function distinct(all: string[]): string[] {
  const first = new Map<string, string>();
  for (const word of all) {
    const key = LANGUAGES.map((language) => stem(word, language)).join(" ");
    if (!first.has(key)) first.set(key, word);
  }
  return [...first.values()].slice(0, TERMS_MAX);
}
