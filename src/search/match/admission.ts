/** Decides which records in memory a search may deliver, by the predicates of criteria.ts. */
import { TypedFastBitSet } from "typedfastbitset";
import { microsecondsOf } from "../index/document.ts";
import type { PlacedSegment, Records } from "../index/records.ts";
import type { SegmentArrays } from "../index/segment.ts";
import type { Question } from "../question/question.ts";
import { keyOf } from "../words/terms.ts";
import { criteriaOf, type FieldPredicate, type Predicate, type RecordFilters } from "./criteria.ts";

/** Number of documents that are tested in one step. */
export const STEP_DOCUMENTS = 4096;

/**
 * Tells by slots which records a search may deliver: 0 for no, otherwise 1 plus the number of
 * conditions about which the record says nothing. Records are tested in short steps.
 */
export function* admit(
  { records, question = { conditions: [], excluded: [], phrases: [] }, filters, scores }: {
    records: Records;
    /** Conditions and exclusions; absent: only the filters count. */
    question?: Pick<Question, "conditions" | "excluded" | "phrases">;
    filters: RecordFilters;
    /** Scores by slots. Slots without a score are not admitted. Absent: all have one. */
    scores?: Float32Array;
  },
): Generator<void, Uint8Array> {
  const now = microsecondsOf(filters.now);
  const { required, conditions } = criteriaOf(
    question,
    filters,
    (hostnames) => companiesWith(records, hostnames, now),
  );
  // Numbers are compared one by one, so they come last, when few documents are left.
  const ordered = conditions.toSorted((a, b) => +("min" in a.meets) - +("min" in b.meets));
  const admission = new Uint8Array(records.size);
  for (const placed of records.segments) {
    const { base, arrays: { live } } = placed;
    const silence = new Uint8Array(live.length);
    // One bit for each document.
    const bits = new Uint32Array(Math.ceil(live.length / 32));
    for (let n = 0; n < live.length; n++) {
      if (live[n] === 1 && (!scores || scores[base + n]! > 0)) bits[n >>> 5]! |= 1 << n;
    }
    let admitted = TypedFastBitSet.fromWords(bits);
    for (const { meets, silent } of ordered) {
      const meeting = yield* matching(placed, admitted, meets);
      const unstated = yield* matching(placed, admitted.difference(meeting), silent);
      unstated.forEach((n) => silence[n]!++);
      admitted = meeting.union(unstated);
    }
    for (const predicate of required) admitted = yield* matching(placed, admitted, predicate);
    admitted.forEach((n) => admission[base + n] = 1 + silence[n]!);
  }
  return admission;
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

/** Returns the documents of a set of which a predicate is true, as a new set. */
function* matching(
  segment: PlacedSegment,
  among: TypedFastBitSet,
  predicate: Predicate,
): Generator<void, TypedFastBitSet> {
  if ("any" in predicate) {
    const all = new TypedFastBitSet();
    for (const one of predicate.any) all.union(yield* matching(segment, among, one));
    return all;
  }
  if ("all" in predicate) {
    let left = among.clone();
    for (const one of predicate.all) left = yield* matching(segment, left, one);
    return left;
  }
  if ("not" in predicate) {
    return among.new_difference(yield* matching(segment, among, predicate.not));
  }
  if ("terms" in predicate) return documentsWith(segment, predicate.terms).intersection(among);
  const test = testOf(segment.arrays, predicate);
  const met = new TypedFastBitSet();
  const documents = among.array();
  for (let n = 0; n < documents.length; n++) {
    if (n % STEP_DOCUMENTS === 0) yield;
    if (test(documents[n]!)) met.add(documents[n]!);
  }
  return met;
}

/** Returns a function that tells whether a predicate is true of a document. */
function testOf(arrays: SegmentArrays, predicate: FieldPredicate): (document: number) => boolean {
  if ("phrases" in predicate) return (document) => hasPhrase(arrays, document, predicate.phrases);
  if ("company_ids" in predicate) {
    const ids = new Set(predicate.company_ids);
    return (document) => ids.has(arrays.company_id[document]!);
  }
  const column = arrays[predicate.field];
  if ("values" in predicate) return (document) => predicate.values.includes(column[document]!);
  const { min, max } = predicate;
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

/** Returns the documents of a segment with one of the terms. */
function documentsWith(placed: PlacedSegment, keys: readonly number[]): TypedFastBitSet {
  const { segment, arrays: { documents } } = placed;
  const bits = new Uint32Array(Math.ceil(segment.size / 32));
  for (const key of keys) {
    const { from, to } = segment.find(key);
    for (let at = from; at < to; at++) bits[documents[at]! >>> 5]! |= 1 << documents[at]!;
  }
  return TypedFastBitSet.fromWords(bits);
}
