/** From a query to a plan: what to look for, by built-in rules. */
import { QUERY_LENGTH_MAX } from "../contract/search.ts";
import { Failure } from "../failures.ts";
import { LANGUAGES, stem, words } from "./engine/tokens.ts";
import { type Plan, TERMS_MAX } from "./planning/plan.ts";
import { readQuery } from "./planning/rules.ts";
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
  ("organizations organisations " +
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

/**
 * The plan of a normalized query by the built-in rules. Words that only address the service, tell a
 * time or name what is not wanted are left out unless there is nothing else.
 *
 * @param now what time words are relative to
 * @throws Failure unsupported_request for contact data, outreach and exports of the dataset
 */
export function planSearch(query: string, now: Date): Plan {
  refuseUnsupported(query);
  const { kept, ...read } = readQuery(query, now);
  const content = words(kept).filter(describes);
  const asked = content.length > 0 ? content : words(query);
  const terms = distinct(asked);
  const wanted = new Set(terms.map(stemsOf));
  // What is searched for is not unwanted as well.
  const excluded = read.excluded.filter((own) => !own.every((word) => wanted.has(stemsOf(word))));
  return { terms, ...read, excluded };
}

/** @throws Failure unsupported_request for contact data, outreach and exports of the dataset */
export function refuseUnsupported(query: string): void {
  const refusal = refusalOf(query);
  if (refusal !== undefined) throw new Failure("unsupported_request", { message: refusal });
}

/** The words of a normalized query as they are, without planning. */
export function termsOf(query: string): string[] {
  return distinct(words(query));
}

/** The first of all words that have the same stem in every language, as many as are searched for. */
function distinct(all: string[]): string[] {
  const first = new Map<string, string>();
  for (const word of all) {
    const key = stemsOf(word);
    if (!first.has(key)) first.set(key, word);
  }
  return [...first.values()].slice(0, TERMS_MAX);
}

function stemsOf(word: string): string {
  return LANGUAGES.map((language) => stem(word, language)).join(" ");
}
