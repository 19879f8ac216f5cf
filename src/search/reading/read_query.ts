/** Reads a query by tables and rules, without an index. */
import { sortedSet } from "../../contract/fields.ts";
import { COUNTRIES, KINDS, type Sector } from "../../contract/vocabulary.ts";
import { words } from "../engine/text.ts";
import { readAmount } from "./amounts.ts";
import { readClosing } from "./closing.ts";
import { readCountries } from "./countries.ts";
import { readDocuments } from "./documents.ts";
import { keptExclusions, readExcludedFacets } from "./exclusions.ts";
import { endWithNoun, namesCompanies } from "./company_nouns.ts";
import { isFiller, isOrder } from "./filler.ts";
import { DEMAND_NOISE, DEMAND_PATTERNS, KIND_PATTERNS, PLACE_NOUN } from "./kind_words.ts";
import { PARTS_MAX, preferred, readHostnames, readNegations, readQuotes } from "./mentions.ts";
import { anyOf, Reading, readNames, type Span } from "./passages.ts";
import { facetsOfPlaces, type PlaceMention, readPlaces } from "./places.ts";
import { ASKED_WORDS_MAX, type AskedWord, asksNothing, isOpen, type Question } from "./question.ts";
import { type QueryToken, tokensOf } from "./query_tokens.ts";
import { CHANGE_NOISE, isOfficerChange, readRoles } from "./roles.ts";
import { readRounds } from "./rounds.ts";
import { WHOLE_SECTOR_PATTERNS } from "./sector_words.ts";
import { readTimes } from "./times.ts";

/** A sector that words of a query name. The words are still searched for. */
interface SectorMention extends Span {
  sector: Sector;
  /** True if companies of the sector are meant: "construction companies", "retailers". */
  names_companies: boolean;
}

/** Parts of a question that a planner fills. Rules read the rest. */
export type Planned = Pick<
  Question,
  | "words"
  | "phrases"
  | "excluded"
  | "hostnames"
  | "kinds"
  | "countries"
  | "demand_classes"
  | "sectors"
  | "occurred"
>;

/** A query that was read without an index. */
export interface QueryReading {
  query: string;
  now: Date;
  /** The query without accents. Positions of tokens and mentions refer to it. */
  plain: string;
  tokens: QueryToken[];
  places: PlaceMention[];
  sectors: SectorMention[];
  /** True if the query certainly contains nothing but exclusions: "not in Ohio". */
  only_excludes: boolean;
  /** Parts that a planner has read instead of the rules. */
  planned?: Planned;
  /** Question without names, corrections and facets that need an index. */
  question: Question;
}

/**
 * Reads a normalized query. Times are relative to `now`. Never throws.
 *
 * @param names spans that no rule reads, such as company names
 */
export function readQuery(query: string, now: Date, names: readonly Span[] = []): QueryReading {
  const reading = new Reading(query);
  const { phrases, unwanted } = readQuotes(reading);
  for (const name of names) reading.take(name);
  const hostnames = readHostnames(reading);
  const closes = readClosing(reading, now);
  const amount = readAmount(reading);
  const { occurred, closed } = readTimes(reading, now);
  const excluded_facets = readExcludedFacets(reading);
  const { excluded, countries: unwantedCountries, kinds: unwantedKinds, certain } = readNegations(
    reading,
  );
  const rounds = readRounds(reading, amount !== null);
  const documents = readDocuments(reading);
  const roles = readRoles(reading);
  const places = readPlaces(reading);
  const placeFacets = facetsOfPlaces(reading, places);
  const implied = places.flatMap(({ countries }) => countries);
  const countries = sortedSet([...readCountries(reading), ...implied]);
  const kindNames = new Set(readNames(KIND_PATTERNS, reading));
  if (rounds.length > 0 || isRaise(query, amount !== null)) kindNames.add("funding_round");
  if (roles.length > 0 && isOfficerChange(reading)) kindNames.add("leadership_change");
  const kinds = KINDS.filter((kind) => kindNames.has(kind));
  // A query about a closing date is about tenders, unless it names another kind.
  if (kinds.length === 0 && !isOpen(closed ?? closes)) kinds.push("procurement_request");
  if (kinds.includes("funding_round") || amount !== null) reading.dropAll(FUNDING_NOISE);
  if (kinds.includes("leadership_change") && roles.length > 0) reading.dropAll(CHANGE_NOISE);
  const demand_classes = readNames(DEMAND_PATTERNS, reading);
  reading.dropAll(DEMAND_NOISE);
  const sectors = readSectors(reading);
  const tokens = withSubject(tokensOf(reading));
  const facets = [rounds, documents, roles, ...placeFacets].filter((any) => any.length > 0)
    .map((any) => ({ any, sectors: [], words: [] }));
  const content = tokens.filter(({ role }) => role === "content").flatMap(({ words }) => words);
  const question: Question = {
    words: askedWords(content),
    pairs: pairsOf(reading.query, tokens),
    alternatives: [],
    choices: [],
    phrases,
    excluded: keptExclusions([...unwanted, ...excluded], content).slice(0, PARTS_MAX),
    excluded_facets,
    excluded_kinds: [...new Set(unwantedKinds)],
    excluded_countries: [...new Set(unwantedCountries)],
    hostnames,
    kinds: preferred(kinds, { unwanted: unwantedKinds, all: KINDS }),
    countries: preferred(countries, { unwanted: unwantedCountries, all: COUNTRIES }),
    demand_classes,
    sectors: [...new Set(sectors.map(({ sector }) => sector))],
    facets,
    occurred: occurred ?? { after: null, before: null },
    closes: closed ?? closes,
    amount,
    names: [],
    corrections: [],
  };
  if (isEmpty(question)) question.words = askedWords(words(query));
  else if (!certain && isEmpty({ ...question, excluded: [] })) {
    // "Companies without ERP" may state a need. If such a negation is all that a query contains,
    // its words are searched for.
    question.words = askedWords(
      words(query).filter((word, place) => !isFillerOrOrder(word, place)),
    );
    question.excluded = [];
  }
  const only_excludes = certain && hasOnlyExclusions(reading);
  return { query, now, plain: reading.query, tokens, places, sectors, only_excludes, question };
}

/** Returns whether a query contains exclusions and, apart from them, only filler. */
function hasOnlyExclusions({ wanted, query }: Reading): boolean {
  return wanted !== query && words(wanted).every(isFillerOrOrder);
}

function isFillerOrOrder(word: string, place: number): boolean {
  return isFiller(word, place) || isOrder(word, "");
}

/** Makes place nouns content words if a query has no other subject: "new plants in Ohio". */
function withSubject(tokens: QueryToken[]): QueryToken[] {
  if (tokens.some(({ role }) => role === "content")) return tokens;
  return tokens.map((token) =>
    token.role === "read" && PLACE_NOUN.test(token.name)
      ? { ...token, role: "content", words: words(token.written) }
      : token
  );
}

/** Returns distinct words with the number of their occurrences, in order of first mention. */
export function askedWords(texts: readonly string[]): AskedWord[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => ({ text, count })).slice(0, ASKED_WORDS_MAX);
}

/** Returns whether a question has neither conditions nor quotations. */
function isEmpty(question: Question): boolean {
  return question.phrases.length === 0 && asksNothing(question);
}

/** Pattern of verbs that mean raising money if the query contains an amount. */
const RAISED =
  /\b(?:raised|raising|raises|rais\w+ money|lev[ée]e?s?|l[eè]vent|financ[ée]e?s|funded)(?![\p{L}\p{N}])/iu;
/** Pattern of verbs that mean raising money even without an amount: "startups funded". */
const RAISED_BY =
  /\b(?:who|that|which|companies|startups|firms|recently|have|has|ont|a) (?:recently )?(?:raised|funded|lev[ée])(?![\p{L}\p{N}])/iu;

/** Returns whether a query is about raising money. */
function isRaise(query: string, hasAmount: boolean): boolean {
  return hasAmount ? RAISED.test(query) : RAISED_BY.test(query);
}

/** Pattern of words that add nothing to a query about funding: "closed", "secured". */
const FUNDING_NOISE = new RegExp(
  anyOf(
    "clos(?:ed|es|ing); completed; secur(?:ed|es|ing); landed; attracted; collected; money; cash; invest(?:ments|ed|ing)",
    "(?:took|takes|taking|taken|brought|pulled)(?: in)?; (?:fait|conclu|boucle|realise|cloture)(?:e|es|s)?",
    "tours?; rondes?",
  ),
  "gu",
);

function readSectors(reading: Reading): SectorMention[] {
  // The name of a role may contain the word of a sector: "chef des finances".
  const { unnamed } = reading;
  return WHOLE_SECTOR_PATTERNS.flatMap(([sector, pattern]) =>
    reading.find(pattern)
      .filter(({ start, end }) => unnamed.slice(start, end).trim() !== "")
      .map(({ start, end }) => ({
        sector,
        start,
        end: endWithNoun(reading.query, end),
        names_companies: namesCompanies(reading.query, { start, end }),
      }))
  );
}

/** Pattern of the text between neighbouring words. */
const NEIGHBOUR_GAP = /^[\s'-]{1,2}$/;

/** Returns the pairs of neighbouring words in order, without duplicates. */
export function pairsOf(query: string, tokens: readonly QueryToken[]): [string, string][] {
  const pairs = new Map<string, [string, string]>();
  const add = (first: string, second: string) => pairs.set(`${first} ${second}`, [first, second]);
  for (const [place, { words, role, written, end }] of tokens.entries()) {
    if (role !== "content" && role !== "letter") continue;
    if (!/\.|(?:^|-)\p{L}-/u.test(written)) {
      for (let at = 1; at < words.length; at++) add(words[at - 1]!, words[at]!);
    }
    const next = tokens[place + 1];
    if (next === undefined || next.words.length === 0) continue;
    if (role === "letter" && next.role === "letter") continue;
    if (NEIGHBOUR_GAP.test(query.slice(end, next.start))) add(words.at(-1)!, next.words[0]!);
  }
  return [...pairs.values()].slice(0, ASKED_WORDS_MAX);
}
