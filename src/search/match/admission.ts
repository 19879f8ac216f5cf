/** Decides which records in memory a search may deliver, by the predicates of criteria.ts. */
import { microsecondsOf } from "../index/document.ts";
import type { PlacedSegment, Records } from "../index/records.ts";
import type { SegmentArrays } from "../index/segment.ts";
import type { Question } from "../question/question.ts";
import { keyOf } from "../words/terms.ts";
import { criteriaOf, type Predicate, type RecordFilters } from "./criteria.ts";

/** Tells whether a predicate is true of a document of a segment. */
type Test = (segment: PlacedSegment, document: number) => boolean;

/**
 * Returns the admission of a search: a function of a record. It returns the number of conditions
 * about which an admitted record says nothing; undefined if the record is not admitted.
 */
export function admissionOf(
  { records, question = { conditions: [], excluded: [], phrases: [] }, filters }: {
    records: Records;
    /** Conditions and exclusions; absent: only the filters count. */
    question?: Pick<Question, "conditions" | "excluded" | "phrases">;
    filters: RecordFilters;
  },
): (segment: PlacedSegment, document: number) => number | undefined {
  const now = microsecondsOf(filters.now);
  const { required, conditions } = criteriaOf(
    question,
    filters,
    (hostnames) => companiesWith(records, hostnames, now),
  );
  const tests = required.map((predicate) => testOf(records, predicate));
  const judges = conditions.map(({ meets, silent }) => ({
    meets: testOf(records, meets),
    isSilent: testOf(records, silent),
  }));
  return (segment, document) => {
    if (segment.arrays.live[document] === 0) return undefined;
    for (const test of tests) if (!test(segment, document)) return undefined;
    let silent = 0;
    for (const { meets, isSilent } of judges) {
      if (meets(segment, document)) continue;
      if (!isSilent(segment, document)) return undefined;
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

function testOf(records: Records, predicate: Predicate): Test {
  if ("any" in predicate) {
    const tests = predicate.any.map((one) => testOf(records, one));
    if (tests.length === 1) return tests[0]!;
    return (segment, document) => tests.some((test) => test(segment, document));
  }
  if ("all" in predicate) {
    const tests = predicate.all.map((one) => testOf(records, one));
    if (tests.length === 1) return tests[0]!;
    return (segment, document) => tests.every((test) => test(segment, document));
  }
  if ("not" in predicate) {
    const test = testOf(records, predicate.not);
    return (segment, document) => !test(segment, document);
  }
  if ("terms" in predicate) {
    const slots = slotsWith(records, predicate.terms);
    return ({ base }, document) => slots[base + document] === 1;
  }
  if ("phrases" in predicate) {
    return ({ arrays }, document) => hasPhrase(arrays, document, predicate.phrases);
  }
  if ("company_ids" in predicate) {
    const ids = new Set(predicate.company_ids);
    return ({ arrays }, document) => ids.has(arrays.company_id[document]!);
  }
  if ("values" in predicate) {
    const { field, values } = predicate;
    return ({ arrays }, document) => values.includes(arrays[field][document]!);
  }
  const { field, min, max } = predicate;
  return ({ arrays }, document) => {
    const value = arrays[field][document]!;
    return value >= min && value <= max;
  };
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

/** Returns one byte per slot, which is 1 for live records with one of the terms. */
function slotsWith(records: Records, keys: readonly number[]): Uint8Array {
  const slots = new Uint8Array(records.size);
  for (const key of keys) {
    records.read(key, ({ base }, document) => slots[base + document] = 1);
  }
  return slots;
}
