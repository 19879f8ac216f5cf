/**
 * Searches all segments and the tail with the same weights. Each segment finds the admitted
 * documents that may be among the results. A pool scores the most promising documents of all
 * segments first, so that the threshold rises early and fewer documents are scored. Scores are
 * exact and are added up in one canonical order. They depend neither on the layout of segments nor
 * on the way a document was found.
 */
import { boundCompanies, type Collector, type OpenDocument, SLACK } from "./collecting.ts";
import { hashCompany } from "./dictionary.ts";
import { Admission, type Conditions } from "./filters.ts";
import { DOCUMENTS_MAX, ESCAPE } from "./layout.ts";
import { type DocumentPlaces, placeOf } from "./lookup.ts";
import { addUp, clear, guess, omitsTooMuch, openScan, pick, type Scan } from "./scanning.ts";
import {
  type Field,
  K,
  lengthFactors,
  queryTermsOf,
  type QueryWord,
  sharesOfLevels,
  type Statistics,
  Totals,
  weigh,
  type WeightedQuery,
  type WholeDataset,
  WORDS_MAX,
} from "./scoring.ts";
import type { Segment } from "./segment.ts";
import { TermPlaces } from "./segment_terms.ts";
import type { Tail, TailHits } from "./tail.ts";
import { lowerBound } from "./typed_arrays.ts";

/** Words and conditions of a search. */
export interface EngineQuery {
  /** Folded words, as `words` of text.ts returns them. */
  words: readonly (string | QueryWord)[];
  conditions: Conditions;
}

/** Parts of an index that are opened for one search and offer documents to a collector. */
export interface OpenParts {
  /** Segments, large ones first, because their best documents are likely to stay among the best. */
  segments: SegmentSearch[];
  tail: TailHits;
  /** Factor from scores to sums: see WeightedQuery. */
  scale: number;
}

/** Terms of words with their weights, located in every part of an index. */
export interface LocatedTerms {
  query: WeightedQuery;
  /** Segments, each with its numbers of the terms. Terms that no document contains are left out. */
  segments: readonly LocatedSegment[];
}

/** A segment, with its numbers of terms. */
interface LocatedSegment {
  segment: Segment;
  /** Position of the segment in the index. */
  place: number;
  /** Number of each term, or -1. */
  numbers: readonly number[];
  /** Finds the terms in documents. It is created when the first document is scored. */
  finder?: TermPlaces;
}

/** Looks up the terms of words. The result can be used under any conditions. */
export function locateTerms(
  words: EngineQuery["words"],
  { segments, tail, statistics, whole }: {
    segments: readonly Segment[];
    tail: Tail;
    statistics: Statistics;
    whole?: WholeDataset;
  },
): LocatedTerms {
  const query = queryTermsOf(words);
  const frequencies = words.slice(0, WORDS_MAX).map(() => 0);
  const bySegment = segments.map((segment) =>
    query.terms.map(({ word, key }) => {
      const number = segment.term(key);
      if (number >= 0 && whole === undefined) frequencies[word]! += segment.frequency(number);
      return number;
    })
  );
  for (const { word, key } of query.terms) {
    frequencies[word]! += whole === undefined ? tail.frequency(key) : whole.frequency(key);
  }
  const isPresent = query.terms.map(({ word }) => frequencies[word]! > 0);
  return {
    query: weigh(query, { frequencies, statistics }),
    segments: segments.map((segment, place) => ({
      segment,
      place,
      numbers: bySegment[place]!.filter((_, term) => isPresent[term]),
    })).sort((a, b) => b.segment.live - a.segment.live),
  };
}

/** Opens every part of an index for a search under conditions. */
export function openParts(
  { query, segments }: LocatedTerms,
  { conditions, companies, tail, statistics, places }: {
    conditions: Conditions;
    /** Companies of the conditions, by the positions of the segments that may contain them. */
    companies?: readonly (readonly number[])[];
    tail: Tail;
    statistics: Statistics;
    /** Receives the places of the scored documents. */
    places: DocumentPlaces;
  },
): OpenParts {
  return {
    segments: segments.map((located) =>
      new SegmentSearch(located, {
        ...query,
        factors: statistics.factors,
        admission: new Admission(located.segment, conditions, companies?.[located.place]),
        places,
      })
    ),
    tail: tail.search({ ...query, statistics, conditions }),
    scale: query.scale,
  };
}

/** Adds up the statistics of the segments and the tail. */
export function statisticsOf(
  fields: readonly Field[],
  { segments, tail, whole }: { segments: readonly Segment[]; tail: Tail; whole?: WholeDataset },
): Statistics {
  const totals = new Totals(fields.length);
  if (whole === undefined) {
    for (const segment of segments) totals.add(segment.totals);
    totals.add(tail.totals);
  } else totals.add(whole.totals);
  const averages = totals.averages();
  const measured = segments.map(({ parts }) => parts.averages);
  return {
    totals,
    averages,
    factors: lengthFactors(averages),
    shares: sharesOfLevels(averages, measured),
  };
}

/** Cost of scoring a document exactly, as the number of postings that take as long to add up. */
const EXACT_COST = 100;

/** Fixed cost of a scan, as the number of postings that take as long to add up. */
const SCAN_COST = 4_000;

interface SegmentQuery extends WeightedQuery {
  /** See lengthFactors. */
  factors: Float64Array;
  admission: Admission;
  /** Receives the places of the scored documents. */
  places: DocumentPlaces;
}

/** A search in one segment. */
class SegmentSearch {
  /** Position of the segment's bit in a mask: see CompanySegments. */
  readonly bit: number;
  readonly segment: Segment;
  readonly #query: SegmentQuery;
  /** Scan with the sums of documents that were not offered yet; null if no sums were added up. */
  #scan: Scan | null = null;
  /**
   * Upper bound of the scores of documents that the collector has not collected, if no sums were
   * added up.
   */
  #bound = 0;
  readonly #located: LocatedSegment;

  constructor(located: LocatedSegment, query: SegmentQuery) {
    this.bit = located.place % SEGMENT_BITS;
    this.segment = located.segment;
    this.#located = located;
    this.#query = query;
  }

  /** Offers at least the wanted documents to the collector, or puts them into the pool. */
  collect(collector: Collector, pool: CandidatePool): void {
    const { terms, admission, scale } = this.#query;
    const { numbers } = this.#located;
    if (admission.count === 0) return;
    let maxSum = 0;
    let postings = 0;
    terms.forEach(({ adds }, place) => {
      const number = numbers[place]!;
      if (number < 0) return;
      maxSum += adds[this.segment.peak(number)]!;
      postings += this.segment.start(number + 1) - this.segment.start(number);
    });
    this.#bound = maxSum / scale;
    if (postings === 0 || this.#bound < collector.threshold * SLACK) return;
    const scanCost = postings * admission.share + SCAN_COST;
    if (admission.count * EXACT_COST > scanCost) this.#scanFor(collector, pool);
    else {
      this.#offerAll(collector);
      this.#bound = collector.threshold;
    }
  }

  /**
   * Calls `take` for each document of the companies that may match and was not offered, with the
   * position of its company.
   */
  addOpen(companies: ArrayLike<number>, take: (place: number, open: OpenDocument) => void): void {
    if (this.#bound === 0) return;
    const { companyStarts, companyDocuments } = this.segment.parts;
    const { admission } = this.#query;
    const ranges = admission.ranges ?? [{ from: 0, to: this.segment.size }];
    // All companies are looked up in one loop, so that the accesses to memory overlap.
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
        from = lowerBound(companyDocuments, { start: from, end, min: range.from });
        for (; from < end && companyDocuments[from]! < range.to; from++) {
          const document = companyDocuments[from]!;
          const bound = this.#boundOf(document);
          if (bound === 0 || !admission.admits(document)) continue;
          take(at, { source: this, document, bound });
        }
      }
    }
  }

  /** Returns the upper bound of a document's score if it may have to be offered; otherwise 0. */
  #boundOf(document: number): number {
    return this.#scan === null ? this.#bound : this.#scan.sums[document]! / this.#query.scale;
  }

  /** Clears the remaining sums of a scan. */
  close(): void {
    if (this.#scan !== null) clear(this.#scan);
    this.#scan = null;
  }

  /**
   * Scores a document and offers it.
   * @returns whether the collector needs no further offer of it
   */
  offer(document: number, collector: Collector): boolean {
    const score = this.#score(document);
    if (score === 0) return false;
    const id = this.segment.parts.ids[document]!;
    this.#query.places.note(id, placeOf(this.#located.place, document));
    return collector.offer(id, this.segment.companyId(document), score);
  }

  /** Offers a document if it is wanted, by the upper bound of its score. */
  offerWanted(
    document: number,
    { sum, bound, collector }: { sum: number; bound: number; collector: Collector },
  ): void {
    if (!collector.wants(this.segment, document, bound)) return;
    if (!this.offer(document, collector)) this.reopen(document, sum);
  }

  /** Restores the sum of a document that may have to be offered later. */
  reopen(document: number, sum: number): void {
    if (this.#scan !== null) this.#scan.sums[document] = sum;
  }

  /** Offers all admitted documents in batches. Each batch is prefetched: see #warm of the pool. */
  #offerAll(collector: Collector): void {
    const admitted: number[] = [];
    this.#query.admission.each((document) => admitted.push(document));
    for (let from = 0; from < admitted.length; from += WARMED) {
      const batch = admitted.slice(from, from + WARMED);
      for (const document of batch) this.segment.touch(document);
      for (const document of batch) this.offer(document, collector);
    }
  }

  #scanFor(collector: Collector, pool: CandidatePool): void {
    const { scale } = this.#query;
    const needed = () => Math.max(Math.floor(collector.threshold * scale * SLACK), 1);
    const minSum = collector.threshold > 0 ? needed() : 0;
    const scan = this.#scan = this.#addUp(minSum);
    if (minSum > 0) {
      pool.enter(this, minSum);
      pick(scan, { minSum, pool });
      pool.relieve(collector);
      return;
    }
    // Without a threshold, a guessed one excludes most documents. The next round takes the excluded
    // documents that are needed after all.
    for (let minSum = guess(scan), last = Infinity; minSum < last; minSum = needed()) {
      pool.enter(this, minSum);
      pick(scan, { minSum, pool });
      pool.flush(collector);
      last = minSum;
    }
  }

  /** Adds up the postings. @param minSum min sum of a wanted document; 0: not known yet */
  #addUp(minSum: number): Scan {
    const { numbers } = this.#located;
    const scan = openScan({ ...this.#query, numbers, segment: this.segment, minSum });
    addUp(scan);
    if (!omitsTooMuch(scan, minSum)) return scan;
    clear(scan);
    return this.#addUp(0);
  }

  /** Returns the score of a document; 0 if it contains none of the words. */
  #score(document: number): number {
    const { terms } = this.#query;
    const located = this.#located;
    located.finder ??= new TermPlaces(this.segment, located.numbers);
    const places = located.finder.of(document);
    let score = 0;
    let sum = 0;
    let last = -1;
    for (let row = 0; row < terms.length; row++) {
      const place = places[row]!;
      if (place < 0) continue;
      const { word } = terms[row]!;
      if (last >= 0 && terms[last]!.word !== word) {
        score += terms[last]!.weight * sum / (sum + K);
        sum = 0;
      }
      last = row;
      sum = this.#addWeighted(sum, document, place);
    }
    return last < 0 ? 0 : score + terms[last]!.weight * sum / (sum + K);
  }

  /** Adds the weighted occurrences at a place of the forward index to a sum, field by field. */
  #addWeighted(before: number, document: number, place: number): number {
    const { parts: { forwardCodes, lengths }, fields: { length: width } } = this.segment;
    const { factors } = this.#query;
    const code = forwardCodes[place]!;
    const weighted = code === ESCAPE ? this.segment.weightedAt(place) : this.segment.weighted;
    const from = code === ESCAPE ? 0 : code * width;
    let sum = before;
    for (let field = 0; field < width; field++) {
      const occurrences = weighted[from + field]!;
      if (occurrences === 0) continue;
      sum += occurrences * factors[field * 256 + lengths[document * width + field]!]!;
    }
    return sum;
  }
}

/** Max number of waiting documents. If there are more, the pool is flushed. */
const WAITING_MAX = 8_192;

/** Max number of documents in the pool: those that wait, and those of a further segment. */
const ROOM = WAITING_MAX + DOCUMENTS_MAX;

/** Number of low bits of a key that sorting ignores. Keys within a bin are in any order. */
const BIN_BITS = 7;

/** Number of documents that are prefetched together. */
const WARMED = 64;

// These arrays are shared by all searches, because only one search runs at a time.
const documents = new Uint16Array(ROOM);

const sums = new Uint16Array(ROOM);

const sources = new Uint16Array(ROOM);

/** Upper bound of the mean sum of each document's company (see boundCompanies). */
const bounds = new Uint16Array(ROOM);

const order = new Uint32Array(ROOM);

const bins = new Uint32Array(1 << (16 - BIN_BITS));

/** A segment with waiting documents. */
interface WaitingSegment {
  search: SegmentSearch;
  /** Position of the segment's first waiting document. */
  from: number;
  /** Upper bound of the sums of the segment's other documents. */
  minSum: number;
}

/** Documents that wait to be scored. The most promising ones are scored first. */
export class CandidatePool {
  #sources: WaitingSegment[] = [];
  /** Factor from scores to sums. */
  readonly #scale: number;
  #size = 0;

  constructor(scale: number) {
    this.#scale = scale;
  }

  /**
   * Begins the documents of a segment. All its documents with sums of at least `minSum` must be
   * added next.
   */
  enter(search: SegmentSearch, minSum: number): void {
    this.#sources.push({ search, from: this.#size, minSum });
  }

  add(document: number, sum: number): void {
    documents[this.#size] = document;
    sums[this.#size] = sum;
    sources[this.#size++] = this.#sources.length - 1;
  }

  /** Offers the waiting documents if there are many. */
  relieve(collector: Collector): void {
    if (this.#size > WAITING_MAX) this.flush(collector);
  }

  /** Offers the waiting documents that are wanted. */
  flush(collector: Collector): void {
    const keys = this.#keysFor(collector);
    this.#sort(keys);
    const step = (1 << BIN_BITS) / this.#scale;
    let at = 0;
    for (; at < this.#size; at++) {
      if (at % WARMED === 0) this.#warm(at);
      const waiting = order[at]!;
      const key = keys[waiting]! / this.#scale;
      if (key + step < collector.threshold * SLACK) break;
      if (key < collector.threshold * SLACK) this.#leave(waiting, collector);
      else this.#offer(waiting, collector);
    }
    for (; at < this.#size; at++) this.#leave(order[at]!, collector);
    this.#size = 0;
    this.#sources = [];
  }

  #offer(waiting: number, collector: Collector): void {
    const sum = sums[waiting]!;
    const bound = sum / this.#scale;
    this.#searchOf(waiting).offerWanted(documents[waiting]!, { sum, bound, collector });
  }

  #leave(waiting: number, collector: Collector): void {
    this.#searchOf(waiting).reopen(documents[waiting]!, sums[waiting]!);
    collector.noteLeft(sums[waiting]! / this.#scale);
  }

  /** Returns the keys by which documents are compared: sums, or the bounds of companies. */
  #keysFor({ isInOneSegment }: Collector): Uint16Array {
    if (isInOneSegment === null) return sums;
    this.#sources.forEach(({ search: { segment }, from, minSum }, place) => {
      const to = this.#sources[place + 1]?.from ?? this.#size;
      const waiting = { documents, sums, from, to, minSum };
      boundCompanies(segment, waiting, { bounds, isInOneSegment });
    });
    return bounds;
  }

  #sort(keys: Uint16Array): void {
    bins.fill(0);
    for (let at = 0; at < this.#size; at++) bins[keys[at]! >>> BIN_BITS]!++;
    let next = 0;
    for (let bin = bins.length - 1; bin >= 0; bin--) {
      const size = bins[bin]!;
      bins[bin] = next;
      next += size;
    }
    for (let at = 0; at < this.#size; at++) order[bins[keys[at]! >>> BIN_BITS]!++] = at;
  }

  /**
   * Prefetches a batch of documents. Their accesses to memory overlap, so that a batch takes hardly
   * longer than one document.
   */
  #warm(from: number): void {
    const to = Math.min(from + WARMED, this.#size);
    for (let at = from; at < to; at++) {
      const waiting = order[at]!;
      this.#searchOf(waiting).segment.touch(documents[waiting]!);
    }
  }

  #searchOf(waiting: number): SegmentSearch {
    return this.#sources[sources[waiting]!]!.search;
  }
}

/**
 * Number of different bits for segments in a mask. If there are more segments, several share a bit.
 */
const SEGMENT_BITS = 32;

/** Tells which segments may contain a company. */
export class CompanySegments {
  /**
   * Masks of the segments that contain a company, by the company's hash. Companies with equal
   * hashes share a mask.
   */
  readonly #masks: Uint32Array;
  readonly #segments: Segment[] = [];

  constructor(segments: readonly Segment[]) {
    const documents = segments.reduce((sum, { size }) => sum + size, 0);
    this.#masks = new Uint32Array(2 ** Math.ceil(Math.log2(1 + documents / 2)));
    for (const segment of segments) this.add(segment);
  }

  get memory(): number {
    return this.#masks.byteLength;
  }

  /** Adds a segment after the others. */
  add(segment: Segment): void {
    const bit = 1 << (this.#segments.length % SEGMENT_BITS);
    this.#segments.push(segment);
    for (const company of segment.parts.companies) this.#masks[this.#slot(company)]! |= bit;
  }

  /** Returns the companies that each segment may contain, by the segment's position. */
  bySegment(companies: Iterable<number>): number[][] {
    const bySegment = this.#segments.map((): number[] => []);
    for (const company of companies) {
      const mask = this.#masks[this.#slot(company)]!;
      for (let place = 0; place < bySegment.length; place++) {
        if (((mask >>> (place % SEGMENT_BITS)) & 1) === 1) bySegment[place]!.push(company);
      }
    }
    return bySegment;
  }

  /** Tells whether only one segment may contain a company. */
  isInOne(company: number): boolean {
    if (this.#segments.length <= 1) return true;
    const mask = this.#masks[this.#slot(company)]!;
    return (mask & (mask - 1)) === 0 && this.#segments.length <= SEGMENT_BITS;
  }

  /**
   * Returns, for each company, its documents in any segment that may match and were not offered.
   */
  openDocuments(
    companies: readonly number[],
    segments: readonly SegmentSearch[],
  ): OpenDocument[][] {
    const open = companies.map((): OpenDocument[] => []);
    const masks = companies.map((company) => this.#masks[this.#slot(company)]!);
    for (const segment of segments) {
      const places: number[] = [];
      for (let at = 0; at < masks.length; at++) {
        if (((masks[at]! >>> segment.bit) & 1) === 1) places.push(at);
      }
      const ids = places.map((at) => companies[at]!);
      segment.addOpen(ids, (at, document) => open[places[at]!]!.push(document));
    }
    return open;
  }

  #slot(company: number): number {
    return hashCompany(company) & (this.#masks.length - 1);
  }
}
