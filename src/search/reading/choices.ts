/** Groups the content words of a query into runs, choices, purposes and stretches. */
import { isGeneric } from "./filler.ts";
import type { QueryToken } from "./query_tokens.ts";

/** Operands of "and" or "or". A record needs the words of only one: "insurers or credit unions". */
export interface Choice {
  /** Indexes of the content words, by operand. */
  operands: number[][];
}

interface TextTokens {
  /** The query without accents. Positions of tokens refer to it. */
  plain: string;
  tokens: readonly QueryToken[];
}

/**
 * Returns maximal runs of content tokens. Runs are separated by other words, and by signs other
 * than "&", hyphens and apostrophes.
 */
export function runsOf({ tokens, plain }: TextTokens): QueryToken[][] {
  const runs: QueryToken[][] = [];
  let last: QueryToken | undefined;
  for (const token of tokens) {
    const isContent = token.role === "content" || token.role === "letter";
    const isJoined = last !== undefined && /^[\s'&-]*$/.test(plain.slice(last.end, token.start));
    if (isContent && isJoined) runs.at(-1)!.push(token);
    else if (isContent) runs.push([token]);
    last = isContent ? token : undefined;
  }
  return runs;
}

/**
 * Pattern of the text between two operands of a choice: a comma, a conjunction or both, and then up
 * to two articles or prepositions.
 */
const BETWEEN =
  /^\s*(?:,|[,/]?\s*(?:and|or|and\/or|et|ou|et\/ou)|\/)\s*(?:(?:of|for|the|an?|d[eu]s?|les?|la|l|un|une|pour|en|aux?)[\s']+){0,2}$/i;
const CONJUNCTION = /and|or|et|ou|\//i;

/**
 * Returns the choices of a query, each with at least one conjunction. Only neighbouring words
 * belong to an operand: "design and construction of schools" is a choice of design or construction.
 *
 * @param indexes indexes of the content words by their text
 */
export function choicesOf(text: TextTokens, indexes: ReadonlyMap<string, number>): Choice[] {
  const chains: { runs: QueryToken[][]; isCoordinated: boolean }[] = [];
  let end: number | undefined;
  for (const run of runsOf(text)) {
    const between = end === undefined ? "" : text.plain.slice(end, run[0]!.start);
    if (BETWEEN.test(between)) {
      const chain = chains.at(-1)!;
      chain.runs.push(run);
      chain.isCoordinated ||= CONJUNCTION.test(between);
    } else chains.push({ runs: [run], isCoordinated: false });
    end = run.at(-1)!.end;
  }
  return chains.filter(({ isCoordinated }) => isCoordinated)
    .map(({ runs }) => ({ operands: runs.map((run) => indexesOf(run, indexes)) }))
    .filter(({ operands }) => operands.every(({ length }) => length > 0));
}

/** Returns the indexes of the content words of tokens, without duplicates. */
export function indexesOf(
  tokens: readonly QueryToken[],
  indexes: ReadonlyMap<string, number>,
): number[] {
  const words = tokens.flatMap(({ words }) => words);
  return [...new Set(words.flatMap((word) => indexes.get(word) ?? []))];
}

/** Pattern of the text between a subject and its purpose. */
const FOR = /^\s*(?:for|pour)\s+(?:(?:an?|the|une?|des|les?|la)\s+|l')?$/i;

/**
 * Returns the indexes of words after "for" or "pour", which state the purpose of a subject. Words
 * after generic words, as in "services for schools", are the subject itself.
 */
export function purposesOf(text: TextTokens, indexes: ReadonlyMap<string, number>): number[] {
  const runs = runsOf(text);
  return runs.flatMap((run, place) => {
    const before = runs[place - 1];
    if (before === undefined || before.every(({ words }) => words.every(isGeneric))) return [];
    return FOR.test(text.plain.slice(before.at(-1)!.end, run[0]!.start))
      ? indexesOf(run, indexes)
      : [];
  });
}

/**
 * Returns the stretches of a query that may contain a phrase, as indexes of content words. A
 * stretch continues across stop words, commas, hyphens, apostrophes and "&". Other signs and words
 * that rules have read end it.
 */
export function stretchesOf(
  { tokens, plain }: TextTokens,
  indexes: ReadonlyMap<string, number>,
): number[][] {
  const stretches: number[][] = [[]];
  let end = 0;
  let known = 0;
  for (const token of tokens) {
    const isInside = token.role === "content" || token.role === "stop" || token.role === "letter";
    const isJoined = /^[\s'&,-]*$/.test(plain.slice(end, token.start));
    // A repeated word belongs to the stretch of its first mention.
    const next = indexesOf([token], indexes).filter((index) => index >= known);
    if (!isInside || !isJoined) stretches.push([]);
    stretches.at(-1)!.push(...next);
    known += next.length;
    end = token.end;
  }
  return stretches.filter(({ length }) => length > 0);
}
