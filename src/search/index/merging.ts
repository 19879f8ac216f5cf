/** Merges segments. */
import { COLUMNS, type DocumentNumbers } from "./document.ts";
import { type SegmentArrays, segmentArrays, textsOf } from "./segment.ts";

const NAMES = Object.keys(COLUMNS) as (keyof DocumentNumbers)[];

/**
 * Merges segments into one. Removed documents are dropped. Of documents with the same id, one is
 * live at most.
 */
export function mergeSegments(sources: readonly SegmentArrays[]): SegmentArrays {
  const order = sources.flatMap((arrays, source) =>
    [...arrays.observation_id].flatMap((id, document) =>
      arrays.live[document] === 1 ? [{ id, source, document }] : []
    )
  ).sort((a, b) => a.id - b.id);
  /** New number of each document; -1 if it is dropped. */
  const numbers = sources.map(({ live }) => new Int32Array(live.length).fill(-1));
  order.forEach(({ source, document }, number) => numbers[source]![document] = number);
  return segmentArrays({
    documents: order.map(({ source, document }) => {
      const arrays = sources[source]!;
      const [from, to] = arrays.stream_starts.subarray(document, document + 2);
      return {
        numbers: Object.fromEntries(
          NAMES.map((name) => [name, arrays[name][document]!]),
        ) as DocumentNumbers,
        stream: arrays.stream.subarray(from, to),
      };
    }),
    postings(take) {
      for (const [at, { keys, posting_starts, documents, impacts }] of sources.entries()) {
        keys.forEach((key, term) => {
          for (let n = posting_starts[term]!; n < posting_starts[term + 1]!; n++) {
            const number = numbers[at]![documents[n]!]!;
            if (number >= 0) take(key, number, impacts[n]!);
          }
        });
      }
    },
    words: new Set(sources.flatMap(({ words }) => textsOf(words))),
  });
}
