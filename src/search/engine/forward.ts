/** The forward index: a document's terms, block by block (see layout.ts). */
import type { Key } from "./dictionary.ts";
import type { Sections } from "./layout.ts";
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

/** Tells whether a document of a segment holds a term. */
export function holdsTerm(segment: Segment, document: number, key: Key): boolean {
  const term = segment.term(key);
  return term >= 0 && placeOfTerm(segment, { document, term }) >= 0;
}

/** Returns the packed occurrences at a place of the forward index where the code is ESCAPE. */
export function escapedAt(
  { escapePlaces, escapeCounts }: Pick<Sections, "escapePlaces" | "escapeCounts">,
  place: number,
): number {
  let low = 0;
  let high = escapePlaces.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (escapePlaces[middle]! < place) low = middle + 1;
    else high = middle;
  }
  return escapeCounts[low]!;
}
