/** Decides which records in memory a search may deliver, by the predicates of criteria.ts. */
import { COUNTRIES, DEMAND_CLASSES, KINDS } from "../../contract/vocabulary.ts";
import { microsecondsOf } from "../index/instants.ts";
import type { PlacedSegment, Records } from "../index/records.ts";
import { type SegmentArrays, STATES } from "../index/segment.ts";
import type { Question } from "../question/question.ts";
import { keyOf } from "../words/terms.ts";
import { criteriaOf, type Predicate, type RecordFilters } from "./criteria.ts";

export interface Admission {
  /**
   * Returns the number of conditions about which an admitted record says nothing; undefined if the
   * record is not admitted.
   *
   * @param segment segment of the slot
   */
  silent(slot: number, segment?: PlacedSegment): number | undefined;
}

type Test = (arrays: SegmentArrays, document: number, slot: number) => boolean;

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
  return {
    silent(slot, { base, arrays } = records.segmentOf(slot)) {
      const document = slot - base;
      if (arrays.live[document] === 0) return undefined;
      for (const test of tests) if (!test(arrays, document, slot)) return undefined;
      let silent = 0;
      for (const { meets, isSilent } of judges) {
        if (meets(arrays, document, slot)) continue;
        if (!isSilent(arrays, document, slot)) return undefined;
        silent++;
      }
      return silent;
    },
  };
}

/** Returns the companies with one of the hostnames in a record that has not expired. */
function companiesWith(records: Records, hostnames: readonly string[], now: number): number[] {
  const companies = new Set<number>();
  for (const hostname of hostnames) {
    records.read(keyOf(`host:${hostname}`), ({ arrays }, document) => {
      if (arrays.expires[document]! > now) companies.add(arrays.companies[document]!);
    });
  }
  return [...companies];
}

/** Columns of segments with places in lists. */
const LISTED = {
  kind: { column: "kinds", list: KINDS },
  country: { column: "countries", list: COUNTRIES },
  demand_class: { column: "demand_classes", list: DEMAND_CLASSES },
} as const;

/** Columns of segments with numbers. */
const NUMBERS = {
  occurred_at: "occurred",
  observed_at: "observed",
  expires_at: "expires",
  closes_at: "closes",
  amount: "amounts",
} as const;

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
    if ("any" in predicate) return untilTest(predicate.any.map(testOf), true);
    if ("all" in predicate) return untilTest(predicate.all.map(testOf), false);
    if ("not" in predicate) {
      const test = testOf(predicate.not);
      return (arrays, document, slot) => !test(arrays, document, slot);
    }
    if ("terms" in predicate) {
      const slots = slotsWith(records, predicate.terms);
      return (_arrays, _document, slot) => slots[slot] === 1;
    }
    if ("states" in predicate) {
      const bits = predicate.states.reduce((sum, name) => sum | STATES[name], 0);
      return ({ states }, document) => (states[document]! & bits) !== 0;
    }
    if ("phrases" in predicate) return phraseTest(predicate.phrases);
    if ("company_ids" in predicate) {
      const ids = new Set(predicate.company_ids);
      return ({ companies }, document) => ids.has(companies[document]!);
    }
    if ("values" in predicate) {
      const { column, list } = LISTED[predicate.field];
      const admitted = Uint8Array.from(list, (one) => predicate.values.includes(one) ? 1 : 0);
      return (arrays, document) => admitted[arrays[column][document]!] === 1;
    }
    const { min, max } = predicate;
    const column = NUMBERS[predicate.field];
    return (arrays, document) => {
      const value = arrays[column][document]!;
      return value >= min && value <= max;
    };
  };
  return testOf;
}

/**
 * Returns a test whose result is `end` if one of several tests returns `end`. It runs for most
 * records of a search: with some() and every(), a search with a place took more than twice as long.
 */
function untilTest(tests: readonly Test[], end: boolean): Test {
  if (tests.length === 1) return tests[0]!;
  return (arrays, document, slot) => {
    for (let n = 0; n < tests.length; n++) {
      if (tests[n]!(arrays, document, slot) === end) return end;
    }
    return !end;
  };
}

/** Returns a test for a quoted phrase in the words of a record. */
function phraseTest(phrases: readonly (readonly number[])[]): Test {
  return ({ stream, stream_starts }, document) => {
    for (let at = stream_starts[document]!; at < stream_starts[document + 1]!; at++) {
      if (phrases.some((words) => words.every((hash, n) => stream[at + n] === hash))) return true;
    }
    return false;
  };
}

/** Returns one byte per slot, which is 1 for live records with one of the terms. */
function slotsWith(records: Records, keys: readonly number[]): Uint8Array {
  const slots = new Uint8Array(records.size);
  for (const key of keys) {
    records.read(key, ({ base }, document) => slots[base + document] = 1);
  }
  return slots;
}
