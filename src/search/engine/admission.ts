/** Which documents a search's filters admit (specification 4, Filter semantics). */
import type { DocumentFacts } from "./drafts.ts";
import type { Segment } from "./segment.ts";

/** From one up to another. */
export interface Range {
  from: number;
  to: number;
}

/** What documents must be: conditions that must all hold. */
export interface Conditions {
  /** null: all. */
  attributes: Attributes | null;
  /** Strictly after, in microseconds; -Infinity: whenever, and never. */
  occurred_after: number;
  observed_after: number;
  /** What has expired by then is left out; -Infinity: nothing. */
  now: number;
  /** Only these companies; null: all. */
  companies: ReadonlySet<number> | null;
  /** None of these. */
  excluded: ReadonlySet<number>;
}

export interface Attributes {
  /** By attribute: 1 where it is admitted. */
  admitted: Uint8Array;
  /** The same, neighbours together. */
  ranges: readonly Range[];
}

/** @param admitted by attribute: 1 where it is admitted */
export function admitAttributes(admitted: Uint8Array): Attributes {
  const ranges: Range[] = [];
  for (let from = admitted.indexOf(1); from >= 0;) {
    const end = admitted.indexOf(0, from);
    const to = end < 0 ? admitted.length : end;
    ranges.push({ from, to });
    from = admitted.indexOf(1, to);
  }
  return { admitted, ranges };
}

/** No conditions at all. */
export const EVERYTHING: Conditions = {
  attributes: null,
  occurred_after: -Infinity,
  observed_after: -Infinity,
  now: -Infinity,
  companies: null,
  excluded: new Set(),
};

/** Whether a document beside the segments is admitted. */
export function admitsFacts(conditions: Conditions, facts: DocumentFacts): boolean {
  return admitsMoment(conditions, facts) &&
    (conditions.attributes === null || conditions.attributes.admitted[facts.attribute] === 1) &&
    (conditions.companies === null || conditions.companies.has(facts.company_id)) &&
    !conditions.excluded.has(facts.company_id);
}

function admitsMoment(
  { occurred_after, observed_after, now }: Conditions,
  { occurred, observed, expires }: DocumentFacts,
): boolean {
  return (occurred_after === -Infinity || occurred > occurred_after) &&
    (observed_after === -Infinity || observed > observed_after) && expires > now;
}

/** The conditions as they apply to one segment. What it holds for all of it is not asked again. */
export class Admission {
  readonly #segment: Segment;
  readonly #deleted: Uint32Array | null;
  readonly #attributes: Uint8Array | null;
  readonly #occurredAfter: number;
  readonly #observedAfter: number;
  readonly #now: number;
  /** The documents of the companies asked for, or of those excluded. */
  readonly #companies: Uint32Array | null = null;
  readonly #companiesAdmitted: number = 0;
  /** The documents of the companies asked for. */
  readonly #documents: readonly Uint16Array[] | null = null;
  /** Where documents of the attributes asked for stand: from one up to another, rising. */
  readonly ranges: readonly Range[] | null = null;
  /** Which part of the segment the ranges are. */
  readonly share: number = 1;
  /** No more documents than this are admitted. */
  readonly count: number;

  constructor(segment: Segment, conditions: Conditions) {
    const { occurred_after, observed_after, now } = conditions;
    this.#segment = segment;
    this.#deleted = segment.deleted;
    this.#attributes = conditions.attributes?.admitted ?? null;
    this.#occurredAfter = occurred_after;
    this.#observedAfter = observed_after;
    this.#now = segment.firstExpiry > now ? -Infinity : now;
    let count = segment.live;
    if (occurred_after !== -Infinity && segment.lastOccurred <= occurred_after) count = 0;
    if (observed_after !== -Infinity && segment.lastObserved <= observed_after) count = 0;
    if (conditions.companies !== null) {
      const wanted = conditions.companies.values().filter((id) => !conditions.excluded.has(id));
      this.#documents = documentsOf(segment, wanted);
      this.#companies = bitsOf(segment, this.#documents);
      this.#companiesAdmitted = 1;
    } else if (conditions.excluded.size > 0) {
      const excluded = documentsOf(segment, conditions.excluded);
      if (excluded.length > 0) this.#companies = bitsOf(segment, excluded);
    }
    if (this.#documents !== null) count = Math.min(count, sizeOf(this.#documents));
    if (conditions.attributes !== null) {
      this.ranges = rangesOf(segment, conditions.attributes);
      const documents = this.ranges.reduce((sum, { from, to }) => sum + to - from, 0);
      this.share = documents / segment.size;
      count = Math.min(count, documents);
    }
    this.count = count;
  }

  /** The documents that are admitted; quick where `count` is small. */
  *documents(): Iterable<number> {
    if (this.#documents !== null) {
      for (const documents of this.#documents) {
        for (const document of documents) if (this.admits(document)) yield document;
      }
      return;
    }
    for (const { from, to } of this.ranges ?? [{ from: 0, to: this.#segment.size }]) {
      for (let document = from; document < to; document++) {
        if (this.admits(document)) yield document;
      }
    }
  }

  admits(document: number): boolean {
    const { parts } = this.#segment;
    const place = document >>> 5;
    const bit = document & 31;
    if (this.#deleted !== null && ((this.#deleted[place]! >>> bit) & 1) === 1) return false;
    if (this.#attributes !== null && this.#attributes[parts.attributes[document]!] === 0) {
      return false;
    }
    if (
      this.#companies !== null &&
      ((this.#companies[place]! >>> bit) & 1) !== this.#companiesAdmitted
    ) return false;
    if (this.#occurredAfter !== -Infinity && !(parts.occurred[document]! > this.#occurredAfter)) {
      return false;
    }
    if (this.#observedAfter !== -Infinity && !(parts.observed[document]! > this.#observedAfter)) {
      return false;
    }
    return this.#now === -Infinity || parts.expires[document]! > this.#now;
  }
}

/** Of each company that the segment holds: its documents. */
function documentsOf(segment: Segment, companies: Iterable<number>): Uint16Array[] {
  const { companyStarts, companyDocuments } = segment.parts;
  const found: Uint16Array[] = [];
  for (const id of companies) {
    const place = segment.company(id);
    if (place < 0) continue;
    found.push(companyDocuments.subarray(companyStarts[place], companyStarts[place + 1]));
  }
  return found;
}

function rangesOf({ parts: { attributeStarts } }: Segment, { ranges }: Attributes): Range[] {
  return ranges.flatMap((range) => {
    const from = attributeStarts[range.from]!;
    const to = attributeStarts[range.to]!;
    return from < to ? [{ from, to }] : [];
  });
}

function sizeOf(groups: readonly Uint16Array[]): number {
  return groups.reduce((sum, { length }) => sum + length, 0);
}

function bitsOf({ size }: Segment, groups: readonly Uint16Array[]): Uint32Array {
  const bits = new Uint32Array((size + 31) >>> 5);
  for (const documents of groups) {
    for (const document of documents) bits[document >>> 5]! |= 1 << (document & 31);
  }
  return bits;
}
