/** Decides which records in memory a search may deliver, by the predicates of criteria.ts. */
import { microsecondsOf } from "../index/document.ts";
import type { PlacedSegment, Records } from "../index/records.ts";
import type { SegmentArrays } from "../index/segment.ts";
import type { Question } from "../question/question.ts";
import { keyOf } from "../words/terms.ts";
import { type Criteria, criteriaOf, type Predicate, type RecordFilters } from "./criteria.ts";

/** Tells whether a predicate is true of a document of a segment. */
type Test = (document: number) => boolean;

/**
 * Returns the number of conditions about which an admitted record says nothing; undefined if it is
 * not admitted. The record is a document of a segment, or a slot.
 */
type Admission = (record: number) => number | undefined;

/** Returns the admission of a search, by the documents of a segment and by slots. */
export function admissionOf(
  { records, question = { conditions: [], excluded: [], phrases: [] }, filters }: {
    records: Records;
    /** Conditions and exclusions; absent: only the filters count. */
    question?: Pick<Question, "conditions" | "excluded" | "phrases">;
    filters: RecordFilters;
  },
): { in(segment: PlacedSegment): Admission; at: Admission } {
  const now = microsecondsOf(filters.now);
  const criteria = criteriaOf(
    question,
    filters,
    (hostnames) => companiesWith(records, hostnames, now),
  );
  const admissions = new Map(
    records.segments.map((segment) => [segment, admissionIn(segment, criteria)]),
  );
  return {
    in: (segment) => admissions.get(segment)!,
    at(slot) {
      const [segment, document] = records.placeOf(slot);
      return admissions.get(segment)!(document);
    },
  };
}

/** Columns are looked up once per segment, because a lookup by a name takes longer than a test. */
function admissionIn(segment: PlacedSegment, { required, conditions }: Criteria): Admission {
  const { live } = segment.arrays;
  const tests = required.map((predicate) => testOf(segment, predicate));
  const judges = conditions.map(({ meets, silent }) => ({
    meets: testOf(segment, meets),
    isSilent: testOf(segment, silent),
  }));
  return (document) => {
    if (live[document] === 0) return undefined;
    for (const test of tests) if (!test(document)) return undefined;
    let silent = 0;
    for (const { meets, isSilent } of judges) {
      if (meets(document)) continue;
      if (!isSilent(document)) return undefined;
      silent++;
    }
    return silent;
  };
}

/** Returns the companies with one of the hostnames in a record that has not expired. */
function companiesWith(records: Records, hostnames: readonly string[], now: number): number[] {
  const companies = new Set<number>();
  for (const hostname of hostnames) {
    records.read(keyOf(`host:${hostname}`), ({ arrays }, document) => {
      if (arrays.expires_at[document]! > now) companies.add(arrays.company_id[document]!);
    });
  }
  return [...companies];
}

function testOf(segment: PlacedSegment, predicate: Predicate): Test {
  const { arrays } = segment;
  if ("any" in predicate) {
    const tests = predicate.any.map((one) => testOf(segment, one));
    if (tests.length === 1) return tests[0]!;
    return (document) => tests.some((test) => test(document));
  }
  if ("all" in predicate) {
    const tests = predicate.all.map((one) => testOf(segment, one));
    if (tests.length === 1) return tests[0]!;
    return (document) => tests.every((test) => test(document));
  }
  if ("not" in predicate) {
    const test = testOf(segment, predicate.not);
    return (document) => !test(document);
  }
  if ("terms" in predicate) {
    const documents = documentsWith(segment, predicate.terms);
    return (document) => documents[document] === 1;
  }
  if ("phrases" in predicate) {
    return (document) => hasPhrase(arrays, document, predicate.phrases);
  }
  if ("company_ids" in predicate) {
    const ids = new Set(predicate.company_ids);
    return (document) => ids.has(arrays.company_id[document]!);
  }
  if ("values" in predicate) {
    const column = arrays[predicate.field];
    const { values } = predicate;
    return (document) => values.includes(column[document]!);
  }
  const { min, max } = predicate;
  const column = arrays[predicate.field];
  return (document) => column[document]! >= min && column[document]! <= max;
}

function hasPhrase(
  { stream, stream_starts }: SegmentArrays,
  document: number,
  phrases: readonly (readonly number[])[],
): boolean {
  for (let at = stream_starts[document]!; at < stream_starts[document + 1]!; at++) {
    if (phrases.some((words) => words.every((hash, n) => stream[at + n] === hash))) return true;
  }
  return false;
}

/** Returns one byte per document, which is 1 for those with one of the terms. */
function documentsWith(
  { segment, arrays: { documents } }: PlacedSegment,
  keys: readonly number[],
): Uint8Array {
  const marks = new Uint8Array(segment.size);
  for (const key of keys) {
    const range = segment.find(key);
    if (range === undefined) continue;
    for (let at = range.from; at < range.to; at++) marks[documents[at]!] = 1;
  }
  return marks;
}
