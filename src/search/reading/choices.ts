/** Runs of neighbouring words in a query, and those that "and" or "or" joins into a choice. */
import { isGeneric } from "./filler.ts";
import type { QueryToken } from "./query_tokens.ts";

/** Operands of "and" or "or". A record needs the words of only one: "insurers or credit unions". */
export interface Choice {
  /** Indexes of the content words, by operand. */
  operands: number[][];
}

interface TextTokens {
  /** The query without accents: positions of tokens refer to it. */
  plain: string;
  tokens: readonly QueryToken[];
}

/** Returns maximal runs of content tokens. Signs and words without content separate them. */
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

/** Pattern of what separates the operands of a choice. One of the separators is a conjunction. */
const BETWEEN =
  /^\s*(?:,|[,/]?\s*(?:and|or|and\/or|et|ou|et\/ou)|\/)\s*(?:(?:of|for|the|an?|d[eu]s?|les?|la|l|un|une|pour|en|aux?)[\s']+){0,2}$/i;
const CONJUNCTION = /and|or|et|ou|\//i;

/**
 * Returns the choices of a query. Only neighbouring words belong to an operand. In "design and
 * construction of schools", the schools are no part of the choice.
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

/** Pattern of what stands between a subject and its purpose. */
const FOR = /^\s*(?:for|pour)\s+(?:(?:an?|the|une?|des|les?|la)\s+|l')?$/i;

/** Returns the indexes of words that tell the purpose of others: those behind "for" or "pour". */
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
 * Returns the stretches of a query in which a phrase may stand, as indexes of content words. Stop
 * words may stand inside a stretch. Signs and words that rules have read end it.
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
