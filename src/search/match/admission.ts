/**
 * Tells which records a search may deliver: those that pass the filters, have not expired, meet no
 * exclusion and contradict no condition of the question.
 */
import type { SearchFilters } from "../../contract/filters.ts";
import { COUNTRIES, type Country, DEMAND_CLASSES, KINDS } from "../../contract/vocabulary.ts";
import { type SegmentArrays, STATES } from "../index/segment.ts";
import { microsecondsOf } from "../index/instants.ts";
import type { PlacedSegment, Records } from "../index/records.ts";
import type { AskedPlace, Condition, Question } from "../question/question.ts";
import { keyOf } from "../words/terms.ts";

/** Filters of a search, and the instant from which records have expired. */
export interface RecordFilters extends SearchFilters {
  /** Instant (form: contract/instant.ts). */
  now: string;
}

/** Restricts nothing. */
export const NO_FILTERS: SearchFilters = {
  countries: [],
  kinds: [],
  demand_classes: [],
  occurred_after: null,
  observed_after: null,
  company_ids: [],
  domains: [],
  exclude_company_ids: [],
  exclude_domains: [],
};

export interface Admission {
  /**
   * Returns the number of conditions about which an admitted record says nothing; undefined if the
   * record is not admitted.
   *
   * @param segment segment of the slot
   */
  silent(slot: number, segment?: PlacedSegment): number | undefined;
}

/** Verdict of a record about a condition: it states what is asked, nothing, or something else. */
type Verdict = "meets" | "silent" | "contradicts";

type Test = (arrays: SegmentArrays, document: number, slot: number) => boolean;

type Judge = (arrays: SegmentArrays, document: number, slot: number) => Verdict;

/** Returns the admission of a search. */
export function admissionOf(
  { records, question = { conditions: [], excluded: [], phrases: [] }, filters }: {
    records: Records;
    /** Conditions and exclusions; absent: only the filters count. */
    question?: Pick<Question, "conditions" | "excluded" | "phrases">;
    filters: RecordFilters;
  },
): Admission {
  const tests = [
    ...filterTests(records, filters),
    ...exclusionTests(records, question),
    ...question.phrases.map(phraseTest),
  ];
  const judges = question.conditions.map((condition) => judgeOf(records, condition));
  return {
    silent(slot, { base, arrays } = records.segmentOf(slot)) {
      const document = slot - base;
      if (arrays.live[document] === 0) return undefined;
      for (const test of tests) if (!test(arrays, document, slot)) return undefined;
      let silent = 0;
      for (const judge of judges) {
        const verdict = judge(arrays, document, slot);
        if (verdict === "contradicts") return undefined;
        if (verdict === "silent") silent++;
      }
      return silent;
    },
  };
}

function filterTests(records: Records, filters: RecordFilters): Test[] {
  const now = microsecondsOf(filters.now);
  const tests: Test[] = [({ expires }, document) => expires[document]! > now];
  const { countries, kinds, demand_classes, occurred_after, observed_after } = filters;
  const among = <Value>(all: readonly Value[], wanted: readonly Value[]) =>
    Uint8Array.from(all, (one) => wanted.includes(one) ? 1 : 0);
  if (countries.length > 0) {
    const admitted = among(COUNTRIES, countries);
    tests.push((arrays, document) => admitted[arrays.countries[document]!] === 1);
  }
  if (kinds.length > 0) {
    const admitted = among(KINDS, kinds);
    tests.push((arrays, document) => admitted[arrays.kinds[document]!] === 1);
  }
  if (demand_classes.length > 0) {
    const admitted = among(DEMAND_CLASSES, demand_classes);
    tests.push((arrays, document) => admitted[arrays.demand_classes[document]!] === 1);
  }
  if (occurred_after !== null) {
    const after = microsecondsOf(occurred_after);
    tests.push(({ occurred }, document) => occurred[document]! > after);
  }
  if (observed_after !== null) {
    const after = microsecondsOf(observed_after);
    tests.push(({ observed }, document) => observed[document]! > after);
  }
  return [...tests, ...companyTests(records, filters, now)];
}

function companyTests(
  records: Records,
  { company_ids, domains, exclude_company_ids, exclude_domains }: RecordFilters,
  now: number,
): Test[] {
  const tests: Test[] = [];
  if (company_ids.length > 0) {
    const admitted = new Set(company_ids);
    tests.push(({ companies }, document) => admitted.has(companies[document]!));
  }
  if (domains.length > 0) {
    const admitted = companiesWith(records, domains, now);
    tests.push(({ companies }, document) => admitted.has(companies[document]!));
  }
  const excluded = companiesWith(records, exclude_domains, now);
  for (const id of exclude_company_ids) excluded.add(id);
  if (excluded.size > 0) {
    tests.push(({ companies }, document) => !excluded.has(companies[document]!));
  }
  return tests;
}

/** Returns the companies with one of the hostnames in a record that has not expired. */
export function companiesWith(
  records: Records,
  hostnames: readonly string[],
  now: number,
): Set<number> {
  const companies = new Set<number>();
  for (const hostname of hostnames) {
    records.read(keyOf(`host:${hostname}`), ({ arrays }, document) => {
      if (arrays.expires[document]! > now) companies.add(arrays.companies[document]!);
    });
  }
  return companies;
}

function exclusionTests(records: Records, { excluded }: Pick<Question, "excluded">): Test[] {
  return excluded.map((exclusion): Test => {
    switch (exclusion.on) {
      case "words": {
        const slots = slotsWith(records, exclusion.ways.flatMap(({ keys }) => keys));
        return (_arrays, _document, slot) => slots[slot] === 0;
      }
      case "kind": {
        const unwanted = new Set(exclusion.kinds.map((kind) => KINDS.indexOf(kind)));
        return ({ kinds }, document) => !unwanted.has(kinds[document]!);
      }
      case "place": {
        const judge = placeJudge(records, exclusion.places);
        return (arrays, document, slot) => judge(arrays, document, slot) !== "meets";
      }
    }
  });
}

/** Returns a test for a quoted phrase in the words of a record. */
function phraseTest(phrase: readonly (readonly number[])[]): Test {
  const hashes = phrase.map((keys) => keys.map((key) => key & 0xffff));
  return ({ stream, stream_starts }, document) => {
    for (let at = stream_starts[document]!; at < stream_starts[document + 1]!; at++) {
      if (hashes.some((words) => words.every((hash, n) => stream[at + n] === hash))) return true;
    }
    return false;
  };
}

function judgeOf(records: Records, condition: Condition): Judge {
  switch (condition.on) {
    case "place":
      return placeJudge(records, condition.places);
    case "occurred":
      return (arrays, document) => within(arrays.occurred[document]!, condition);
    case "closes":
      return (arrays, document) => within(arrays.closes[document]!, condition);
    case "amount": {
      const { min, max } = condition;
      return ({ amounts }, document) => {
        const amount = amounts[document]!;
        if (Number.isNaN(amount)) return "silent";
        return amount >= min && amount <= max ? "meets" : "contradicts";
      };
    }
    default: {
      const slots = slotsWith(records, condition.keys);
      const state = STATES[condition.on];
      return ({ states }, document, slot) => {
        if (slots[slot] === 1) return "meets";
        return (states[document]! & state) === 0 ? "silent" : "contradicts";
      };
    }
  }
}

/** Judges an instant, which is NaN or infinite if the record does not state it. */
function within(instant: number, { after, before }: { after: number; before: number }): Verdict {
  if (!Number.isFinite(instant)) return "silent";
  return instant >= after && instant < before ? "meets" : "contradicts";
}

/** Judges a record by several places, of which it needs one. The best verdict counts. */
function placeJudge(records: Records, places: readonly AskedPlace[]): Judge {
  const judges = places.map((place) => onePlaceJudge(records, place));
  return (arrays, document, slot) => {
    let best: Verdict = "contradicts";
    for (const judge of judges) {
      const verdict = judge(arrays, document, slot);
      if (verdict === "meets") return verdict;
      if (verdict === "silent") best = verdict;
    }
    return best;
  };
}

/**
 * Judges a record by one place. The most exact level decides that both name. A record that names
 * only a larger area around the place is silent.
 */
function onePlaceJudge(records: Records, { country, region, city, metro }: AskedPlace): Judge {
  const wanted = country === undefined ? -1 : COUNTRIES.indexOf(country as Country);
  const slotsOf = (term: string | undefined) =>
    term === undefined ? undefined : slotsWith(records, [keyOf(term)]);
  const inRegion = slotsOf(region && `region:${region}`);
  const inCity = slotsOf(city && `city:${city}`);
  const inMetro = slotsOf(metro && `metro:${metro}`);
  return ({ countries, states }, document, slot) => {
    if (wanted >= 0 && countries[document] !== wanted) return "contradicts";
    const stated = states[document]!;
    const isRegionStated = (stated & STATES.region) !== 0;
    if (inRegion !== undefined && isRegionStated && inRegion[slot] === 0) return "contradicts";
    if (inCity === undefined && inMetro === undefined) {
      return inRegion === undefined || isRegionStated ? "meets" : "silent";
    }
    if (inCity?.[slot] === 1 || inMetro?.[slot] === 1) return "meets";
    const narrower = inCity === undefined ? STATES.metro | STATES.city : STATES.city;
    return (stated & narrower) === 0 ? "silent" : "contradicts";
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
