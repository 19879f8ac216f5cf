/** Documents of a segment that hold terms, as bits and as lists. */
import type { Key } from "./dictionary.ts";
import type { Segment } from "./segment.ts";

/** Tells whether a segment knows no term of a group, so that no document of it is admitted. */
export function lacksTerms(segment: Segment, groups: readonly (readonly Key[])[]): boolean {
  return groups.some((group) => termsOfGroup(segment, group).length === 0);
}

function termsOfGroup(segment: Segment, group: readonly Key[]): number[] {
  return group.map((key) => segment.term(key)).filter((term) => term >= 0);
}

/** Returns the documents that hold one term of every group: as bits, and rising. */
export function holdingAll(
  segment: Segment,
  groups: readonly (readonly Key[])[],
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
    if (bits !== null) {
      for (let place = 0; place < bits.length; place++) holding[place]! &= bits[place]!;
    }
    bits = holding;
  }
  return { bits: bits!, documents: documentsIn(bits!) };
}

/** Lists the documents whose bits are set. */
function documentsIn(bits: Uint32Array): Uint16Array {
  const documents = new Uint16Array(bits.length << 5);
  let count = 0;
  for (let place = 0; place < bits.length; place++) {
    for (let rest = bits[place]!; rest !== 0; rest &= rest - 1) {
      documents[count++] = place << 5 | 31 - Math.clz32(rest & -rest);
    }
  }
  return documents.slice(0, count);
}

/** Returns a bit for each document, set for those of the lists. */
export function bitsOf({ size }: Segment, groups: readonly Uint16Array[]): Uint32Array {
  const bits = new Uint32Array((size + 31) >>> 5);
  for (const documents of groups) {
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at]!;
      bits[document >>> 5]! |= 1 << (document & 31);
    }
  }
  return bits;
}
