/** Merges segments. */
import {
  type ArrayType,
  filled,
  type PostingRange,
  type Segment,
  type SegmentArrays,
  segmentOf,
  shared,
  textsOf,
} from "./segment.ts";

/**
 * Merges segments into one. Removed documents are dropped. Of documents with the same id, one is
 * live at most.
 */
export function mergeSegments(sources: readonly SegmentArrays[]): Segment {
  const order = sources.flatMap((arrays, source) =>
    [...arrays.ids].flatMap((id, document) =>
      arrays.live[document] === 1 ? [{ id, source, document }] : []
    )
  ).sort((a, b) => a.id - b.id);
  /** New number of each document; -1 if it is dropped. */
  const numbers = sources.map(({ ids }) => new Int32Array(ids.length).fill(-1));
  order.forEach(({ source, document }, number) => numbers[source]![document] = number);
  const column = <Name extends keyof SegmentArrays>(name: Name): SegmentArrays[Name] => {
    const { constructor } = sources[0]![name];
    const target = shared(constructor as ArrayType<SegmentArrays[Name]>, order.length);
    order.forEach(({ source, document }, number) => {
      target[number] = sources[source]![name][document]!;
    });
    return target;
  };
  const starts = shared(Uint32Array, order.length + 1);
  order.forEach(({ source, document }, number) => {
    const { stream_starts } = sources[source]!;
    starts[number + 1] = starts[number]! + stream_starts[document + 1]! - stream_starts[document]!;
  });
  const stream = shared(Uint16Array, starts[order.length]!);
  order.forEach(({ source, document }, number) => {
    const { stream: words, stream_starts } = sources[source]!;
    const part = words.subarray(stream_starts[document], stream_starts[document + 1]);
    stream.set(part, starts[number]);
  });
  const words = new Set(sources.flatMap((source) => textsOf(source.words)));
  return segmentOf({
    ids: column("ids"),
    companies: column("companies"),
    kinds: column("kinds"),
    countries: column("countries"),
    demand_classes: column("demand_classes"),
    occurred: column("occurred"),
    observed: column("observed"),
    expires: column("expires"),
    closes: column("closes"),
    amounts: column("amounts"),
    sectors: column("sectors"),
    states: column("states"),
    live: column("live"),
    stream,
    stream_starts: starts,
    ...mergePostings(sources, numbers),
  }, words);
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
