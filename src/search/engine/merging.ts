/** Chooses the segments to merge, and builds one segment of their documents. */
import { TermTable } from "./dictionary.ts";
import { DOCUMENTS_MAX, ESCAPE, POSTINGS_MAX } from "./layout.ts";
import { copyFilters } from "./pairs.ts";
import type { Field } from "./scoring.ts";
import { Segment, type SegmentState } from "./segment.ts";
import { assemble } from "./writing.ts";

/**
 * Input of a merge. It can be posted to another thread. The result is passed to
 * `SegmentedIndex.adopt`.
 */
export interface MergeWork {
  fields: readonly Field[];
  /** Average length of each field, for computing the levels. */
  averages: Float64Array;
  segments: SegmentState[];
}

/**
 * Merges the present documents of the segments into one segment. The result depends only on the
 * input.
 */
export function mergeSegments(
  { fields, averages, segments: states }: MergeWork,
): SharedArrayBuffer {
  const segments = states.map((state) => new Segment(state, fields));
  const { sources, documents } = inOrder(segments);
  const table = new TermTable();
  const renumbered = segments.map((segment) => {
    const size = segment.parts.termOffsets.length - 1;
    return table.addSelected(segment.parts, size, (term) => segment.frequency(term) > 0);
  });
  const count = documents.length;
  const width = fields.length;
  const column = (value: (segment: Segment, document: number) => number) =>
    Float64Array.from(documents, (document, at) => value(segments[sources[at]!]!, document));
  const lengths = new Uint8Array(count * width);
  const attributes = new Uint8Array(count);
  const amounts = new Float32Array(count);
  const closes = new Uint32Array(count);
  const sectors = new Uint32Array(count);
  const starts = new Uint32Array(count + 1);
  for (let at = 0; at < count; at++) {
    const segment = segments[sources[at]!]!;
    const { parts } = segment;
    const document = documents[at]!;
    const first = document * width;
    for (let field = 0; field < width; field++) {
      lengths[at * width + field] = parts.lengths[first + field]!;
    }
    attributes[at] = parts.attributes[document]!;
    amounts[at] = segment.amount(document);
    closes[at] = parts.closings[parts.closesOf[document]!]!;
    sectors[at] = segment.sectors(document);
    starts[at + 1] = starts[at]! + segment.forwardStart(document + 1, 0) -
      segment.forwardStart(document, 0);
  }
  const terms = new Uint32Array(starts[count]!);
  const packed = new Uint32Array(terms.length);
  for (let at = 0; at < count; at++) {
    const segment = segments[sources[at]!]!;
    const numbers = renumbered[sources[at]!]!;
    const { forwardTerms, forwardCodes, codes } = segment.parts;
    let to = starts[at]!;
    for (let block = 0; block < segment.blocks; block++) {
      const end = segment.forwardStart(documents[at]!, block + 1);
      for (let place = segment.forwardStart(documents[at]!, block); place < end; place++, to++) {
        const code = forwardCodes[place]!;
        terms[to] = numbers[block << 16 | forwardTerms[place]!]!;
        packed[to] = code === ESCAPE ? segment.escapedAt(place) : codes[code]!;
      }
    }
  }
  return assemble({
    fields,
    averages,
    ids: column(({ parts }, document) => parts.ids[document]!),
    company_ids: column((segment, document) => segment.companyId(document)),
    occurred: column((segment, document) => segment.occurred(document)),
    observed: column((segment, document) => segment.observed(document)),
    expires: column((segment, document) => segment.expires(document)),
    attributes,
    amounts,
    closes,
    sectors,
    lengths,
    ...copyFilters(documents, (at) => segments[sources[at]!]!.parts),
    table,
    starts,
    terms,
    packed,
  });
}

/** Returns the order of the documents in a merged segment: by attribute, then id. */
function inOrder(segments: Segment[]): { sources: Uint16Array; documents: Uint16Array } {
  const total = segments.reduce((sum, { live }) => sum + live, 0);
  const sources = new Uint16Array(total);
  const documents = new Uint16Array(total);
  const next = segments.map((segment) => firstLive(segment, 0));
  for (let at = 0; at < total; at++) {
    let first = -1;
    for (let source = 0; source < segments.length; source++) {
      if (next[source] === segments[source]!.size) continue;
      if (first < 0 || isBefore(segments, next, [source, first])) first = source;
    }
    sources[at] = first;
    documents[at] = next[first]!;
    next[first] = firstLive(segments[first]!, next[first]! + 1);
  }
  return { sources, documents };
}

function isBefore(segments: Segment[], next: number[], [left, right]: [number, number]): boolean {
  const a = segments[left]!.parts;
  const b = segments[right]!.parts;
  const order = a.attributes[next[left]!]! - b.attributes[next[right]!]!;
  return order === 0 ? a.ids[next[left]!]! < b.ids[next[right]!]! : order < 0;
}

function firstLive(segment: Segment, from: number): number {
  let document = from;
  while (document < segment.size && segment.isDeleted(document)) document++;
  return document;
}

/**
 * Tiers of segments, by the max number of documents per segment. A tier is merged when it has
 * `segments` segments.
 */
const TIERS: readonly { documents: number; segments: number }[] = [
  { documents: 4_000, segments: 8 },
  { documents: 32_000, segments: 4 },
];

/**
 * Max share of deleted documents. A segment with more is rewritten, together with segments of TIERS
 * that fit.
 */
const LOSS_MAX = 0.25;

/** Returns the segments to merge now; none if no merge is due. */
export function chooseMerge(segments: readonly Segment[]): Segment[] {
  const bySize = segments.toSorted((a, b) => a.live - b.live);
  let above = 0;
  for (const { documents, segments: min } of TIERS) {
    const ofTier = bySize.filter(({ live }) => live > above && live <= documents);
    const fitting = ofTier.length < min ? [] : fittingTogether(ofTier);
    if (fitting.length > 1) return fitting;
    above = documents;
  }
  const depleted = segments.find(({ deletions, size }) => deletions > LOSS_MAX * size);
  if (depleted === undefined) return [];
  const smaller = bySize.filter(({ live }) => live <= TIERS.at(-1)!.documents);
  return fittingTogether([depleted, ...smaller.filter((segment) => segment !== depleted)]);
}

/**
 * Returns segments that fit into one; none if no two fit. It serves an index that has just been
 * filled.
 */
export function chooseCompaction(segments: readonly Segment[]): Segment[] {
  const fitting = fittingTogether(segments.toSorted((a, b) => a.live - b.live));
  return fitting.length > 1 ? fitting : [];
}

/** Returns the first segments whose documents and postings fit into one segment, at least one. */
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
