/**
 * Computes the features by which the judge estimates whether a record is about the question. Each
 * feature is a number from 0 to about 1.
 */
import { type Kind, KINDS } from "../../contract/vocabulary.ts";
import type { Records } from "../index/records.ts";
import { type Candidate, type Match, OWN_WORDS, SIMILARITY_MAX } from "../match/match.ts";
import type { Question, Unit, Way } from "../question/question.ts";
import { writtenForm } from "../index/analyze.ts";
import { LANGUAGES } from "../words/language.ts";
import { keyOf, termOf } from "../words/terms.ts";
import { isContent, wordsOf } from "../words/tokens.ts";

/** Names of the features, in the order of their values. */
export const FEATURES = [
  /** Share of the subject's weight that the record's own words meet. */
  "own",
  /** Share of the weight that the best ways meet, by their similarity. */
  "any",
  /** Similarity of the unit that the record meets least. */
  "weakest",
  /** Mean impact of the best ways: frequent words in short, prominent fields. */
  "impact",
  /** Score of the record, as a share of the best score of the search. */
  "relative",
  /** Share of the neighbouring units that are near each other in the record. */
  "near",
  /** Share of the weight that the best window of a dozen words meets, by similarity. */
  "local",
  /** Share of the weight that the company's name or the observed fact meets. */
  "lead",
  /** Share of the conditions about which the record says nothing. */
  "silent",
  /** 1 if the question names kinds of records, and the record is of another kind. */
  "other_kind",
] as const;

/** Max distance in words of two units that are near each other. */
const NEAR_WORDS = 3;

/** Max distance in words of the units that `local` counts together. */
const WINDOW_WORDS = 12;

/** A unit of the subject, with its row in the match. */
interface SubjectUnit {
  row: number;
  weight: number;
  unit: Unit;
}

/** A way that is a word or phrase. */
interface WordWay {
  /** Place of its unit in the subject. */
  place: number;
  similarity: number;
  /** Hashes of its words in streams. */
  hashes: readonly number[];
}

/** A way in a record's stream. */
interface Hit extends WordWay {
  at: number;
}

/** Computes the features of the candidates of one search. */
export class FeatureReader {
  readonly #records: Records;
  readonly #subject: SubjectUnit[];
  readonly #sum: number;
  readonly #bestScore: number;
  readonly #conditions: number;
  /** Number of a list in #ways by the hash of a word; 0: the word begins no way. */
  readonly #marks = new Uint16Array(1 << 16);
  /** Ways that begin with the same word. */
  readonly #ways: WordWay[][] = [];
  /** Places in KINDS of the kinds that the question names. */
  readonly #kinds: ReadonlySet<number>;

  constructor(
    records: Records,
    { conditions, units: asked }: Question,
    { units, candidates }: Match,
  ) {
    this.#records = records;
    this.#subject = units.map(({ unit, weight }, row) => ({ unit, weight, row }))
      .filter(({ unit, weight }) => unit.condition === undefined && weight > 0);
    this.#sum = this.#subject.reduce((sum, { weight }) => sum + weight, 0);
    this.#bestScore = candidates[0]?.score ?? 1;
    this.#conditions = conditions.length;
    this.#kinds = new Set(asked.flatMap(({ ways }) => ways).flatMap(kindsOf));
    for (const [place, { unit }] of this.#subject.entries()) {
      for (const way of unit.ways) {
        for (const hashes of hashesOf(way)) {
          const { similarity } = way;
          const number = this.#marks[hashes[0]!] ||= this.#ways.push([]);
          this.#ways[number - 1]!.push({ place, similarity, hashes });
        }
      }
    }
  }

  /** Returns the features of a candidate, in the order of FEATURES. */
  read(candidate: Candidate): number[] {
    const { values, similarities, score, silent } = candidate;
    const count = this.#subject.length;
    const silentShare = silent / Math.max(1, this.#conditions);
    const other = this.#isOtherKind(candidate.slot) ? 1 : 0;
    if (count === 0) return [1, 1, 1, 1, score / this.#bestScore, 1, 1, 1, silentShare, other];
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
    const { near, local, lead } = this.#readStream(candidate.slot);
    const sum = this.#sum;
    return [
      own / sum,
      any / sum,
      weakest,
      impact / sum,
      score / this.#bestScore,
      near,
      local,
      lead,
      silentShare,
      other,
    ];
  }

  #isOtherKind(slot: number): boolean {
    const { base, arrays } = this.#records.segmentOf(slot);
    return this.#kinds.size > 0 && !this.#kinds.has(arrays.kinds[slot - base]!);
  }

  /** Reads the words of a record in their order. */
  #readStream(slot: number): { near: number; local: number; lead: number } {
    const { base, arrays: segment } = this.#records.segmentOf(slot);
    const document = slot - base;
    const from = segment.stream_starts[document]!;
    const to = segment.stream_starts[document + 1]!;
    const leadEnd = from + segment.company_lengths[document]! + segment.fact_lengths[document]!;
    const hits: Hit[] = [];
    for (let at = from; at < to; at++) {
      const found = this.#marks[segment.stream[at]!]!;
      if (found === 0) continue;
      for (const mark of this.#ways[found - 1]!) {
        let length = 1;
        while (length < mark.hashes.length && segment.stream[at + length] === mark.hashes[length]) {
          length++;
        }
        if (length === mark.hashes.length) hits.push({ at, ...mark });
      }
    }
    const count = this.#subject.length;
    const lead = new Float64Array(count);
    const isNear = new Uint8Array(count);
    const best = new Float64Array(count);
    let local = 0;
    for (let first = 0; first < hits.length; first++) {
      const { at, place, similarity } = hits[first]!;
      if (at < leadEnd) lead[place] = Math.max(lead[place]!, similarity);
      best.fill(0);
      let covered = 0;
      for (let next = first; next < hits.length; next++) {
        const hit = hits[next]!;
        const distance = hit.at - at;
        if (distance > WINDOW_WORDS) break;
        if (distance <= NEAR_WORDS && Math.abs(hit.place - place) === 1) {
          isNear[Math.max(hit.place, place)] = 1;
        }
        if (hit.similarity > best[hit.place]!) {
          covered += (hit.similarity - best[hit.place]!) * this.#subject[hit.place]!.weight;
          best[hit.place] = hit.similarity;
        }
      }
      local = Math.max(local, covered);
    }
    const pairs = count - 1;
    return {
      near: pairs === 0 ? 1 : isNear.reduce((sum, one) => sum + one, 0) / pairs,
      local: local / this.#sum,
      lead: lead.reduce((sum, one, place) => sum + one * this.#subject[place]!.weight, 0) /
        this.#sum,
    };
  }
}

/** Returns the places in KINDS of the kinds that a way names for certain. */
function kindsOf({ origin, similarity, text }: Way): number[] {
  if (origin !== "kind" || similarity < 1) return [];
  return text.split(" ").map((term) => KINDS.indexOf(term.slice("kind:".length) as Kind));
}

/** Returns the hashes of the words of a way in streams, one list per language. */
function hashesOf({ text }: Way): number[][] {
  if (text.includes(":")) return [];
  const all = LANGUAGES.map((language) =>
    wordsOf(text).filter((word) => isContent(word, language))
      .map((word) => keyOf(termOf([writtenForm(word)], language)) & 0xffff)
  );
  return all.filter((hashes) => hashes.length > 0);
}
