/** Translates the conditions of a search into SphinxQL, the SQL of search nodes. */
import { COUNTRIES, DEMAND_CLASSES, KINDS } from "../../contract/vocabulary.ts";
import type { SearchFilters } from "../../contract/filters.ts";
import type { Conditions } from "../engine/filters.ts";
import { decimalOf } from "./table_rows.ts";
import { NEVER_BEFORE, UNKNOWN_AMOUNT } from "./table_schema.ts";

/**
 * Returns conditions on attributes; null if no document can meet them. Except for conditions on
 * terms, they admit exactly the documents that `admitsFacts` of engine/filters.ts admits.
 */
export function attributeConditions(
  conditions: Conditions,
  filters: Pick<SearchFilters, "countries" | "kinds" | "demand_classes"> | undefined,
): { select: string[]; where: string[] } | null {
  const { companies, excluded, amount, closes, sectors } = conditions;
  if (companies?.size === 0) return null;
  const where = [
    `expires_at > ${integer(conditions.now)}`,
    ...listed("country", COUNTRIES, filters?.countries),
    ...listed("kind", KINDS, filters?.kinds),
    ...listed("demand_class", DEMAND_CLASSES, filters?.demand_classes),
  ];
  if (conditions.occurred_after !== -Infinity) {
    where.push(`occurred_at > ${integer(conditions.occurred_after)}`);
  }
  if (conditions.occurred_before !== Infinity) {
    where.push(
      `occurred_at > ${NEVER_BEFORE}`,
      `occurred_at < ${integer(conditions.occurred_before)}`,
    );
  }
  if (conditions.observed_after !== -Infinity) {
    where.push(`observed_at > ${integer(conditions.observed_after)}`);
  }
  if (companies !== null) where.push(`company_id IN (${[...companies].join()})`);
  if (excluded.size > 0) where.push(`company_id NOT IN (${[...excluded].join()})`);
  if (amount !== null) {
    where.push(`amount > ${UNKNOWN_AMOUNT}`);
    if (amount.min !== -Infinity) where.push(`amount >= ${decimalOf(Math.fround(amount.min))}`);
    if (amount.max !== Infinity) where.push(`amount <= ${decimalOf(Math.fround(amount.max))}`);
  }
  if (closes !== null) {
    where.push(`closes_at > ${NEVER_BEFORE}`);
    if (closes.after !== -Infinity) where.push(`closes_at >= ${integer(closes.after)}`);
    if (closes.before !== Infinity) where.push(`closes_at < ${integer(closes.before)}`);
  }
  if (sectors === 0) return { select: [], where };
  // The WHERE clause can compare attributes and aliases, but not expressions.
  return {
    select: [`sectors & ${sectors} AS asked_sectors`],
    where: [...where, "asked_sectors > 0"],
  };
}

/** Returns a condition on an attribute that stores the index of a value in its vocabulary. */
function listed<Value>(
  name: string,
  all: readonly Value[],
  admitted: readonly Value[] = [],
): string[] {
  if (admitted.length === 0) return [];
  return [`${name} IN (${admitted.map((value) => all.indexOf(value)).join()})`];
}

/** Formats a whole number of microseconds as digits. */
function integer(microseconds: number): string {
  return BigInt(Math.trunc(microseconds)).toString();
}

/** Returns a part of a full-text query that requires any of the tokens. */
export function anyOf(tokens: readonly string[]): string {
  return `(${tokens.join(" | ")})`;
}
