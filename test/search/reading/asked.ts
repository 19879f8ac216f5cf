/** Reads queries for tests: by the rules only, or also resolved by a small index. */
import assert from "node:assert/strict";
import type { Question } from "../../../src/search/reading/question.ts";
import { readQuery } from "../../../src/search/reading/read_query.ts";
import { resolve } from "../../../src/search/reading/resolve.ts";
import { normalizeQuery } from "../../support/inputs.ts";
import { KNOWN } from "./known_terms.ts";

/** Time at which `resolved` and `asked` read queries, a Sunday. */
export const NOW = new Date("2026-11-22T12:00:00Z");

/** Time at which `ask` reads queries, a Monday. */
export const MONDAY = new Date("2026-06-15T12:00:00Z");

/** Returns the question that the rules read from a query. */
export const ask = (query: string): Question => readQuery(normalizeQuery(query), MONDAY).question;

/** Returns the content words of a question. */
export const textsOf = ({ words }: Question): string[] => words.map(({ text }) => text);

/** Asserts the value of `partOf` for the question that the rules read from each query. */
export function asksAll<Value>(
  cases: Record<string, Value>,
  partOf: (question: Question) => Value,
): void {
  const found = Object.fromEntries(Object.keys(cases).map((query) => [query, partOf(ask(query))]));
  assert.deepEqual(found, cases);
}

/** Returns the question of a query, resolved by the small index. */
export const resolved = (query: string): Question => resolve(readQuery(query, NOW), KNOWN);

/**
 * Returns the resolved question of a query in one line: content words, facets and other conditions.
 * The numbers after "→" are the indexes of the words that a facet covers.
 */
export function asked(query: string): string {
  const question = resolved(query);
  return [
    question.words.map(({ text, count }) => count > 1 ? `${text}×${count}` : text).join(" "),
    ...question.facets.map(facetText),
    ...partsOf(question),
  ].filter((part) => part !== "").join("; ");
}

function facetText({ any, sectors, words }: Question["facets"][number]): string {
  const alternatives = [...any, ...sectors.map((sector) => `sector ${sector}`)].join("|");
  return alternatives + (words.length > 0 ? `→${words}` : "");
}

function* partsOf(question: Question): Generator<string> {
  const { kinds, countries, excluded, excluded_facets, occurred, closes, amount } = question;
  if (kinds.length > 0) yield kinds.join("+");
  if (countries.length > 0) yield countries.join("+");
  for (const words of excluded) yield `not ${words.join(" ")}`;
  if (excluded_facets.length > 0) yield `not ${excluded_facets.join("|")}`;
  if (occurred.after ?? occurred.before) yield spanText("occurred", occurred);
  if (closes.after ?? closes.before) yield spanText("closes", closes);
  if (amount !== null) yield `${amount.min ?? ""}..${amount.max ?? ""}`;
  yield* question.names;
  for (const { from, to } of question.corrections) yield `${from}>${to}`;
}

function spanText(name: string, { after, before }: Question["occurred"]): string {
  return `${name} ${after?.slice(0, 10) ?? ""}..${before?.slice(0, 10) ?? ""}`;
}

/** Asserts the line that asked() returns for each query. */
export function readsAll(cases: Readonly<Record<string, string>>): void {
  const read = Object.fromEntries(Object.keys(cases).map((query) => [query, asked(query)]));
  assert.deepEqual(read, cases);
}
