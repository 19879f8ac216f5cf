/**
 * Bounds what companies can score together with all documents of a segment, before any of these is
 * scored exactly. Most companies fall short and need no exact scores.
 */
import { companyMean } from "./companies.ts";
import { DOCUMENTS_MAX } from "./layout.ts";
import type { Segment } from "./segment.ts";

/** Documents of one segment: those from one place up to another. */
export interface WaitingDocuments {
  documents: Uint16Array;
  /** What each scores at most, in the unit of sums. */
  sums: Uint16Array;
  from: number;
  to: number;
  /** Documents of the segment that do not wait have lower sums. */
  least: number;
}

// One search at a time: searches never wait for anything. All 0 in between.
const first = new Uint16Array(DOCUMENTS_MAX + 1);
const second = new Uint16Array(DOCUMENTS_MAX + 1);
const third = new Uint16Array(DOCUMENTS_MAX + 1);
const counts = new Uint16Array(DOCUMENTS_MAX + 1);

/**
 * Writes by document the mean sum that its company can reach (see companyMean). A company that other
 * segments hold as well is bounded by its best document alone.
 */
export function boundCompanies(
  segment: Segment,
  waiting: WaitingDocuments,
  { bounds, isInOneSegment }: {
    bounds: Uint16Array;
    isInOneSegment: (company: number) => boolean;
  },
): void {
  const { documents, sums, from, to, least } = waiting;
  const { companies, companyOf, companyStarts } = segment.parts;
  for (let at = from; at < to; at++) note(companyOf[documents[at]!]!, sums[at]!);
  for (let at = from; at < to; at++) {
    const company = companyOf[documents[at]!]!;
    const best = first[company]!;
    bounds[at] = best;
    if (!isInOneSegment(companies[company]!)) continue;
    const all = companyStarts[company + 1]! - companyStarts[company]!;
    const rest = all > counts[company]! ? least : 0;
    const next = Math.max(second[company]!, rest);
    const last = all > 2 ? Math.max(third[company]!, rest) : 0;
    bounds[at] = Math.ceil(companyMean(best, next, last));
  }
  for (let at = from; at < to; at++) {
    const company = companyOf[documents[at]!]!;
    first[company] =
      second[company] =
      third[company] =
      counts[company] =
        0;
  }
}

function note(company: number, sum: number): void {
  counts[company]!++;
  if (sum > first[company]!) {
    third[company] = second[company]!;
    second[company] = first[company]!;
    first[company] = sum;
  } else if (sum > second[company]!) {
    third[company] = second[company]!;
    second[company] = sum;
  } else if (sum > third[company]!) third[company] = sum;
}
