/**
 * Matches a question with all records in one pass. Unit by unit, the value of a record is that of
 * its best way. Scores are sums over units. Nothing is cut before every unit has been read.
 */
import { Slices } from "../../slices.ts";
import type { Records } from "../index/records.ts";
import type { Question, Unit, Way } from "../question/question.ts";
import { admissionOf, type RecordFilters } from "./admission.ts";
import { borrowRows, type Rows } from "./rows.ts";

/** Max number of single records that the judge looks at. */
const RECORDS_MAX = 300;

/**
 * Max number of companies whose best records the judge looks at. It is above the number of companies
 * of a shortlist, because the judge refuses some.
 */
const COMPANIES_MAX = 150;

/** A unit with its weight in this index. */
export interface WeighedUnit {
  unit: Unit;
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
  similarities: Uint8Array;
}

/** Greatest similarity: that of a way that means the same. */
export const SIMILARITY_MAX = 255;

/** Units and candidates of a search. Candidates are sorted: best score first, then lower id. */
export interface Match {
  units: WeighedUnit[];
  candidates: Candidate[];
}

export interface MatchRequest {
  records: Records;
  question: Question;
  filters: RecordFilters;
  /** Max number of candidates of a company. Absent: the best records, whichever companies they have. */
  per_company?: number;
}

/** Returns the best candidates of a question. The event loop gets turns meanwhile. */
export async function match(request: MatchRequest, slices = new Slices()): Promise<Match> {
  const steps = matchSteps(request);
  for (let step = steps.next();; step = steps.next()) {
    if (step.done) return step.value;
    if (slices.isOver) await slices.turn();
  }
}

/** Returns the best candidates of a question, as match() does, in one turn. */
export function matchNow(request: MatchRequest): Match {
  const steps = matchSteps(request);
  for (let step = steps.next();; step = steps.next()) if (step.done) return step.value;
}

/** Matches a question in short steps. */
function* matchSteps(request: MatchRequest): Generator<void, Match> {
  const { records, question } = request;
  using rows = borrowRows({ rows: question.units.length, slots: records.size });
  const units = question.units.map((unit) => weigh(records, unit));
  if (units.every(({ weight }) => weight === 0)) { for (const unit of units) unit.weight = 1; }
  for (const [row, { unit, weight }] of units.entries()) {
    rows.begin(row);
    for (const way of unit.ways) {
      readWay(records, way, rows);
      yield;
    }
    rows.add(weight);
  }
  // A query that only excludes, beside filters, asks for the latest records that remain.
  if (units.length === 0 && question.excluded.length > 0) enterLatest(records, rows);
  return { units, candidates: yield* select(rows, request) };
}

/** Origins of ways that are forms of the unit's own words. */
const OWN_ORIGINS: ReadonlySet<Way["origin"]> = new Set(["words", "compound", "spelling"]);

/**
 * Returns a unit with its weight. The frequency of a similar word counts in proportion to its
 * similarity: a rare English word weighs little where its French translation is common.
 */
function weigh(records: Records, unit: Unit): WeighedUnit {
  let own = 0;
  let frequency = 0;
  for (const { origin, keys, similarity } of unit.ways) {
    const count = keys.reduce((sum, key) => sum + records.frequency(key), 0);
    if (OWN_ORIGINS.has(origin)) own += count;
    else frequency = Math.max(frequency, similarity * count);
  }
  frequency = Math.max(own, frequency);
  const rarity = Math.log(1 + (records.count - frequency + 0.5) / (frequency + 0.5));
  return { unit, weight: unit.is_filler ? 0 : rarity, frequency: own };
}

/** Enters the records that a way finds into the present row. */
function readWay(records: Records, { keys, similarity }: Way, rows: Rows): void {
  const mark = Math.max(1, Math.round(similarity * SIMILARITY_MAX));
  for (const key of keys) {
    for (const segment of records.segments) {
      const range = segment.find(key);
      if (range !== undefined) rows.enter(segment, range, { similarity, mark });
    }
  }
}

/** Enters all records, with the times at which they occurred as their scores. */
function enterLatest(records: Records, rows: Rows): void {
  for (const { base, arrays: { occurred } } of records.segments) {
    occurred.forEach((instant, document) => {
      rows.touched[rows.touchedCount++] = base + document;
      rows.scores[base + document] = Number.isNaN(instant) ? 0 : instant;
    });
  }
}

/** Returns the best admitted records. */
function* select(rows: Rows, request: MatchRequest): Generator<void, Candidate[]> {
  const { records, per_company = RECORDS_MAX } = request;
  const admission = admissionOf(request);
  const isGrouped = request.per_company !== undefined;
  /** Best records by company, or of all companies under 0. */
  const groups = new Map<number, Best>();
  const { touched, scores } = rows;
  for (let n = 0; n < rows.touchedCount; n++) {
    if ((n & 0xfff) === 0xfff) yield;
    const slot = touched[n]!;
    const score = scores[slot]!;
    const { base, arrays } = records.segmentOf(slot);
    const company = isGrouped ? arrays.companies[slot - base]! : 0;
    let best = groups.get(company);
    if (best !== undefined && best.isFull && score < best.lowest) continue;
    const silent = admission.silent(slot);
    if (silent === undefined) continue;
    if (best === undefined) groups.set(company, best = new Best(per_company));
    best.offer({ slot, score, silent, id: arrays.ids[slot - base]! });
  }
  return [...groups.values()].map((best) => best.sorted())
    .sort(([a], [b]) => compareScored(a!, b!)).slice(0, COMPANIES_MAX).flat()
    .sort(compareScored)
    .map(({ slot, score, silent }) => ({
      slot,
      score,
      silent,
      similarities: rows.similaritiesOf(slot),
    }));
}

interface Scored {
  slot: number;
  score: number;
  silent: number;
  id: number;
}

/** Keeps the best of many scored records in a binary heap with the worst one on top. */
class Best {
  readonly #heap: Scored[] = [];
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get isFull(): boolean {
    return this.#heap.length === this.#max;
  }

  /** Lowest kept score. */
  get lowest(): number {
    return this.#heap[0]!.score;
  }

  offer(scored: Scored): void {
    const heap = this.#heap;
    if (!this.isFull) {
      heap.push(scored);
      this.#rise(heap.length - 1);
    } else if (isWorse(heap[0]!, scored)) {
      heap[0] = scored;
      this.#sink();
    }
  }

  sorted(): Scored[] {
    return this.#heap.toSorted(compareScored);
  }

  #rise(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!isWorse(heap[at]!, heap[parent]!)) return;
      [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
      at = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) return;
      if (child + 1 < heap.length && isWorse(heap[child + 1]!, heap[child]!)) child++;
      if (!isWorse(heap[child]!, heap[at]!)) return;
      [heap[at], heap[child]] = [heap[child]!, heap[at]!];
      at = child;
    }
  }
}

function isWorse(a: Scored, b: Scored): boolean {
  return a.score < b.score || a.score === b.score && a.id > b.id;
}

/** Compares scored records: the better one first, then the lower id. */
function compareScored(a: Scored, b: Scored): number {
  return b.score - a.score || a.id - b.id;
}
