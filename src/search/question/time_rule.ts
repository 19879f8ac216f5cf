/** Rules that read the words for times. */
import { anyOf } from "../facets/patterns.ts";
import type { Dates } from "./calendar.ts";
import type { Passage } from "./query_text.ts";

/** Returns the period that the groups of a match mean; null if they mean none. */
type Read = (groups: Passage["groups"], now: Date) => Dates | null;

/** A pattern with the period that it means. */
export interface TimeRule {
  pattern: RegExp;
  read: Read;
}

/** Makes a rule from phrases (see anyOf). */
export function rule(pattern: string, read: Read): TimeRule {
  return { pattern: new RegExp(anyOf(pattern), "gu"), read };
}
