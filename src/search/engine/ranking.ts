/**
 * One segment's part in a search: finds every admitted document that may be wanted, and scores it
 * exactly, in one canonical order of additions, so that neither the layout of segments nor the way
 * a document was found shows in a score.
 */
import type { Admission } from "./admission.ts";
import { K } from "./fields.ts";
import { placeOfTerm } from "./forward.ts";
import { ESCAPE } from "./layout.ts";
import type { Collector, WeightedQuestion, WeightedTerm } from "./question.ts";
import { type Pool, SLACK } from "./pool.ts";
import { firstFrom } from "./rising.ts";
import { addUp, clear, guess, omitsTooMuch, openScan, pick, type Scan } from "./scan.ts";
import type { Segment } from "./segment.ts";

/** A document scored by itself costs as much as so many postings added up. */
const EXACT_COST = 100;

/** A document that may still be wanted, and what it scores at most. */
export interface OpenDocument {
  source: SegmentSearch;
  document: number;
  bound: number;
}

export interface SegmentQuestion extends WeightedQuestion {
  /** By term: its number in the segment, or -1. */
  numbers: readonly number[];
  /** See lengthFactors. */
  factors: Float64Array;
  admission: Admission;
  /** Tells the segment from others: see presence.ts. */
  bit: number;
}

export class SegmentSearch {
  readonly bit: number;
  readonly segment: Segment;
  readonly #question: SegmentQuestion;
  /** With what sums it has left; none where nothing was added up. */
  #scan: Scan | null = null;
  /** What documents score at most that were not offered, where no sums tell. */
  #bound = 0;

  constructor(segment: Segment, question: SegmentQuestion) {
    this.bit = question.bit;
    this.segment = segment;
    this.#question = question;
  }

  /** Offers at least what the collector wants, or puts it into the pool. */
  collect(collector: Collector, pool: Pool): void {
    const { terms, numbers, admission, scale } = this.#question;
    if (admission.count === 0) return;
    let most = 0;
    let postings = 0;
    terms.forEach(({ adds }, place) => {
      const number = numbers[place]!;
      if (number < 0) return;
      most += adds[this.segment.peak(number)]!;
      postings += this.segment.start(number + 1) - this.segment.start(number);
    });
    this.#bound = most / scale;
    if (postings === 0 || this.#bound < collector.threshold * SLACK) return;
    if (admission.count * EXACT_COST > postings * admission.share) this.#scanFor(collector, pool);
    else {
      for (const document of admission.documents()) this.offer(document, collector);
      this.#bound = collector.threshold;
    }
  }

  /** Takes the documents of companies that were not offered and may match, by place of the company. */
  addOpen(companies: ArrayLike<number>, take: (place: number, open: OpenDocument) => void): void {
    if (this.#bound === 0) return;
    const { companyStarts, companyDocuments } = this.segment.parts;
    const { admission } = this.#question;
    const ranges = admission.ranges ?? [{ from: 0, to: this.segment.size }];
    // All at once: each by itself would wait for memory.
    const places = new Int32Array(companies.length);
    for (let at = 0; at < places.length; at++) {
      places[at] = this.segment.company(companies[at]!);
    }
    for (let at = 0; at < places.length; at++) {
      const company = places[at]!;
      if (company < 0) continue;
      let from = companyStarts[company]!;
      const end = companyStarts[company + 1]!;
      for (const range of ranges) {
        from = firstFrom(companyDocuments, { start: from, end, least: range.from });
        for (; from < end && companyDocuments[from]! < range.to; from++) {
          const document = companyDocuments[from]!;
          const bound = this.#boundOf(document);
          if (bound === 0 || !admission.admits(document)) continue;
          take(at, { source: this, document, bound });
        }
      }
    }
  }

  /** What a document scores at most that was not offered; 0 for others. */
  #boundOf(document: number): number {
    return this.#scan === null ? this.#bound : this.#scan.sums[document]! / this.#question.scale;
  }

  /** Takes back what a scan has left. */
  close(): void {
    if (this.#scan !== null) clear(this.#scan);
    this.#scan = null;
  }

  /** Scores a document and offers it. @returns whether it was taken */
  offer(document: number, collector: Collector): boolean {
    const score = this.#score(document);
    if (score === 0) return false;
    const { ids } = this.segment.parts;
    return collector.offer(ids[document]!, this.segment.companyId(document), score);
  }

  /** Offers a document that can score up to a bound, if it is wanted then. */
  offerWanted(
    document: number,
    { sum, bound, collector }: { sum: number; bound: number; collector: Collector },
  ): void {
    if (!collector.wants(this.segment, document, bound)) return;
    if (!this.offer(document, collector)) this.reopen(document, sum);
  }

  /** Notes that a document with such a sum was not offered. */
  reopen(document: number, sum: number): void {
    if (this.#scan !== null) this.#scan.sums[document] = sum;
  }

  /** Fetches from memory what the score of a document is made of. */
  touch(document: number): void {
    this.segment.touch(document);
  }

  #scanFor(collector: Collector, pool: Pool): void {
    const { scale } = this.#question;
    const needed = () => Math.max(Math.floor(collector.threshold * scale * SLACK), 1);
    const least = collector.threshold > 0 ? needed() : 0;
    const scan = this.#scan = this.#addUp(least);
    if (least > 0) {
      pool.enter(this, least);
      pick(scan, { least, pool });
      pool.relieve(collector);
      return;
    }
    // With nothing to go by, a guess keeps most documents out of the way; what it leaves out and
    // still is needed comes in the next round.
    for (let least = guess(scan), last = Infinity; least < last; least = needed()) {
      pool.enter(this, least);
      pick(scan, { least, pool });
      pool.flush(collector);
      last = least;
    }
  }

  /** @param least the sum that is asked for; 0: not known yet */
  #addUp(least: number): Scan {
    const scan = openScan({ ...this.#question, segment: this.segment, least });
    addUp(scan);
    if (!omitsTooMuch(scan, least)) return scan;
    clear(scan);
    return this.#addUp(0);
  }

  /** 0 where a document holds none of the words. */
  #score(document: number): number {
    const { terms, numbers } = this.#question;
    let score = 0;
    let sum = 0;
    let last: WeightedTerm | undefined;
    for (let place = 0; place < terms.length; place++) {
      const number = numbers[place]!;
      if (number < 0) continue;
      const term = terms[place]!;
      if (last !== undefined && last.word !== term.word) {
        score += last.weight * sum / (sum + K);
        sum = 0;
      }
      last = term;
      sum = this.#addWeighted(sum, document, number);
    }
    return last === undefined ? 0 : score + last.weight * sum / (sum + K);
  }

  /** A sum with a document's weighted occurrences of a term, added field by field. */
  #addWeighted(before: number, document: number, term: number): number {
    const place = placeOfTerm(this.segment, { document, term });
    if (place < 0) return before;
    const { parts: { forwardCodes, lengths }, fields: { length: width } } = this.segment;
    const { factors } = this.#question;
    const code = forwardCodes[place]!;
    const own = code === ESCAPE ? this.segment.weightedAt(place) : this.segment.weighted;
    const from = code === ESCAPE ? 0 : code * width;
    let sum = before;
    for (let field = 0; field < width; field++) {
      const occurrences = own[from + field]!;
      if (occurrences === 0) continue;
      sum += occurrences * factors[field * 256 + lengths[document * width + field]!]!;
    }
    return sum;
  }
}
