/** Checks which documents the conditions of a search admit (specification 4, Filter semantics). */
import type { Key } from "./dictionary.ts";
import type { DocumentFacts, Segment } from "./segment.ts";
import { bitsOf, countBits, eachBit, lowerBound, type Range } from "./typed_arrays.ts";

/** Conditions of a search. A document is admitted if it meets all of them. */
export interface Conditions {
  /** Admitted attributes; null: all. */
  attributes: Attributes | null;
  /** Lower bound of the occurrence, exclusive, in microseconds; -Infinity: no bound. */
  occurred_after: number;
  /** Upper bound of the occurrence, exclusive, in microseconds; Infinity: no bound. */
  occurred_before: number;
  /** Lower bound of the observation, exclusive, in microseconds; -Infinity: no bound. */
  observed_after: number;
  /**
   * Documents that have expired by this moment are not admitted; -Infinity: expiry does not matter.
   */
  now: number;
  /** Admitted companies; null: all. */
  companies: ReadonlySet<number> | null;
  /** Companies that are not admitted. */
  excluded: ReadonlySet<number>;
  /** Groups of facet terms and stems. A document must contain at least one term of each group. */
  terms: readonly (readonly Key[])[];
  /** Bounds of the amount, both inclusive; null: no bounds. */
  amount: { min: number; max: number } | null;
  /**
   * Bounds of the closing time in microseconds, `after` inclusive, `before` exclusive; null: no
   * bounds.
   */
  closes: { after: number; before: number } | null;
  /** Bit mask of sectors. A document must have at least one of them; 0: no condition. */
  sectors: number;
}

/** The attributes that a condition admits. For attributes, see DocumentFacts. */
export interface Attributes {
  /** Flag per attribute: 1 if it is admitted. */
  admitted: Uint8Array;
  /** Ranges of consecutive admitted attributes. */
  ranges: readonly Range[];
}

/**
 * Returns admitted attributes with their ranges.
 *
 * @param admitted flag per attribute: 1 if it is admitted
 */
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

/** Conditions that admit every document. */
export const EVERYTHING: Conditions = {
  attributes: null,
  occurred_after: -Infinity,
  occurred_before: Infinity,
  observed_after: -Infinity,
  now: -Infinity,
  companies: null,
  excluded: new Set(),
  terms: [],
  amount: null,
  closes: null,
  sectors: 0,
};

/**
 * Tells whether conditions admit a document with these facts.
 *
 * @param holds tells whether the document contains a term
 */
export function admitsFacts(
  conditions: Conditions,
  facts: DocumentFacts,
  holds: (term: Key) => boolean,
): boolean {
  return admitsMoment(conditions, facts) && admitsColumns(conditions, facts) &&
    (conditions.attributes === null || conditions.attributes.admitted[facts.attribute] === 1) &&
    (conditions.companies === null || conditions.companies.has(facts.company_id)) &&
    !conditions.excluded.has(facts.company_id) &&
    conditions.terms.every((group) => group.some(holds));
}

function admitsMoment(
  { occurred_after, occurred_before, observed_after, now }: Conditions,
  { occurred, observed, expires }: DocumentFacts,
): boolean {
  return isBefore(occurred, occurred_before) &&
    (occurred_after === -Infinity || occurred > occurred_after) &&
    (observed_after === -Infinity || observed > observed_after) && expires > now;
}

/**
 * Tells whether a document occurred before a bound. A document that never occurred is only before
 * Infinity.
 */
function isBefore(occurred: number, bound: number): boolean {
  return bound === Infinity || (occurred !== -Infinity && occurred < bound);
}

type Columns = Pick<Conditions, "amount" | "closes" | "sectors">;

/** Tells whether amount, closing time and sectors meet the conditions. */
function admitsColumns({ amount, closes, sectors }: Columns, facts: DocumentFacts): boolean {
  return (sectors === 0 || hasSector(sectors, facts.sectors)) &&
    (amount === null || isAmountIn(amount, facts.amount)) &&
    (closes === null || closesIn(closes, facts.closes));
}

function hasSector(mask: number, sectors: number): boolean {
  return (mask & sectors) !== 0;
}

/**
 * Tells whether an amount is within bounds. The bounds are rounded like the amounts of segments, so
 * that an amount equal to a bound is admitted.
 */
function isAmountIn({ min, max }: NonNullable<Columns["amount"]>, amount: number): boolean {
  return amount >= Math.fround(min) && amount <= Math.fround(max);
}

/** Tells whether a closing time is within bounds. NaN never is. */
function closesIn({ after, before }: NonNullable<Columns["closes"]>, closes: number): boolean {
  return closes >= after && closes < before;
}

/**
 * Number of documents per requested company below which the company of each document is checked.
 * Otherwise the documents of each company are listed.
 */
const IDS_SHARE = 4;

/**
 * Checks the documents of one segment against conditions. Expiry is not checked if none of the
 * segment's documents has expired.
 */
export class Admission {
  readonly #segment: Segment;
  readonly #deleted: Uint32Array | null;
  readonly #attributes: Uint8Array | null;
  readonly #occurredAfter: number;
  readonly #occurredBefore: number;
  readonly #hasOccurrenceBounds: boolean;
  readonly #observedAfter: number;
  readonly #now: number;
  /** Bit set of the documents of the requested companies, or of the excluded ones. */
  readonly #companies: Uint32Array | null = null;
  /** Bit of an admitted document in `#companies`. */
  readonly #companiesAdmitted: number = 0;
  /** Requested companies, if the company of each document is checked: see IDS_SHARE. */
  readonly #companyIds: ReadonlySet<number> | null = null;
  readonly #excludedIds: ReadonlySet<number> = new Set();
  /** Conditions on columns; null: none. */
  readonly #columns: Columns | null;
  /**
   * Bit set of the documents that contain the requested terms; null: no terms are requested, or the
   * documents are listed.
   */
  readonly #holding: Uint32Array | null = null;
  /** Documents that contain the requested terms, ascending, if they are few. */
  readonly #listed: Uint16Array | null = null;
  /**
   * Lists of the documents to check: those of each requested company, or `#listed`. Null: all
   * documents of the ranges are checked.
   */
  #documents: readonly Uint16Array[] | null = null;
  /** Ascending ranges of documents with the requested attributes; null: all documents. */
  readonly ranges: readonly Range[] | null = null;
  /** Share of the segment's documents that are in the ranges, from 0 to 1. */
  readonly share: number = 1;
  /** Max number of documents that can be admitted. */
  readonly count: number;

  /**
   * @param companies companies of the conditions that the segment may contain; absent: all of them
   */
  constructor(segment: Segment, conditions: Conditions, companies?: readonly number[]) {
    const { occurred_after, occurred_before, observed_after, now } = conditions;
    this.#segment = segment;
    this.#deleted = segment.deleted;
    this.#attributes = conditions.attributes?.admitted ?? null;
    this.#occurredAfter = occurred_after;
    this.#occurredBefore = occurred_before;
    this.#hasOccurrenceBounds = occurred_after !== -Infinity || occurred_before !== Infinity;
    const { amount, closes, sectors } = conditions;
    this.#columns = amount === null && closes === null && sectors === 0
      ? null
      : { amount, closes, sectors };
    this.#observedAfter = observed_after;
    this.#now = segment.firstExpiry > now ? -Infinity : now;
    let count = segment.live;
    if (occurred_after !== -Infinity && segment.lastOccurred <= occurred_after) count = 0;
    if (observed_after !== -Infinity && segment.lastObserved <= observed_after) count = 0;
    if (count > 0 && conditions.attributes !== null) {
      this.ranges = rangesOf(segment, conditions.attributes);
      const documents = this.ranges.reduce((sum, { from, to }) => sum + to - from, 0);
      this.share = documents / segment.size;
      count = Math.min(count, documents);
    }
    if (count > 0 && conditions.terms.length > 0) {
      const holding = segment.termDocuments.holdingAll(conditions.terms, this.#spans);
      this.#holding = holding?.bits ?? null;
      if (holding === null) count = 0;
      else if (holding.bits !== null) count = Math.min(count, this.#countHolding(holding.bits));
      else {
        this.#listed = holding.list;
        this.#documents = [holding.list];
        count = Math.min(count, holding.list.length);
      }
    }
    if (count === 0) {
      this.count = 0;
      return;
    }
    const companyCount = companies?.length ?? conditions.companies?.size ?? 0;
    if (conditions.companies !== null && companyCount === 0) count = 0;
    else if (conditions.companies !== null && count < IDS_SHARE * companyCount) {
      this.#companyIds = conditions.companies;
      this.#excludedIds = conditions.excluded;
    } else if (conditions.companies !== null) {
      const wanted = (companies ?? conditions.companies).values()
        .filter((id) => !conditions.excluded.has(id));
      this.#documents = documentsOf(segment, wanted);
      this.#companies = bitsOf(segment, this.#documents);
      this.#companiesAdmitted = 1;
      const documents = sizeOf(this.#documents);
      if (documents < count) count = documents;
      else this.#documents = this.#listed === null ? null : [this.#listed];
    } else if (conditions.excluded.size > 0) {
      const excluded = documentsOf(segment, conditions.excluded);
      if (excluded.length > 0) this.#companies = bitsOf(segment, excluded);
    }
    this.count = count;
  }

  /** Ranges of the documents that may be admitted. */
  get #spans(): readonly Range[] {
    return this.ranges ?? [{ from: 0, to: this.#segment.size }];
  }

  /** Counts the documents of the ranges whose bits are set. */
  #countHolding(bits: Uint32Array): number {
    if (this.ranges === null) return countBits(bits, { from: 0, to: this.#segment.size });
    return this.ranges.reduce((sum, range) => sum + countBits(bits, range), 0);
  }

  /** Calls `take` for each admitted document. */
  each(take: (document: number) => void): void {
    if (this.#documents !== null) {
      for (const documents of this.#documents) {
        for (let at = 0; at < documents.length; at++) {
          if (this.admits(documents[at]!)) take(documents[at]!);
        }
      }
      return;
    }
    const takeAdmitted = (document: number) => {
      if (this.admits(document)) take(document);
    };
    for (const range of this.#spans) {
      if (this.#holding !== null) eachBit(this.#holding, range, takeAdmitted);
      else for (let document = range.from; document < range.to; document++) takeAdmitted(document);
    }
  }

  /** Tells whether the conditions admit a document. */
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
    if (this.#holding !== null && ((this.#holding[place]! >>> bit) & 1) === 0) return false;
    if (this.#listed !== null && !hasNumber(this.#listed, document)) return false;
    if (this.#companyIds !== null) {
      const company = this.#segment.companyId(document);
      if (!this.#companyIds.has(company) || this.#excludedIds.has(company)) return false;
    }
    if (this.#columns !== null && !this.#admitsColumns(this.#columns, document)) return false;
    const segment = this.#segment;
    if (this.#hasOccurrenceBounds) {
      const occurred = segment.occurred(document);
      if (!isBefore(occurred, this.#occurredBefore)) return false;
      if (this.#occurredAfter !== -Infinity && !(occurred > this.#occurredAfter)) return false;
    }
    if (this.#observedAfter !== -Infinity && !(segment.observed(document) > this.#observedAfter)) {
      return false;
    }
    return this.#now === -Infinity || segment.expires(document) > this.#now;
  }

  /**
   * Tells whether the columns of a document meet the conditions. It reads only the columns that are
   * needed, because each is elsewhere in memory.
   */
  #admitsColumns({ amount, closes, sectors }: Columns, document: number): boolean {
    const segment = this.#segment;
    return (sectors === 0 || hasSector(sectors, segment.sectors(document))) &&
      (amount === null || isAmountIn(amount, segment.amount(document))) &&
      (closes === null || closesIn(closes, segment.closes(document)));
  }
}

/** Returns the documents of each company. Companies that are not in the segment are left out. */
function documentsOf(segment: Segment, companies: Iterable<number>): Uint16Array[] {
  const { companyStarts, companyDocuments } = segment.parts;
  const lists: Uint16Array[] = [];
  for (const id of companies) {
    const place = segment.company(id);
    if (place < 0) continue;
    lists.push(companyDocuments.subarray(companyStarts[place], companyStarts[place + 1]));
  }
  return lists;
}

function rangesOf({ parts: { attributeStarts } }: Segment, { ranges }: Attributes): Range[] {
  return ranges.flatMap((range) => {
    const from = attributeStarts[range.from]!;
    const to = attributeStarts[range.to]!;
    return from < to ? [{ from, to }] : [];
  });
}

function hasNumber(ascending: Uint16Array, number: number): boolean {
  const place = lowerBound(ascending, { start: 0, end: ascending.length, min: number });
  return ascending[place] === number;
}

function sizeOf(groups: readonly Uint16Array[]): number {
  return groups.reduce((sum, { length }) => sum + length, 0);
}
