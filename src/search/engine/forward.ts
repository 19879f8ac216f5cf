/** The forward index: a document's terms, block by block (see layout.ts). */
import { firstFrom } from "./rising.ts";
import type { Segment } from "./segment.ts";

/** Where a term of a document stands in the forward index, or -1. */
export function placeOfTerm(
  segment: Pick<Segment, "parts" | "forwardStart">,
  { document, term }: { document: number; term: number },
): number {
  const { forwardTerms } = segment.parts;
  const block = term >>> 16;
  const start = segment.forwardStart(document, block);
  const end = segment.forwardStart(document, block + 1);
  const place = firstFrom(forwardTerms, { start, end, least: term & 0xffff });
  return place < end && forwardTerms[place] === (term & 0xffff) ? place : -1;
}
