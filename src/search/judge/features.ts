/**
 * Computes the features by which the judge estimates whether a record is about the question. Each
 * feature is a number from 0 to about 1.
 */
import type { RecordIndex } from "../index/record_index.ts";
import { type Candidate, type Match, OWN_WORDS, SIMILARITY_MAX } from "../match/match.ts";
import type { Question, Unit, Way } from "../question/question.ts";

/** Names of the features, in the order of their values. */
export const FEATURES = [
  /** Share of the question's weight that the record's own words meet. */
  "own",
  /** Share of the question's weight that the best ways meet, by their similarity. */
  "any",
  /** Similarity of the unit that the record meets least. */
  "weakest",
  /** Mean impact of the best ways: frequent words in short, prominent fields. */
  "impact",
  /** Score of the record, as a share of the best score of the search. */
  "relative",
  /** Share of the neighbouring units that are near each other in the record. */
  "near",
  /** Share of the weight that stands in the company's name or the observed fact. */
  "lead",
  /** Agreement of the question with the company's name. */
  "name",
  /** 1 if the question has a single unit. */
  "single",
  /** Logarithm of the number of units. */
  "length",
  /** Share of the conditions about which the record says nothing. */
  "silent",
  /** Mean rarity of the units. */
  "rarity",
] as const;

/** Max distance in words of two units that are near each other. */
const NEAR_WORDS = 3;

/** A unit of the subject, with its row in the match. */
interface SubjectUnit {
  row: number;
  weight: number;
  unit: Unit;
}

/** Computes the features of the candidates of one search. */
export class FeatureReader {
  readonly #index: RecordIndex;
  readonly #subject: SubjectUnit[];
  readonly #sum: number;
  readonly #bestScore: number;
  readonly #conditions: number;
  /** Place of a unit in the subject, plus 1, by the hash of a word in a record's stream. */
  readonly #places = new Uint8Array(1 << 16);
  readonly #rarity: number;

  constructor(index: RecordIndex, { conditions }: Question, { units, candidates }: Match) {
    this.#index = index;
    this.#subject = units.map(({ unit, weight }, row) => ({ unit, weight, row }))
      .filter(({ unit, weight }) => unit.condition === undefined && weight > 0);
    this.#sum = this.#subject.reduce((sum, { weight }) => sum + weight, 0);
    this.#bestScore = candidates[0]?.score ?? 1;
    this.#conditions = conditions.length;
    this.#rarity = this.#sum / Math.max(1, this.#subject.length) / Math.log(index.count + 2);
    for (const [place, { unit }] of this.#subject.entries()) {
      for (const hash of hashesOf(unit.ways)) this.#places[hash] ||= place + 1;
    }
  }

  /** Returns the features of a candidate, in the order of FEATURES. */
  read(candidate: Candidate): number[] {
    const { values, similarities, score, silent } = candidate;
    const count = this.#subject.length;
    const silentShare = silent / Math.max(1, this.#conditions);
    if (count === 0) return [1, 1, 1, 1, score / this.#bestScore, 1, 1, 0, 0, 0, silentShare, 0];
    let own = 0;
    let any = 0;
    let impact = 0;
    let weakest = 1;
    for (const { row, weight } of this.#subject) {
      const similarity = (similarities[row]! & SIMILARITY_MAX) / SIMILARITY_MAX;
      if ((similarities[row]! & OWN_WORDS) !== 0) own += weight;
      any += weight * similarity;
      impact += weight * values[row]! / 255;
      weakest = Math.min(weakest, similarity);
    }
    const { near, lead, name } = this.#readStream(candidate.slot);
    const sum = this.#sum;
    return [
      own / sum,
      any / sum,
      weakest,
      impact / sum,
      score / this.#bestScore,
      near,
      lead,
      name,
      count === 1 ? 1 : 0,
      Math.log(count) / 3,
      silentShare,
      this.#rarity,
    ];
  }

  /** Reads the words of a record in their order. */
  #readStream(slot: number): { near: number; lead: number; name: number } {
    const { base, arrays: segment } = this.#index.segmentOf(slot);
    const document = slot - base;
    const from = segment.stream_starts[document]!;
    const to = segment.stream_starts[document + 1]!;
    const nameEnd = from + segment.company_lengths[document]!;
    const leadEnd = nameEnd + segment.fact_lengths[document]!;
    const last = new Int32Array(this.#subject.length).fill(-1_000);
    const isNear = new Uint8Array(this.#subject.length);
    let inLead = 0;
    let inName = 0;
    let unitsInName = 0;
    for (let at = from; at < to; at++) {
      const place = this.#places[segment.stream[at]!]! - 1;
      if (place < 0) continue;
      const isFirst = last[place] === -1_000;
      last[place] = at;
      if (place > 0 && at - last[place - 1]! <= NEAR_WORDS) isNear[place] = 1;
      if (place + 1 < last.length && at - last[place + 1]! <= NEAR_WORDS) isNear[place + 1] = 1;
      if (at < nameEnd) inName++;
      if (isFirst && at < nameEnd) unitsInName++;
      if (isFirst && at < leadEnd) inLead += this.#subject[place]!.weight;
    }
    const pairs = this.#subject.length - 1;
    return {
      near: pairs === 0 ? 1 : isNear.reduce((sum, one) => sum + one, 0) / pairs,
      lead: inLead / this.#sum,
      name: nameEnd === from
        ? 0
        : inName / (nameEnd - from) * unitsInName / this.#subject.length,
    };
  }
}

/** Returns the hashes of single words in streams, of ways that are words. */
function* hashesOf(ways: readonly Way[]): Iterable<number> {
  for (const { keys, text } of ways) {
    if (text.includes(":") || text.includes(" ")) continue;
    for (const key of keys) yield key & 0xffff;
  }
}
