/** Documents of a segment that hold terms, as bits and as lists. */
import type { Key } from "./dictionary.ts";
import { placeOfTerm } from "./forward.ts";
import type { Segment } from "./segment.ts";
import { countBits } from "./spellings.ts";

/** Tells whether a segment knows no term of a group, so that no document of it is admitted. */
export function lacksTerms(segment: Segment, groups: readonly (readonly Key[])[]): boolean {
  return groups.some((group) => termsOfGroup(segment, group).length === 0);
}

function termsOfGroup(segment: Segment, group: readonly Key[]): number[] {
  return group.map((key) => segment.term(key)).filter((term) => term >= 0);
}

/** To look a document up in the forward index costs as much as setting so many bits. */
const LOOKUP_COST = 32;

/**
 * Returns the documents that hold one term of every group: as bits, and rising. The group with the
 * fewest postings comes first. Lists of the others are read only if that is quicker than looking up
 * each document that is left.
 */
export function holdingAll(
  segment: Segment,
  groups: readonly (readonly Key[])[],
): { bits: Uint32Array; documents: Uint16Array } {
  const [first, ...others] = groups.map((group) => postingsOf(segment, group))
    .sort((a, b) => a.count - b.count) as [GroupPostings, ...GroupPostings[]];
  let documents = first.lists.length === 1
    ? first.lists[0]!
    : documentsIn(bitsOf(segment, first.lists));
  for (const group of others) documents = documents.filter(testOf(segment, group, documents));
  return { bits: bitsOf(segment, [documents]), documents };
}

/** The postings of the terms of a group. */
interface GroupPostings {
  terms: readonly number[];
  lists: readonly Uint16Array[];
  count: number;
}

function postingsOf(segment: Segment, group: readonly Key[]): GroupPostings {
  const { postings } = segment.parts;
  const terms = termsOfGroup(segment, group);
  const lists = terms.map((term) =>
    postings.subarray(segment.start(term), segment.start(term + 1))
  );
  return { terms, lists, count: lists.reduce((sum, { length }) => sum + length, 0) };
}

/** Returns a test for documents that hold a term of a group. */
function testOf(
  segment: Segment,
  { terms, lists, count }: GroupPostings,
  { length }: Uint16Array,
): (document: number) => boolean {
  if (count > LOOKUP_COST * terms.length * length) {
    return (document) => terms.some((term) => placeOfTerm(segment, { document, term }) >= 0);
  }
  const bits = bitsOf(segment, lists);
  return (document) => ((bits[document >>> 5]! >>> (document & 31)) & 1) === 1;
}

/** Lists the documents whose bits are set. */
function documentsIn(bits: Uint32Array): Uint16Array {
  let count = 0;
  for (let place = 0; place < bits.length; place++) count += countBits(bits[place]!);
  const documents = new Uint16Array(count);
  let at = 0;
  for (let place = 0; place < bits.length; place++) {
    for (let rest = bits[place]!; rest !== 0; rest &= rest - 1) {
      documents[at++] = place << 5 | 31 - Math.clz32(rest & -rest);
    }
  }
  return documents;
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
