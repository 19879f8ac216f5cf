/** Documents of a segment that hold facet terms, as bits and as lists. */
import { FACET_SPACE, keyOf } from "./dictionary.ts";
import type { Segment } from "./segment.ts";

/** Tells whether a segment knows no facet of a group, so that no document of it is admitted. */
export function lacksFacets(segment: Segment, groups: readonly (readonly string[])[]): boolean {
  return groups.some((group) => termsOfGroup(segment, group).length === 0);
}

function termsOfGroup(segment: Segment, group: readonly string[]): number[] {
  return group.map((facet) => segment.term(keyOf(FACET_SPACE, facet))).filter((term) => term >= 0);
}

/** Returns the documents that hold one facet of every group: as bits, and rising. */
export function facetsOf(
  segment: Segment,
  groups: readonly (readonly string[])[],
): { bits: Uint32Array; documents: Uint16Array } {
  const { postings } = segment.parts;
  let bits: Uint32Array | null = null;
  for (const group of groups) {
    const lists = termsOfGroup(segment, group)
      .map((term) => postings.subarray(segment.start(term), segment.start(term + 1)));
    if (groups.length === 1 && lists.length === 1) {
      return { bits: bitsOf(segment, lists), documents: lists[0]! };
    }
    const holding = bitsOf(segment, lists);
    bits = bits === null ? holding : holding.map((word, place) => word & bits![place]!);
  }
  return { bits: bits!, documents: documentsIn(bits!) };
}

/** Lists the documents whose bits are set. */
function documentsIn(bits: Uint32Array): Uint16Array {
  const documents: number[] = [];
  for (let place = 0; place < bits.length; place++) {
    for (let rest = bits[place]!; rest !== 0; rest &= rest - 1) {
      documents.push(place << 5 | 31 - Math.clz32(rest & -rest));
    }
  }
  return Uint16Array.from(documents);
}

/** Returns a bit for each document, set for those of the lists. */
export function bitsOf({ size }: Segment, groups: readonly Uint16Array[]): Uint32Array {
  const bits = new Uint32Array((size + 31) >>> 5);
  for (const documents of groups) {
    for (const document of documents) bits[document >>> 5]! |= 1 << (document & 31);
  }
  return bits;
}
