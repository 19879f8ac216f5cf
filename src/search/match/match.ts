/**
 * Matches a question with all records in one pass. Unit by unit, the value of a record is that of
 * its best way. Scores are sums over units. Nothing is cut before every unit has been read.
 */
import { CANDIDATE_LIMIT, OBSERVATIONS_PER_COMPANY } from "../../contract/search.ts";
import { KINDS } from "../../contract/vocabulary.ts";
import type { Records } from "../index/records.ts";
import {
  isCertainKind,
  kindsOf,
  type Question,
  type Unit,
  type Way,
} from "../question/question.ts";
import { admit, STEP_DOCUMENTS } from "./admission.ts";
import type { RecordFilters } from "./criteria.ts";
import { borrowRows, type Rows } from "./rows.ts";

/** Max number of records that the judge looks at: as many as a full shortlist delivers. */
export const RECORDS_MAX = OBSERVATIONS_PER_COMPANY * CANDIDATE_LIMIT;

/** A unit with its weight in this index. */
export interface WeighedUnit {
  unit: Unit;
  /** Ways that are looked up. Other conditions and kinds are tested for each candidate. */
  ways: readonly Way[];
  /** Inverse document frequency of the unit; 0 for filler. */
  weight: number;
  /** Number of records that contain the unit's own words. */
  frequency: number;
}

/** A record that meets at least one unit, is admitted, and contradicts no condition. */
export interface Candidate {
  slot: number;
  /** Sum of the weights of the units, each times the impact of its best way, from 0 to 1. */
  score: number;
  /** Number of conditions about which the record says nothing. */
  silent: number;
  /** Similarity of the best way of each unit, from 0 (not met) to SIMILARITY_MAX. */
  similarities: readonly number[];
}

/** Greatest similarity: that of a way that means the same. */
export const SIMILARITY_MAX = 255;

/** Units and candidates of a search. Candidates are sorted: best score first, then lower id. */
export interface Match {
  units: WeighedUnit[];
  candidates: Candidate[];
}

interface MatchRequest {
  records: Records;
  question: Question;
  filters: RecordFilters;
  /** Max number of candidates of a company; absent: no limit. */
  per_company?: number;
}

/** Returns the best candidates of a question, in short steps. */
export function* match(request: MatchRequest): Generator<void, Match> {
  const { records, question } = request;
  using rows = borrowRows(question.units.length, records.size);
  const units = weighedUnits(records, question);
  for (const [row, { ways, weight }] of units.entries()) {
    // Records that contain only filler answer nothing, and most records contain some.
    if (weight === 0) continue;
    for (const way of ways) {
      const value = { row, similarity: way.similarity, mark: markOf(way) };
      for (const key of way.keys) {
        for (const placed of records.segments) {
          rows.enter(placed, placed.segment.find(key), value);
        }
      }
      yield;
    }
    rows.add(weight);
  }
  // A query that only excludes, beside filters, asks for the latest records that remain.
  if (units.length === 0 && question.excluded.length > 0) enterLatest(records, rows);
  return { units, candidates: yield* select(rows, request, units) };
}

/**
 * Returns the ways of a unit that are looked up. Beside a subject, only the own words of conditions
 * and kinds are, and not all records of a country or kind.
 */
function lookedUp({ ways, condition }: Unit, hasSubject: boolean): readonly Way[] {
  if (!hasSubject) return ways;
  return condition === undefined
    ? ways.filter(({ origin }) => origin !== "kind")
    : ways.filter(({ origin }) => OWN_ORIGINS.has(origin));
}

/** Origins of ways that are forms of the unit's own words. */
const OWN_ORIGINS: ReadonlySet<Way["origin"]> = new Set(["words", "compound", "spelling"]);

/** Number of records of a dataset, and of those with a term. */
type Frequencies = Pick<Records, "count" | "frequency">;

/**
 * Returns the units of a question with their weights. Filler weighs nothing, unless all is filler, or
 * it names the kind of a question without a subject: "companies that raised $50 million".
 */
export function weighedUnits(records: Frequencies, { units }: Question): WeighedUnit[] {
  // A subject says what the records are about, and not only of which kind they are.
  const hasSubject = units.some(({ is_filler, condition, ways }) =>
    !is_filler && condition === undefined && !ways.some(isCertainKind)
  );
  const weighed = units.map((unit) => ({
    unit,
    ways: lookedUp(unit, hasSubject),
    ...weigh(records, unit),
  }));
  for (const one of weighed) {
    const namesKind = !hasSubject && one.unit.ways.some(isCertainKind);
    if (one.unit.is_filler && !namesKind) one.weight = 0;
  }
  if (weighed.every(({ weight }) => weight === 0)) { for (const one of weighed) one.weight = 1; }
  return weighed;
}

/**
 * Returns the weight of a unit, and the frequency of its own words. The frequency of a similar word
 * counts in proportion to its similarity: a rare English word weighs little where its French
 * translation is common.
 */
function weigh(records: Frequencies, unit: Unit): Pick<WeighedUnit, "weight" | "frequency"> {
  let own = 0;
  let frequency = 0;
  for (const { origin, keys, similarity } of unit.ways) {
    const count = keys.reduce((sum, key) => sum + records.frequency(key), 0);
    if (OWN_ORIGINS.has(origin)) own += count;
    else frequency = Math.max(frequency, similarity * count);
  }
  // A company's name counts once in each language.
  frequency = Math.min(records.count, Math.max(own, frequency));
  return { weight: rarityOf(records, frequency), frequency: own };
}

/** Returns the inverse document frequency of what so many records contain. */
export function rarityOf({ count }: Pick<Frequencies, "count">, frequency: number): number {
  return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
}

/**
 * Enters all records, with the times at which they occurred as their scores. Scores are above 0,
 * so records from before 1970 count like those without a time.
 */
function enterLatest(records: Records, rows: Rows): void {
  for (const { base, arrays: { occurred_at } } of records.segments) {
    occurred_at.forEach((instant, document) => {
      rows.scores[base + document] = Number.isNaN(instant) ? 1 : Math.max(1, instant);
    });
  }
}

/**
 * Returns the RECORDS_MAX best admitted records by their scores. If there are more, those of an asked
 * kind that meet all conditions come in before others. Slots are read in order, which is quicker.
 */
function* select(
  rows: Rows,
  { records, question, filters, per_company }: MatchRequest,
  units: readonly WeighedUnit[],
): Generator<void, Candidate[]> {
  const certain = certainKinds(units);
  const isAsked = KINDS.map((_, kind) => certain.every((kinds) => kinds.includes(kind)));
  const tested = units.flatMap((unit, row) =>
    testedOf(unit).map((way) => ({ row, kinds: kindsOf(way), mark: markOf(way) }))
  );
  const admission = yield* admit({ records, question, filters, scores: rows.scores });
  const meeting: number[] = [];
  const others: number[] = [];
  for (const { base, arrays: { kind } } of records.segments) {
    for (let document = 0; document < kind.length; document++) {
      if (document % STEP_DOCUMENTS === 0) yield;
      const admitted = admission[base + document]!;
      if (admitted === 0) continue;
      const isMeeting = admitted === 1 && isAsked[kind[document]!];
      (isMeeting ? meeting : others).push(base + document);
    }
  }
  const ranked = new RankedRecords(records, rows);
  return [...ranked.best(meeting, per_company), ...ranked.best(others, per_company)]
    .slice(0, RECORDS_MAX).sort(ranked.compare)
    .flatMap((slot) => {
      // A record may have been removed meanwhile.
      if (records.numberAt(slot, "live") === 0) return [];
      const similarities = rows.similaritiesOf(slot, units.length);
      const kind = records.numberAt(slot, "kind");
      for (const { row, kinds, mark } of tested) {
        if (kinds.includes(kind)) similarities[row] = Math.max(similarities[row]!, mark);
      }
      return [{ slot, score: rows.scores[slot]!, silent: admission[slot]! - 1, similarities }];
    });
}

/** Ranks slots: best score first, then lower id. */
class RankedRecords {
  constructor(private readonly records: Records, private readonly rows: Rows) {}

  readonly compare = (a: number, b: number): number =>
    this.rows.scores[b]! - this.rows.scores[a]! ||
    this.records.numberAt(a, "observation_id") - this.records.numberAt(b, "observation_id");

  /** Returns the RECORDS_MAX best slots, without those that are too many of one company. */
  best(slots: readonly number[], per_company = RECORDS_MAX): number[] {
    const chosen: number[] = [];
    const counts = new Map<number, number>();
    for (const group of this.rows.bestFirst(slots)) {
      for (const slot of group.sort(this.compare)) {
        const company = this.records.numberAt(slot, "company_id");
        const count = (counts.get(company) ?? 0) + 1;
        if (count > per_company) continue;
        counts.set(company, count);
        if (chosen.push(slot) === RECORDS_MAX) return chosen;
      }
    }
    return chosen;
  }
}

/** Returns the ways that are not looked up because they name kinds. */
function testedOf({ unit, ways }: Pick<WeighedUnit, "unit" | "ways">): Way[] {
  return unit.ways.filter((way) => way.origin === "kind" && !ways.includes(way));
}

/** Returns the places in KINDS that each unit names for certain. The best records match all. */
export function certainKinds(units: readonly WeighedUnit[]): number[][] {
  return units.map((unit) => testedOf(unit).filter(isCertainKind).flatMap(kindsOf))
    .filter((kinds) => kinds.length > 0);
}

/** Returns the similarity of a way, from 1 to SIMILARITY_MAX. */
function markOf({ similarity }: Way): number {
  return Math.max(1, Math.round(similarity * SIMILARITY_MAX));
}
