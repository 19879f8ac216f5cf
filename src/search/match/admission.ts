/** Decides which records in memory a search may deliver, by the predicates of criteria.ts. */
import { microsecondsOf } from "../index/document.ts";
import type { PlacedSegment, Records } from "../index/records.ts";
import type { SegmentArrays } from "../index/segment.ts";
import type { Question } from "../question/question.ts";
import { keyOf } from "../words/terms.ts";
import { criteriaOf, type Predicate, type RecordFilters } from "./criteria.ts";

/** Max number of records that are tested together. */
export const BATCH_MAX = 4096;

/** Records of one segment that are tested together: a predicate reads its column for all at once. */
export class Batch {
  /** Places of the records in the segment. */
  readonly documents: Uint32Array;
  /** Number of conditions about which each admitted record says nothing. */
  readonly silent: Uint8Array;
  count = 0;

  constructor(size = BATCH_MAX) {
    this.documents = new Uint32Array(size);
    this.silent = new Uint8Array(size);
  }

  add(document: number): void {
    this.silent[this.count] = 0;
    this.documents[this.count++] = document;
  }

  /** Removes the records whose mark is 0. */
  keep(marks: Uint8Array): void {
    let kept = 0;
    for (let n = 0; n < this.count; n++) {
      if (marks[n] === 0) continue;
      this.documents[kept] = this.documents[n]!;
      this.silent[kept++] = this.silent[n]!;
    }
    this.count = kept;
  }
}

export interface Admission {
  /** Removes the records of a batch that are not admitted, and counts conditions for the others. */
  admit(batch: Batch, segment: PlacedSegment): void;
  /**
   * Returns the number of conditions about which an admitted record says nothing; undefined if the
   * record is not admitted.
   */
  silent(slot: number): number | undefined;
}

/** Marks each record of a batch with 1 if a predicate is true of it, and with 0 otherwise. */
type Test = (batch: Batch, segment: PlacedSegment, marks: Uint8Array) => void;

/** Returns the admission of a search. */
export function admissionOf(
  { records, question = { conditions: [], excluded: [], phrases: [] }, filters }: {
    records: Records;
    /** Conditions and exclusions; absent: only the filters count. */
    question?: Pick<Question, "conditions" | "excluded" | "phrases">;
    filters: RecordFilters;
  },
): Admission {
  const now = microsecondsOf(filters.now);
  const { required, conditions } = criteriaOf(
    question,
    filters,
    (hostnames) => companiesWith(records, hostnames, now),
  );
  const testOf = testsIn(records);
  const tests = required.map(testOf);
  const judges = conditions.map(({ meets, silent }) => ({
    meets: testOf(meets),
    isSilent: testOf(silent),
  }));
  const marks = new Uint8Array(BATCH_MAX);
  const admitted = new Uint8Array(BATCH_MAX);
  const admit = (batch: Batch, segment: PlacedSegment) => {
    testLive(batch, segment, marks);
    batch.keep(marks);
    for (const test of tests) {
      test(batch, segment, marks);
      batch.keep(marks);
    }
    for (const { meets, isSilent } of judges) {
      meets(batch, segment, marks);
      isSilent(batch, segment, admitted);
      for (let n = 0; n < batch.count; n++) {
        batch.silent[n]! += 1 - marks[n]!;
        admitted[n]! |= marks[n]!;
      }
      batch.keep(admitted);
    }
  };
  const single = new Batch(1);
  return {
    admit,
    silent(slot) {
      const segment = records.segmentOf(slot);
      single.count = 0;
      single.add(slot - segment.base);
      admit(single, segment);
      return single.count === 0 ? undefined : single.silent[0];
    },
  };
}

/** Marks the records that the index still contains. */
const testLive: Test = ({ documents, count }, { arrays: { live } }, marks) => {
  for (let n = 0; n < count; n++) marks[n] = live[documents[n]!]!;
};

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

/** Returns a function that turns predicates into tests. */
function testsIn(records: Records): (predicate: Predicate) => Test {
  /** Several predicates about a place contain the same one. */
  const known = new Map<Predicate, Test>();
  const testOf = (predicate: Predicate): Test => {
    const test = known.get(predicate) ?? newTest(predicate);
    known.set(predicate, test);
    return test;
  };
  const newTest = (predicate: Predicate): Test => {
    if ("any" in predicate) return anyTest(predicate.any.map(testOf));
    if ("all" in predicate) return not(anyTest(predicate.all.map((one) => not(testOf(one)))));
    if ("not" in predicate) return not(testOf(predicate.not));
    if ("terms" in predicate) {
      const slots = slotsWith(records, predicate.terms);
      return ({ documents, count }, { base }, marks) => {
        for (let n = 0; n < count; n++) marks[n] = slots[base + documents[n]!]!;
      };
    }
    if ("phrases" in predicate) {
      const { phrases } = predicate;
      return ({ documents, count }, { arrays }, marks) => {
        for (let n = 0; n < count; n++) {
          marks[n] = hasPhrase(arrays, documents[n]!, phrases) ? 1 : 0;
        }
      };
    }
    if ("company_ids" in predicate) {
      const ids = new Set(predicate.company_ids);
      return ({ documents, count }, { arrays: { company_id } }, marks) => {
        for (let n = 0; n < count; n++) marks[n] = ids.has(company_id[documents[n]!]!) ? 1 : 0;
      };
    }
    if ("values" in predicate) {
      const { field, values } = predicate;
      const admitted = Uint8Array.from(
        { length: 256 },
        (_, place) => values.includes(place) ? 1 : 0,
      );
      return ({ documents, count }, { arrays: { [field]: places } }, marks) => {
        for (let n = 0; n < count; n++) marks[n] = admitted[places[documents[n]!]!]!;
      };
    }
    const { field, min, max } = predicate;
    return ({ documents, count }, { arrays: { [field]: values } }, marks) => {
      for (let n = 0; n < count; n++) {
        const value = values[documents[n]!]!;
        marks[n] = value >= min && value <= max ? 1 : 0;
      }
    };
  };
  return testOf;
}

function not(test: Test): Test {
  return (batch, segment, marks) => {
    test(batch, segment, marks);
    for (let n = 0; n < batch.count; n++) marks[n]! ^= 1;
  };
}

/** Returns a test that is true if one of several is. Of none, it is false. */
function anyTest(tests: readonly Test[]): Test {
  const further = new Uint8Array(BATCH_MAX);
  return (batch, segment, marks) => {
    marks.fill(0, 0, batch.count);
    for (const test of tests) {
      test(batch, segment, further);
      for (let n = 0; n < batch.count; n++) marks[n]! |= further[n]!;
    }
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
