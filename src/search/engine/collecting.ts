/**
 * Collects the best observations or the best companies that a search offers. The score of a company
 * is the score of its best observation, plus an eighth of the second and a thirty-second of the
 * third. Additional observations therefore decide between companies whose best observations are
 * equally good. Many weak observations do not outweigh a much better one.
 */
import { DOCUMENTS_MAX } from "./layout.ts";
import type { Segment } from "./segment.ts";

/** An observation that a search found. */
export interface ObservationHit {
  observation_id: number;
  company_id: number;
  score: number;
}

/** Orders hits by descending score, then by id. */
export function compareHits(a: ObservationHit, b: ObservationHit): number {
  return b.score - a.score || a.observation_id - b.observation_id;
}

/**
 * Collects the observations that a search offers. The search offers at least each admitted
 * observation whose score reaches `threshold` at that moment.
 */
export interface Collector {
  /** Min score of a wanted observation. It never decreases. */
  readonly threshold: number;
  /**
   * Tells whether one segment contains all documents of a company. The segment can then bound the
   * score of the company. Null: observations are collected without regard to companies.
   */
  readonly isInOneSegment: ((company: number) => boolean) | null;
  /** Returns whether a document with this upper bound of its score is wanted. */
  wants(segment: Segment, document: number, bound: number): boolean;
  /**
   * Notes the upper bound of the score of a document that was left out, because its company cannot
   * rank high enough.
   */
  noteLeft(bound: number): void;
  /**
   * Collects an observation if it is wanted.
   * @returns false if the observation may become wanted later and must then be offered again
   */
  offer(observationId: number, companyId: number, score: number): boolean;
}

/** Keeps the best observations. */
export class BestObservations implements Collector {
  threshold = 0;
  readonly isInOneSegment = null;
  readonly #limit: number;
  /** Heap of the best hits, with the worst of them on top. */
  readonly #heap: ObservationHit[] = [];

  constructor(limit: number) {
    this.#limit = limit;
    if (limit === 0) this.threshold = Infinity;
  }

  wants(): boolean {
    return true;
  }

  /** Does nothing: a document below the threshold can no longer become wanted. */
  noteLeft(): void {}

  offer(observation_id: number, company_id: number, score: number): boolean {
    if (score < this.threshold) return true;
    const hit = { observation_id, company_id, score };
    if (this.#heap.length < this.#limit) this.#rise(hit, this.#heap.length);
    else if (compareHits(hit, this.#heap[0]!) < 0) this.#sink(hit);
    if (this.#heap.length === this.#limit) this.threshold = this.#heap[0]?.score ?? Infinity;
    return true;
  }

  /** Returns the hits, best first. */
  hits(): ObservationHit[] {
    return this.#heap.toSorted(compareHits);
  }

  #rise(hit: ObservationHit, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      if (compareHits(hit, this.#heap[above]!) <= 0) break;
      this.#heap[place] = this.#heap[above]!;
      place = above;
    }
    this.#heap[place] = hit;
  }

  #sink(hit: ObservationHit): void {
    const { length } = this.#heap;
    let place = 0;
    for (let below = 1; below < length; below = 2 * place + 1) {
      if (below + 1 < length && compareHits(this.#heap[below + 1]!, this.#heap[below]!) > 0) {
        below++;
      }
      if (compareHits(this.#heap[below]!, hit) <= 0) break;
      this.#heap[place] = this.#heap[below]!;
      place = below;
    }
    this.#heap[place] = hit;
  }
}

/** Weights of a company's best observations in its score, best first. */
const SHARES = [1, 1 / 8, 1 / 32] as const;

const SHARES_SUM = SHARES.reduce((sum, share) => sum + share, 0);

/** Returns the mean score of a company's three best documents, weighted by their shares. */
function companyMean(first: number, second: number, third: number): number {
  return (first * SHARES[0] + second * SHARES[1] + third * SHARES[2]) / SHARES_SUM;
}

/**
 * Factor by which thresholds are lowered, to allow for rounding. Bounds are added up in another
 * order than scores, so their last digits differ.
 */
export const SLACK = 1 - 1e-9;

/** A company that a search found. */
export interface CompanyHit {
  company_id: number;
  score: number;
  /** Its best observations, best first. */
  observations: ObservationHit[];
}

/** Returns the score of a company. @param observations best first */
export function companyScore(observations: readonly ObservationHit[]): number {
  let score = 0;
  for (let place = 0; place < SHARES.length && place < observations.length; place++) {
    score += SHARES[place]! * observations[place]!.score;
  }
  return score;
}

/** A document that may still be wanted, with the upper bound of its score. */
export interface OpenDocument {
  source: { offer(document: number, collector: Collector): boolean };
  document: number;
  bound: number;
}

/** Finds the documents of companies that have not been offered to a collector yet. */
interface RemainingDocuments {
  /** Returns, for each company, the documents in segments that may match and were not offered. */
  openDocuments(companies: readonly number[]): OpenDocument[][];
  /** Offers the documents of a company that are in the tail. */
  offerTail(companyId: number, collector: Collector): void;
}

interface CompanyCandidate extends CompanyHit {
  /** Position in the heap, or -1. */
  place: number;
}

/** Max number of companies of a result, and max number of observations per company. */
export interface CompanyLimits {
  companies: number;
  observations_per_company: number;
}

/** Keeps the best companies, each with its best observations. */
export class BestCompanies implements Collector {
  threshold = 0;
  /**
   * Upper bound of the scores of observations that were not offered. It is infinite until all
   * wanted observations were offered.
   */
  #unoffered = Infinity;
  /**
   * Upper bound of the scores of observations that were left out because their companies cannot
   * rank high enough.
   */
  #left = 0;
  readonly #limit: number;
  /**
   * Number of observations that are kept per company: the number that is scored or shown, whichever
   * is larger.
   */
  readonly #kept: number;
  readonly #shown: number;
  readonly #candidates = new Map<number, CompanyCandidate>();
  /** Id of the last company that was looked up. `wants` and `offer` look up the same company. */
  #lastId = NaN;
  #last: CompanyCandidate | undefined;
  /** Heap of the best companies, with the worst of them on top. */
  readonly #heap: CompanyCandidate[] = [];

  readonly isInOneSegment: (company: number) => boolean;

  constructor(
    limits: CompanyLimits,
    isInOneSegment: (company: number) => boolean,
  ) {
    this.isInOneSegment = isInOneSegment;
    this.#limit = limits.companies;
    this.#shown = limits.observations_per_company;
    this.#kept = Math.max(limits.observations_per_company, SHARES.length);
    if (this.#limit === 0) this.threshold = Infinity;
  }

  wants(segment: Segment, document: number, bound: number): boolean {
    const candidate = this.#candidateOf(segment.companyId(document));
    const last = candidate?.observations[this.#kept - 1];
    return last === undefined || last.score * SLACK <= bound;
  }

  noteLeft(bound: number): void {
    if (bound > this.#left) this.#left = bound;
  }

  offer(observation_id: number, company_id: number, score: number): boolean {
    let candidate = this.#candidateOf(company_id);
    if (candidate === undefined) {
      if (score < this.threshold) return false;
      candidate = { company_id, score: 0, observations: [], place: -1 };
      this.#candidates.set(company_id, candidate);
      this.#last = candidate;
    }
    insertRanked(candidate.observations, { observation_id, company_id, score }, this.#kept);
    candidate.score = companyScore(candidate.observations);
    this.#rank(candidate);
    if (this.#heap.length < this.#limit) return true;
    this.threshold = Math.max(this.threshold, this.#heap[0]!.score / SHARES_SUM * SLACK);
    return true;
  }

  #candidateOf(company: number): CompanyCandidate | undefined {
    if (company !== this.#lastId) {
      this.#lastId = company;
      this.#last = this.#candidates.get(company);
    }
    return this.#last;
  }

  /**
   * Returns the companies, best first, each with its best observations. Observations that are
   * needed, but were not offered, are requested first.
   */
  hits(remaining: RemainingDocuments): CompanyHit[] {
    this.#unoffered = Math.max(this.threshold, this.#left);
    // Leading companies are completed first, because they raise the score that the rest must reach.
    this.#completeAll(this.#heap.slice(), remaining);
    const trailing = this.#candidates.values().filter((candidate) =>
      candidate.place < 0 && this.#maxScoreOf(candidate) >= this.#minScore()
    );
    this.#completeAll([...trailing], remaining);
    return this.#heap.toSorted(compareCompanies).map(({ company_id, score, observations }) => ({
      company_id,
      score,
      observations: observations.slice(0, this.#shown),
    }));
  }

  #completeAll(candidates: readonly CompanyCandidate[], remaining: RemainingDocuments): void {
    const contenders = candidates.filter((candidate) => !this.#isComplete(candidate));
    const ids = contenders.map(({ company_id }) => company_id);
    const open = remaining.openDocuments(ids);
    contenders.forEach((candidate, place) => {
      remaining.offerTail(candidate.company_id, this);
      this.#complete(candidate, open[place]!);
    });
  }

  /** Returns whether the kept observations of a company are certainly its best ones. */
  #isComplete({ observations }: CompanyCandidate): boolean {
    const last = observations[this.#kept - 1]?.score ?? 0;
    return this.#unoffered === 0 || last > this.#unoffered;
  }

  /**
   * Offers the open documents that can be among a candidate's kept observations. Offers none if the
   * candidate cannot be among the best companies.
   */
  #complete(candidate: CompanyCandidate, open: OpenDocument[]): void {
    open.sort((a, b) => b.bound - a.bound);
    if (this.#maxScoreOf(candidate, open) < this.#minScore()) return;
    for (const { source, document, bound } of open) {
      const last = candidate.observations[this.#kept - 1]?.score ?? 0;
      if (bound >= last * SLACK) source.offer(document, this);
    }
  }

  /** Returns the min score of a wanted company. */
  #minScore(): number {
    return this.#heap.length < this.#limit ? 0 : this.#heap[0]!.score * SLACK;
  }

  /**
   * Returns the upper bound of a candidate's score after its `open` documents are offered. If
   * `open` is absent, the candidate may have any number of documents that were not offered.
   */
  #maxScoreOf({ observations }: CompanyCandidate, open?: readonly OpenDocument[]): number {
    let bestScore = 0;
    for (let place = 0, known = 0, bounded = 0; place < SHARES.length; place++) {
      const bound = open === undefined ? this.#unoffered : open[bounded]?.bound ?? 0;
      const score = observations[known]?.score ?? 0;
      if (score > bound) known++;
      else bounded++;
      bestScore += SHARES[place]! * Math.max(score, bound);
    }
    return bestScore;
  }

  /** Moves a candidate to its position in the heap after its score has risen. */
  #rank(candidate: CompanyCandidate): void {
    const heap = this.#heap;
    if (candidate.place >= 0) this.#sink(candidate, candidate.place);
    else if (heap.length < this.#limit) this.#rise(candidate, heap.length);
    else if (compareCompanies(candidate, heap[0]!) < 0) {
      heap[0]!.place = -1;
      this.#sink(candidate, 0);
    }
  }

  #rise(candidate: CompanyCandidate, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      if (compareCompanies(candidate, this.#heap[above]!) <= 0) break;
      this.#set(place, this.#heap[above]!);
      place = above;
    }
    this.#set(place, candidate);
  }

  #sink(candidate: CompanyCandidate, from: number): void {
    const heap = this.#heap;
    let place = from;
    for (let below = 2 * place + 1; below < heap.length; below = 2 * place + 1) {
      if (below + 1 < heap.length && compareCompanies(heap[below + 1]!, heap[below]!) > 0) below++;
      if (compareCompanies(heap[below]!, candidate) <= 0) break;
      this.#set(place, heap[below]!);
      place = below;
    }
    this.#set(place, candidate);
  }

  #set(place: number, candidate: CompanyCandidate): void {
    this.#heap[place] = candidate;
    candidate.place = place;
  }
}

/** Orders companies by descending score, then by id. */
function compareCompanies(
  a: Pick<CompanyHit, "company_id" | "score">,
  b: Pick<CompanyHit, "company_id" | "score">,
): number {
  return b.score - a.score || a.company_id - b.company_id;
}

function insertRanked(best: ObservationHit[], hit: ObservationHit, kept: number): void {
  if (best.length === kept && compareHits(hit, best[kept - 1]!) >= 0) return;
  let place = best.length;
  while (place > 0 && compareHits(hit, best[place - 1]!) < 0) place--;
  if (best[place - 1]?.observation_id === hit.observation_id) return;
  if (best.length < kept) best.push(hit);
  for (let at = best.length - 1; at > place; at--) best[at] = best[at - 1]!;
  best[place] = hit;
}

/** Documents of one segment that wait to be scored, in a range of the arrays. */
interface WaitingDocuments {
  documents: Uint16Array;
  /** Upper bound of each document's score, as a sum: see scanning.ts. */
  sums: Uint16Array;
  from: number;
  to: number;
  /** Upper bound of the sums of the segment's documents that do not wait. */
  minSum: number;
}

// This array is shared by all searches, because only one runs at a time. It contains four numbers
// per company: its three best sums, and its number of waiting documents. All are 0 between
// searches.
const bestSums = new Uint16Array(4 * (DOCUMENTS_MAX + 1));

/** Position of the number of waiting documents among the four numbers of a company. */
const COUNT = 3;

/**
 * Writes, for each document, the upper bound of the mean sum of its company (see companyMean). If
 * several segments contain the company, the bound is the sum of its best document.
 */
export function boundCompanies(
  segment: Segment,
  waiting: WaitingDocuments,
  { bounds, isInOneSegment }: {
    bounds: Uint16Array;
    isInOneSegment: (company: number) => boolean;
  },
): void {
  const { documents, sums, from, to, minSum } = waiting;
  const { companies, companyOf, companyStarts } = segment.parts;
  for (let at = from; at < to; at++) noteSum(4 * companyOf[documents[at]!]!, sums[at]!);
  for (let at = from; at < to; at++) {
    const company = companyOf[documents[at]!]!;
    const first = 4 * company;
    const count = bestSums[first + COUNT]!;
    // An earlier document of the company has already replaced its best sum by the bound.
    if (count === 0) {
      bounds[at] = bestSums[first]!;
      continue;
    }
    if (isInOneSegment(companies[company]!)) {
      const all = companyStarts[company + 1]! - companyStarts[company]!;
      const rest = all > count ? minSum : 0;
      const next = Math.max(bestSums[first + 1]!, rest);
      const last = all > 2 ? Math.max(bestSums[first + 2]!, rest) : 0;
      bestSums[first] = Math.ceil(companyMean(bestSums[first]!, next, last));
    }
    bounds[at] = bestSums[first]!;
    bestSums[first + 1] = bestSums[first + 2] = bestSums[first + COUNT] = 0;
  }
  for (let at = from; at < to; at++) bestSums[4 * companyOf[documents[at]!]!] = 0;
}

function noteSum(first: number, sum: number): void {
  bestSums[first + COUNT]!++;
  if (sum > bestSums[first]!) {
    bestSums[first + 2] = bestSums[first + 1]!;
    bestSums[first + 1] = bestSums[first]!;
    bestSums[first] = sum;
  } else if (sum > bestSums[first + 1]!) {
    bestSums[first + 2] = bestSums[first + 1]!;
    bestSums[first + 1] = sum;
  } else if (sum > bestSums[first + 2]!) bestSums[first + 2] = sum;
}
