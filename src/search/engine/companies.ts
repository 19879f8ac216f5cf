/**
 * The best companies of all observations that are offered. A company is worth its best observation,
 * an eighth of its second and a thirty-second of its third: more support decides between companies
 * that match alike, but many weak observations never outweigh a good one.
 */
import { compareHits, type ObservationHit } from "./collectors.ts";
import type { Collector } from "./question.ts";
import type { Presence } from "./presence.ts";
import type { OpenDocument } from "./ranking.ts";
import type { Segment } from "./segment.ts";
import type { Sources } from "./sources.ts";
import type { TailHits } from "./tail.ts";

const SHARES = [1, 1 / 8, 1 / 32] as const;
const SHARES_SUM = SHARES.reduce((sum, share) => sum + share, 0);

/** Returns what the three best documents of a company score on average, as their shares weigh them. */
export function companyMean(first: number, second: number, third: number): number {
  return (first * SHARES[0] + second * SHARES[1] + third * SHARES[2]) / SHARES_SUM;
}

/** Scores of companies are sums: they differ in the last digits. */
const SLACK = 1 - 1e-9;

export interface CompanyHit {
  company_id: number;
  score: number;
  /** Best first. */
  observations: ObservationHit[];
}

/** What a company with such observations, best first, is worth. */
export function companyScore(observations: readonly ObservationHit[]): number {
  return SHARES.reduce(
    (sum, share, place) => sum + share * (observations[place]?.score ?? 0),
    0,
  );
}

interface Candidate extends CompanyHit {
  /** Its place in the heap, or -1. */
  place: number;
}

export class BestCompanies implements Collector {
  threshold = 0;
  /** What an observation scores at most that was not offered, once all that is wanted was. */
  #unoffered = Infinity;
  /** What an observation scores at most that was left out before, as its company falls short. */
  #left = 0;
  readonly #limit: number;
  /** How many observations of a company are kept: as many as are scored or shown. */
  readonly #kept: number;
  readonly #shown: number;
  readonly #candidates = new Map<number, Candidate>();
  /** None is better than those below it, the worst of all on top. */
  readonly #heap: Candidate[] = [];

  readonly isInOneSegment: (company: number) => boolean;

  constructor(
    limits: { companies: number; observations_per_company: number },
    isInOneSegment: (company: number) => boolean,
  ) {
    this.isInOneSegment = isInOneSegment;
    this.#limit = limits.companies;
    this.#shown = limits.observations_per_company;
    this.#kept = Math.max(limits.observations_per_company, SHARES.length);
    if (this.#limit === 0) this.threshold = Infinity;
  }

  wants(segment: Segment, document: number, bound: number): boolean {
    const candidate = this.#candidates.get(segment.companyId(document));
    const last = candidate?.observations[this.#kept - 1];
    return last === undefined || last.score * SLACK <= bound;
  }

  noteLeft(bound: number): void {
    if (bound > this.#left) this.#left = bound;
  }

  offer(observation_id: number, company_id: number, score: number): boolean {
    let candidate = this.#candidates.get(company_id);
    if (candidate === undefined) {
      if (score < this.threshold) return false;
      candidate = { company_id, score: 0, observations: [], place: -1 };
      this.#candidates.set(company_id, candidate);
    }
    insertRanked(candidate.observations, { observation_id, company_id, score }, this.#kept);
    candidate.score = companyScore(candidate.observations);
    this.#rank(candidate);
    if (this.#heap.length < this.#limit) return true;
    this.threshold = Math.max(this.threshold, this.#heap[0]!.score / SHARES_SUM * SLACK);
    return true;
  }

  /** Best first, each with its best observations, whether they were offered or not. */
  hits(sources: Sources, presence: Presence): CompanyHit[] {
    this.#unoffered = Math.max(this.threshold, this.#left);
    // Those that lead come first: they raise what the others have to reach.
    this.#completeAll(this.#heap.slice(), { sources, presence });
    const others = this.#candidates.values().filter((own) =>
      own.place < 0 && this.#mostOf(own) >= this.#least()
    );
    this.#completeAll([...others], { sources, presence });
    return this.#heap.toSorted(compareCompanies).map(({ company_id, score, observations }) => ({
      company_id,
      score,
      observations: observations.slice(0, this.#shown),
    }));
  }

  #completeAll(
    candidates: readonly Candidate[],
    { sources: { segments, tail }, presence }: { sources: Sources; presence: Presence },
  ): void {
    const contenders = candidates.filter((own) => !this.#isComplete(own));
    const ids = contenders.map(({ company_id }) => company_id);
    const open = presence.openDocuments(ids, segments);
    contenders.forEach((own, place) => this.#complete(own, { open: open[place]!, tail }));
  }

  /** Whether nothing that was not offered can be among its best observations. */
  #isComplete({ observations }: Candidate): boolean {
    const last = observations[this.#kept - 1]?.score ?? 0;
    return this.#unoffered === 0 || last > this.#unoffered;
  }

  /** Has those observations offered that can lift a candidate among the best, or be shown. */
  #complete(
    candidate: Candidate,
    { open, tail }: { open: OpenDocument[]; tail: TailHits },
  ): void {
    tail.collectCompany(candidate.company_id, this);
    open.sort((a, b) => b.bound - a.bound);
    if (this.#mostOf(candidate, open) < this.#least()) return;
    for (const { source, document, bound } of open) {
      const last = candidate.observations[this.#kept - 1]?.score ?? 0;
      if (bound >= last * SLACK) source.offer(document, this);
    }
  }

  /** What a company has to reach. */
  #least(): number {
    return this.#heap.length < this.#limit ? 0 : this.#heap[0]!.score * SLACK;
  }

  /** What a candidate can be worth with these observations; absent: with any that were not offered. */
  #mostOf({ observations }: Candidate, open?: readonly OpenDocument[]): number {
    let most = 0;
    for (let place = 0, known = 0, bounded = 0; place < SHARES.length; place++) {
      const bound = open === undefined ? this.#unoffered : open[bounded]?.bound ?? 0;
      const score = observations[known]?.score ?? 0;
      if (score > bound) known++;
      else bounded++;
      most += SHARES[place]! * Math.max(score, bound);
    }
    return most;
  }

  /** Finds a candidate its place in the heap after its score has risen. */
  #rank(candidate: Candidate): void {
    const heap = this.#heap;
    if (candidate.place >= 0) this.#sink(candidate, candidate.place);
    else if (heap.length < this.#limit) this.#rise(candidate, heap.length);
    else if (compareCompanies(candidate, heap[0]!) < 0) {
      heap[0]!.place = -1;
      this.#sink(candidate, 0);
    }
  }

  #rise(candidate: Candidate, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      if (compareCompanies(candidate, this.#heap[above]!) <= 0) break;
      this.#set(place, this.#heap[above]!);
      place = above;
    }
    this.#set(place, candidate);
  }

  #sink(candidate: Candidate, from: number): void {
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

  #set(place: number, candidate: Candidate): void {
    this.#heap[place] = candidate;
    candidate.place = place;
  }
}

/** Best first; companies that score alike in the order of their ids. */
export function compareCompanies(
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
  best.splice(place, 0, hit);
  if (best.length > kept) best.pop();
}
