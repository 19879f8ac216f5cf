/** What scores ask of all documents of an index together. */
import { type Field, lengthFactors, sharesOfLevels, Totals } from "./fields.ts";
import type { Statistics } from "./question.ts";
import type { Segment } from "./segment.ts";
import type { Tail } from "./tail.ts";

/** Adds up the segments and the tail. */
export function statisticsOf(
  fields: readonly Field[],
  segments: readonly Segment[],
  tail: Tail,
): Statistics {
  const totals = new Totals(fields.length);
  for (const segment of segments) totals.add(segment.totals);
  totals.add(tail.totals);
  const averages = totals.averages();
  const measured = segments.map(({ parts }) => parts.averages);
  return {
    totals,
    averages,
    factors: lengthFactors(averages),
    shares: sharesOfLevels(averages, measured),
  };
}
