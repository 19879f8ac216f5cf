/** Merges segments. */
import type { DocumentNumbers } from "./document.ts";
import {
  documentArrays,
  filled,
  type PostingRange,
  type Segment,
  type SegmentArrays,
  segmentOf,
  textsOf,
} from "./segment.ts";

/**
 * Merges segments into one. Removed documents are dropped. Of documents with the same id, one is
 * live at most.
 */
export function mergeSegments(sources: readonly SegmentArrays[]): Segment {
  const order = sources.flatMap((arrays, source) =>
    [...arrays.observation_id].flatMap((id, document) =>
      arrays.live[document] === 1 ? [{ id, source, document }] : []
    )
  ).sort((a, b) => a.id - b.id);
  /** New number of each document; -1 if it is dropped. */
  const numbers = sources.map(({ live }) => new Int32Array(live.length).fill(-1));
  order.forEach(({ source, document }, number) => numbers[source]![document] = number);
  const words = new Set(sources.flatMap((source) => textsOf(source.words)));
  const documents = order.map(({ source, document }) => {
    const arrays = sources[source]!;
    const { stream, stream_starts } = arrays;
    return {
      stream: stream.subarray(stream_starts[document], stream_starts[document + 1]),
      numberIn: (column: keyof DocumentNumbers) => arrays[column][document]!,
    };
  });
  return segmentOf({ ...documentArrays(documents), ...mergePostings(sources, numbers) }, words);
}

function mergePostings(
  sources: readonly SegmentArrays[],
  numbers: readonly Int32Array[],
): Pick<SegmentArrays, "keys" | "posting_starts" | "documents" | "impacts"> {
  const all = sources.reduce((sum, { documents }) => sum + documents.length, 0);
  const [documents, impacts] = [new Uint32Array(all), new Uint8Array(all)];
  const keys: number[] = [];
  const starts: number[] = [0];
  /** Next term of each source. */
  const next = sources.map(() => 0);
  let end = 0;
  while (true) {
    let key = Infinity;
    sources.forEach((source, at) => key = Math.min(key, source.keys[next[at]!] ?? Infinity));
    if (key === Infinity) break;
    const start = end;
    let parts = 0;
    sources.forEach((source, at) => {
      const term = next[at]!;
      if (source.keys[term] !== key) return;
      next[at]!++;
      const before = end;
      for (let n = source.posting_starts[term]!; n < source.posting_starts[term + 1]!; n++) {
        const number = numbers[at]![source.documents[n]!]!;
        if (number < 0) continue;
        documents[end] = number;
        impacts[end++] = source.impacts[n]!;
      }
      if (end > before) parts++;
    });
    if (end === start) continue;
    if (parts > 1) sortPostings(documents, impacts, { from: start, to: end });
    keys.push(key);
    starts.push(end);
  }
  return {
    keys: filled(Float64Array, keys),
    posting_starts: filled(Uint32Array, starts),
    documents: filled(Uint32Array, documents.subarray(0, end)),
    impacts: filled(Uint8Array, impacts.subarray(0, end)),
  };
}

/** Sorts a range of postings by document, if it is not sorted. */
function sortPostings(documents: Uint32Array, impacts: Uint8Array, { from, to }: PostingRange) {
  const places = Array.from({ length: to - from }, (_, n) => from + n);
  if (places.every((at) => at === from || documents[at - 1]! < documents[at]!)) return;
  places.sort((a, b) => documents[a]! - documents[b]!);
  const [sorted, moved] = [places.map((at) => documents[at]!), places.map((at) => impacts[at]!)];
  documents.set(sorted, from);
  impacts.set(moved, from);
}
