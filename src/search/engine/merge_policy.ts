/** Which segments to merge, and when. */
import { DOCUMENTS_MAX, POSTINGS_MAX } from "./layout.ts";
import type { Segment } from "./segment.ts";

/** So many segments of up to so many documents are merged. */
const TIERS: readonly { documents: number; segments: number }[] = [
  { documents: 4_000, segments: 8 },
  { documents: 32_000, segments: 4 },
];

/** A segment that has lost so much is written anew, with what fits beside it. */
const LOSS_MAX = 0.25;

/** Segments to merge now; none: nothing is due. */
export function chooseMerge(segments: readonly Segment[]): Segment[] {
  const bySize = segments.toSorted((a, b) => a.live - b.live);
  let above = 0;
  for (const { documents, segments: enough } of TIERS) {
    const own = bySize.filter(({ live }) => live > above && live <= documents);
    const fitting = own.length < enough ? [] : fittingTogether(own);
    if (fitting.length > 1) return fitting;
    above = documents;
  }
  const worn = segments.find(({ deletions, size }) => deletions > LOSS_MAX * size);
  if (worn === undefined) return [];
  const smaller = bySize.filter(({ live }) => live <= TIERS.at(-1)!.documents);
  return fittingTogether([worn, ...smaller.filter((own) => own !== worn)]);
}

/** Returns segments that fit into one, for an index that has just been filled; none: nothing fits. */
export function chooseCompaction(segments: readonly Segment[]): Segment[] {
  const fitting = fittingTogether(segments.toSorted((a, b) => a.live - b.live));
  return fitting.length > 1 ? fitting : [];
}

/** As many from the beginning as one segment can hold. */
function fittingTogether(segments: readonly Segment[]): Segment[] {
  let documents = 0;
  let postings = 0;
  const beyond = segments.findIndex((segment) => {
    documents += segment.live;
    postings += segment.parts.postings.length;
    return documents > DOCUMENTS_MAX || postings > POSTINGS_MAX;
  });
  return segments.slice(0, beyond < 0 ? segments.length : Math.max(beyond, 1));
}
