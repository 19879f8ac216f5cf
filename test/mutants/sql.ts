/** Mutations of SQL: exchanged operators, shifted bounds, and deleted calls and locks. */
import type { Change } from "./mutation.ts";

/** Comments, texts, names and parameters, and then the tokens that the rules change. */
const TOKENS = new RegExp(
  [
    /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|\$\d+/,
    /(?<call>\bperform [^;]*;)/,
    /(?<operator><=|>=|<>|<(?![@>=])|(?<![-=@])>(?!=)|(?<![:<>=])=(?!>)|(?<= )[-+](?= ))/,
    /(?<word>\b(?:is (?:not )?null|and|or|not|true|false|least|greatest|min|max|all|any)\b)/,
    /(?<lock>\bfor update\b|\bskip locked\b)/,
    /(?<number>(?<![\w.:])\d+(?![\w.]))/,
  ].map(({ source }) => source).join("|"),
  "g",
);

const EXCHANGED: Record<string, string> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "=": "<>",
  "<>": "=",
  "+": "-",
  "-": "+",
  "is null": "is not null",
  "is not null": "is null",
  and: "or",
  or: "and",
  not: "",
  true: "false",
  false: "true",
  least: "greatest",
  greatest: "least",
  min: "max",
  max: "min",
  all: "any",
  any: "all",
};

/**
 * Returns all mutations of a script, in the order of their places. The rules know tokens only, so
 * the database refuses some of the mutated scripts.
 */
export function sqlMutations(text: string): Change[] {
  return [...text.matchAll(TOKENS)].flatMap((match) => {
    const replacement = replacementOf(match);
    if (replacement === undefined) return [];
    return [{ start: match.index, end: match.index + match[0].length, replacement }];
  });
}

function replacementOf({ 0: token, groups }: RegExpExecArray): string | undefined {
  const { call, lock, number } = groups!;
  if (call !== undefined) return "null;";
  if (lock !== undefined) return "";
  return number === undefined ? EXCHANGED[token] : String(Number(number) + 1);
}
