/** Resolves the industries, sectors, technologies and workplaces among a query's content words. */
import type { Sector } from "../../contract/vocabulary.ts";
import { INDUSTRY_WORDS_MAX, industryKey, industryKeys } from "./industries.ts";
import { indexesOf, runsOf } from "./choices.ts";
import { overlaps, type Span } from "./passages.ts";
import type { AskedFacet, KnownTerms } from "./question.ts";
import type { QueryToken } from "./query_tokens.ts";
import type { QueryReading } from "./read_query.ts";
import { askedTechnologyKeys, isTechnology, TECHNOLOGY_WORDS_MAX } from "./technologies.ts";

/** Context in which the words of a query are resolved. */
interface TradeContext {
  read: QueryReading;
  known: KnownTerms;
  /** Indexes of the content words by their text. */
  indexes: ReadonlyMap<string, number>;
  /** Returns whether a token is part of a known name. */
  isNamed(token: QueryToken): boolean;
}

/** Facets of trades, and the sectors of the query, which are empty if it names an industry. */
interface Trades {
  facets: AskedFacet[];
  sectors: Sector[];
}

/**
 * Reads the industries and sectors that a query asks for as one facet of alternatives. An industry
 * has to be a whole run of words (see choices.ts): "software companies", but not "accounting
 * software".
 */
export function resolveTrades(context: TradeContext): Trades {
  const { read } = context;
  const any = new Set<string>();
  const sectors = new Set<Sector>();
  const words = new Set<number>();
  const industries: Span[] = [];
  for (const run of runsOf(read)) {
    if (run.length > INDUSTRY_WORDS_MAX || run.some(context.isNamed)) continue;
    const named = industryTerms(run, context.known);
    const isMaker = named.length === 0 && run.length > 1 && MAKERS.test(run.at(-1)!.name);
    const terms = isMaker ? industryTerms(run.slice(0, -1), context.known) : named;
    if (terms.length === 0) continue;
    industries.push({ start: run[0]!.start, end: run.at(-1)!.end });
    for (const term of terms) any.add(term);
    for (const index of indexesOf(run, context.indexes)) words.add(index);
  }
  const hasTerms = any.size > 0;
  let names_companies = false;
  for (const mention of read.sectors) {
    // The later words of an industry name no sector: "ad tech", "online retail".
    const isPart = ({ start, end }: Span) => start < mention.start && mention.start < end;
    if (industries.some(isPart)) continue;
    const named = read.tokens.filter((token) =>
      token.role === "content" && overlaps(token, mention)
    );
    if (named.some(context.isNamed)) continue;
    sectors.add(mention.sector);
    names_companies ||= mention.names_companies;
    for (const index of indexesOf(named, context.indexes)) words.add(index);
  }
  if (!hasTerms && sectors.size === 0) return { facets: [], sectors: [] };
  const facet: AskedFacet = {
    any: [...any],
    sectors: [...sectors].sort(),
    words: [...words].sort(byNumber),
    ...names_companies && { names_companies },
  };
  return { facets: [facet], sectors: hasTerms ? [] : facet.sectors };
}

/** Pattern of nouns for companies after an industry. */
const MAKERS =
  /^(?:makers?|producers?|manufacturers?|studios?|providers?|vendors?|operators?|specialists?|brands?|agency|agencies|publishers?|sites?|apps?|outlets?)$/;

function byNumber(a: number, b: number): number {
  return a - b;
}

/** Returns the facet terms of the industry that a run of words names and the index contains. */
function industryTerms(run: readonly QueryToken[], known: KnownTerms): string[] {
  const key = industryKey(run.map(({ written }) => written).join(" "));
  return industryKeys(key).map((one) => `industry:${one}`)
    .filter((term) => known.facetFrequency(term) > 0);
}

/**
 * Reads technologies that the index contains. A name that is ambiguous, or that no table lists,
 * counts only with words for its use: "companies that use Go", "Ruby shops". If the query contains
 * "or", all of its technologies are alternatives in one facet.
 */
export function resolveTechnologies(context: TradeContext): AskedFacet[] {
  const { read, known } = context;
  const facets: AskedFacet[] = [];
  for (let at = 0; at < read.tokens.length; at++) {
    for (let count = TECHNOLOGY_WORDS_MAX; count > 0; count--) {
      const span = read.tokens.slice(at, at + count);
      if (span.length < count || !span.every(isContent) || span.some(context.isNamed)) continue;
      const key = askedTechnologyKeys(span.map(({ written }) => written).join(""))
        .find((one) => one !== "" && known.facetFrequency(`technology:${one}`) > 0);
      if (key === undefined) continue;
      const users = usersBeside(read, span);
      if (!isTechnology(key) && users.length === 0 && !isObject(read, span)) continue;
      const words = indexesOf([...span, ...users], context.indexes);
      facets.push({ any: [`technology:${key}`], sectors: [], words });
      at += count - 1;
      break;
    }
  }
  return /(?:^|\s)(?:or|ou)\s/i.test(read.plain) ? merged(facets) : facets;
}

function isContent({ role }: QueryToken): boolean {
  return role === "content" || role === "letter";
}

/**
 * Returns the words beside a technology that only state its use: "Ruby shops", "build Go".
 */
function usersBeside({ tokens }: QueryReading, span: readonly QueryToken[]): QueryToken[] {
  const isNoStop = ({ role }: QueryToken) => role !== "stop";
  const before = tokens.slice(0, tokens.indexOf(span[0]!)).findLast(isNoStop);
  const after = tokens.slice(tokens.indexOf(span.at(-1)!) + 1).find(isNoStop);
  return [
    ...before !== undefined && isContent(before) && USES.test(before.name) ? [before] : [],
    ...after !== undefined && isContent(after) && USERS.test(after.name) ? [after] : [],
  ];
}

/** Pattern of words before a technology that only state its use. */
const USES =
  /^(?:work|works|build|builds|building|coding|code|codes|run|runs|running|written|powered)$/;
/** Pattern of words after a technology that only state its use. */
const USERS = /^(?:shops?|teams?|houses?|stacks?|codebases?|users?)$/;

/** Returns whether a span follows a verb of use: "companies that use data". */
function isObject({ plain }: QueryReading, span: readonly QueryToken[]): boolean {
  const before = plain.slice(0, span[0]!.start).toLowerCase();
  return /(?:^|[^\p{L}])(?:us(?:e|es|ing|ers of)|adopt(?:s|ed|ing)?|runs?(?: on)?|deployed|implemented|stack|utilis(?:e|ent|ant|ation d[eu]s?)|(?:work|build)(?:s|ing)? (?:with|on|in)|written in|powered by|cod(?:e|es|ing) in|programm?(?:e|ent|ing)? (?:en|in)|(?:travaille|developpe)(?:nt)? (?:avec|en)|se ser(?:t|vent) de)(?![\p{L}])/u
    .test(before);
}

function merged(facets: readonly AskedFacet[]): AskedFacet[] {
  if (facets.length < 2) return [...facets];
  return [{
    any: facets.flatMap(({ any }) => any),
    sectors: [],
    words: facets.flatMap(({ words }) => words),
  }];
}

/** Workplaces by the words that name them. */
const WORKPLACES: Readonly<Record<string, string>> = {
  remote: "remote",
  remotely: "remote",
  telework: "remote",
  teletravail: "remote",
  hybrid: "hybrid",
  hybride: "hybrid",
};

/** Reads workplaces that the index contains. Their words are still searched for. */
export function resolveWorkplaces(context: TradeContext): AskedFacet[] {
  return context.read.tokens.flatMap((token) => {
    const workplace = token.role === "content" ? WORKPLACES[token.name] : undefined;
    if (workplace === undefined || context.isNamed(token)) return [];
    const term = `workplace:${workplace}`;
    if (context.known.facetFrequency(term) === 0) return [];
    return [{ any: [term], sectors: [], words: indexesOf([token], context.indexes) }];
  });
}
