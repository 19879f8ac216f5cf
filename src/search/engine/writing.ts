/**
 * Turns documents into a segment. Drafts are analyzed documents, numbered by arrival, in a few
 * growing arrays. `assemble` turns drafts, or the documents of several segments, into a segment.
 */
import { AnalyzedFields } from "./analyzed_fields.ts";
import {
  FACET_SPACE,
  findTerm,
  hashCompanies,
  HOSTNAME_SPACE,
  type Key,
  TermTable,
} from "./dictionary.ts";
import { blocksOf, ESCAPE, minutesOf, pack, roundToMinute, type Sections } from "./layout.ts";
import { columnOf, distinctOf, packInstants } from "./instant_columns.ts";
import { copyFilters, PairCollector, type PairFilters } from "./pairs.ts";
import {
  CodeTable,
  type Field,
  K,
  lengthCode,
  lengthFactors,
  type Measure,
  shiftsOf,
  Totals,
} from "./scoring.ts";
import type { DocumentFacts } from "./segment.ts";
import { startsInBlocks } from "./segment_terms.ts";
import { type Analysis, ANALYZER } from "./text.ts";
import { grown } from "./typed_arrays.ts";
import { LANGUAGES } from "./words.ts";

/** A document for the engine. */
export interface IndexedDocument extends DocumentFacts {
  hostnames: readonly string[];
  /** Facet terms, such as `round:series_a`. They are not words of a text. */
  facets: readonly string[];
  /** Texts of each field. */
  texts: readonly (string | readonly string[])[];
}

/** Documents of a segment as columns (see layout.ts), sorted by attribute and then by id. */
interface Source extends PairFilters {
  fields: readonly Field[];
  averages: Float64Array;
  ids: Float64Array;
  company_ids: Float64Array;
  occurred: Float64Array;
  observed: Float64Array;
  expires: Float64Array;
  attributes: Uint8Array;
  amounts: Float32Array;
  closes: Uint32Array;
  sectors: Uint32Array;
  lengths: Uint8Array;
  table: TermTable;
  /** Terms of each document, each term once and in any order, with their packed occurrences. */
  starts: Uint32Array;
  terms: Uint32Array;
  packed: Uint32Array;
}

/** Builds a segment's buffer. */
export function assemble(source: Source): SharedArrayBuffer {
  const codes = new CodeTable(source.fields, source.packed);
  const inverted = invert(source, codes);
  const forward = forwardIndexOf(source, inverted);
  const { distinct: companies, places: companyOf } = distinctOf(source.company_ids);
  const occurred = packInstants(source.occurred);
  const observed = packInstants(source.observed);
  const expiries = columnOf(source.expires);
  const amounts = distinctOf(source.amounts);
  const closes = distinctOf(source.closes);
  const sectors = distinctOf(source.sectors);
  const byCompany = group(companyOf, companies.length);
  const byId = Uint16Array.from(source.ids, (_, document) => document)
    .sort((a, b) => source.ids[a]! - source.ids[b]!);
  return pack({
    ids: source.ids,
    occurredOf: occurred.places,
    occurrences: occurred.values,
    occurredUppers: occurred.uppers,
    occurredLowers: occurred.lowers,
    observedOf: observed.places,
    observations: observed.values,
    observedUppers: observed.uppers,
    observedLowers: observed.lowers,
    instantBases: Uint32Array.of(occurred.base, observed.base),
    expiryOf: expiries.places,
    expiries: expiries.distinct,
    attributes: source.attributes,
    amountOf: amounts.places,
    amounts: amounts.distinct,
    closesOf: closes.places,
    closings: closes.distinct,
    sectorsOf: sectors.places,
    sectors: sectors.distinct,
    attributeStarts: group(Uint16Array.from(source.attributes), 256).starts,
    byId,
    lengths: source.lengths,
    pairBlocks: source.pairBlocks,
    pairStarts: source.pairStarts,
    pairBits: source.pairBits,
    companies,
    companyOf: byCompany.of,
    companyStarts: byCompany.starts,
    companyDocuments: byCompany.members,
    companySlots: hashCompanies(companies),
    ...source.table.sections(),
    termPostings: withPeaks(inverted),
    postings: inverted.documents,
    levels: inverted.levels,
    ...forward,
    codes: codes.packed,
    averages: source.averages,
    summary: summaryOf(source),
  });
}

/** Analyzed documents that are not in a segment yet. */
export class Drafts {
  readonly fields: readonly Field[];
  /** Facts of each document by place; undefined after its removal. */
  readonly facts: (DocumentFacts | undefined)[] = [];
  /** Facet terms by place. */
  readonly facets: (readonly string[])[] = [];
  /** Number of removed documents. */
  removals = 0;
  /** Coded length of each field, at place * fields + field. */
  lengths = new Uint8Array(1 << 12);
  /** Start of each document's entries in `terms` and `packed`, and the end of the last. */
  readonly starts = [0];
  terms = new Uint32Array(1 << 14);
  packed = new Uint32Array(1 << 14);
  /** Number of present documents that contain each term. */
  frequencies = new Uint32Array(1 << 12);
  /** Filters of neighbouring words by place. */
  readonly pairs = new PairCollector();
  /** Table of all terms, including terms that no document contains any longer. */
  readonly table = new TermTable();
  /**
   * Packed value of one occurrence, and of the max count, per field: see shiftsOf in scoring.ts.
   */
  readonly #ones: readonly number[];
  readonly #fullCounts: readonly number[];
  /** Packed occurrences of each term in the current document; 0 between documents. */
  #counts = new Uint32Array(1 << 12);
  /** End of the current document's terms. */
  #end = 0;
  readonly #analyzed: AnalyzedFields;

  constructor(fields: readonly Field[]) {
    this.fields = fields;
    this.#ones = shiftsOf(fields).map((shift) => 1 << shift);
    this.#fullCounts = fields.map(({ bits }, field) => (2 ** bits - 1) * this.#ones[field]!);
    this.#analyzed = new AnalyzedFields(fields);
  }

  /** Returns the number of a term, or -1. */
  term(key: Key): number {
    return findTerm(this.table, key);
  }

  /** Analyzes a document and adds it to the drafts. Returns its place. */
  put(document: IndexedDocument): number {
    const place = this.facts.push(factsOf(document)) - 1;
    this.facets.push(document.facets);
    const start = this.#end;
    this.#analyzed.read(document.texts);
    const width = this.fields.length;
    if ((place + 1) * width > this.lengths.length) {
      this.lengths = grown(this.lengths, (place + 1) * width);
    }
    for (let field = 0; field < width; field++) {
      let length = 0;
      const { neighbours } = this.fields[field]!;
      for (const { analysis, space } of this.#analyzed.textsOf(field)) {
        this.#count(analysis, { field, space });
        if (neighbours) this.pairs.add(analysis, { space, table: this.table });
        length += analysis.to - analysis.from;
      }
      this.lengths[place * width + field] = lengthCode(length);
    }
    this.pairs.end();
    this.#addTerms(HOSTNAME_SPACE, document.hostnames);
    this.#addTerms(FACET_SPACE, document.facets);
    const { terms, packed, frequencies } = this;
    const counts = this.#counts;
    for (let at = start; at < this.#end; at++) {
      const term = terms[at]!;
      packed[at] = counts[term]!;
      counts[term] = 0;
      frequencies[term]!++;
    }
    this.starts.push(this.#end);
    return place;
  }

  /** Adds terms that are not words to the terms of the current document. */
  #addTerms(space: number, texts: readonly string[]): void {
    for (const text of new Set(texts)) {
      const term = this.table.addText(space, text);
      this.#makeRoom(term);
      this.#take(term);
    }
  }

  remove(place: number): void {
    this.facts[place] = undefined;
    this.facets[place] = [];
    this.removals++;
    for (let at = this.starts[place]!; at < this.starts[place + 1]!; at++) {
      this.frequencies[this.terms[at]!]!--;
    }
  }

  /** Builds a segment of the present documents. */
  assemble(averages: Float64Array): SharedArrayBuffer {
    const places = [...this.facts.keys()].filter((place) => this.facts[place] !== undefined)
      .sort((a, b) => compareFacts(this.facts[a]!, this.facts[b]!));
    const facts = places.map((place) => this.facts[place]!);
    const column = (name: keyof DocumentFacts) =>
      Float64Array.from(facts, (document) => document[name]);
    const width = this.fields.length;
    const lengths = new Uint8Array(places.length * width);
    for (const [document, place] of places.entries()) {
      for (let field = 0; field < width; field++) {
        lengths[document * width + field] = this.lengths[place * width + field]!;
      }
    }
    return assemble({
      fields: this.fields,
      averages,
      ids: column("id"),
      company_ids: column("company_id"),
      occurred: column("occurred"),
      observed: column("observed"),
      expires: column("expires"),
      attributes: Uint8Array.from(facts, ({ attribute }) => attribute),
      amounts: Float32Array.from(facts, ({ amount }) => amount),
      closes: Uint32Array.from(facts, ({ closes }) => minutesOf(closes)),
      sectors: Uint32Array.from(facts, ({ sectors }) => sectors),
      lengths,
      ...copyFilters(places, () => this.pairs),
      ...this.#postingsOf(places),
    });
  }

  #postingsOf(places: number[]): Pick<Source, "table" | "starts" | "terms" | "packed"> {
    const starts = new Uint32Array(places.length + 1);
    for (const [document, place] of places.entries()) {
      starts[document + 1] = starts[document]! + this.starts[place + 1]! - this.starts[place]!;
    }
    const { table, numbers } = this.#presentTerms();
    const terms = new Uint32Array(starts[places.length]!);
    const packed = new Uint32Array(terms.length);
    for (const [document, place] of places.entries()) {
      let to = starts[document]!;
      for (let at = this.starts[place]!; at < this.starts[place + 1]!; at++, to++) {
        terms[to] = numbers === null ? this.terms[at]! : numbers[this.terms[at]!]!;
        packed[to] = this.packed[at]!;
      }
    }
    return { table, starts, terms, packed };
  }

  /**
   * Returns the terms that present documents contain, and the new number of each; null: unchanged.
   */
  #presentTerms(): { table: TermTable; numbers: Uint32Array | null } {
    if (this.removals === 0) return { table: this.table, numbers: null };
    const table = new TermTable();
    const isPresent = (term: number) => this.frequencies[term]! > 0;
    return { table, numbers: table.addSelected(this.table, this.table.size, isPresent) };
  }

  #count({ from, to }: Analysis, { field, space }: { field: number; space: number }): void {
    const { words, wordTable: lexicon } = ANALYZER;
    const table = this.table;
    const one = this.#ones[field]!;
    const full = this.#fullCounts[field]!;
    let counts: Uint32Array = this.#counts;
    for (let at = from; at < to; at++) {
      const term = lexicon.term(words[at]! * LANGUAGES.length + space, table);
      if (term >= counts.length) counts = this.#makeRoom(term);
      const packed = counts[term]!;
      if (packed === 0) this.#take(term);
      if ((packed & full) !== full) counts[term] = packed + one;
    }
  }

  /** Makes room for the count of a term. @returns `#counts`, which may be a new array */
  #makeRoom(term: number): Uint32Array {
    if (term >= this.#counts.length) {
      this.#counts = grown(this.#counts, term + 1);
      this.frequencies = grown(this.frequencies, term + 1);
    }
    return this.#counts;
  }

  /** Adds a term to the terms of the current document. */
  #take(term: number): void {
    if (this.#end === this.terms.length) {
      this.terms = grown(this.terms, this.#end + 1);
      this.packed = grown(this.packed, this.#end + 1);
    }
    this.terms[this.#end++] = term;
  }
}

/** Returns the facts of a document, rounded as segments store them. */
function factsOf(document: IndexedDocument): DocumentFacts {
  const { id, company_id, attribute, occurred, observed, expires, sectors } = document;
  const amount = Math.fround(document.amount);
  const closes = roundToMinute(document.closes);
  return { id, company_id, attribute, occurred, observed, expires, amount, closes, sectors };
}

/** Compares documents in the order of segments. */
function compareFacts(a: DocumentFacts, b: DocumentFacts): number {
  return a.attribute - b.attribute || a.id - b.id;
}

interface Groups {
  /** Group of each document. */
  of: Uint16Array;
  /** Start of each group's members, and the end of the last. */
  starts: Uint32Array;
  members: Uint16Array;
}

function group(of: Uint16Array, groups: number): Groups {
  const starts = new Uint32Array(groups + 1);
  for (const group of of) starts[group + 1]!++;
  for (let place = 0; place < groups; place++) starts[place + 1]! += starts[place]!;
  const next = starts.slice();
  const members = new Uint16Array(of.length);
  of.forEach((group, document) => members[next[group]!++] = document);
  return { of, starts, members };
}

/** Returns the section `summary` (see layout.ts), so that opening a segment reads no document. */
function summaryOf({ fields, occurred, observed, expires, lengths }: Source): Float64Array {
  const totals = new Totals(fields.length);
  const moments = [-Infinity, -Infinity, Infinity];
  for (let document = 0; document < occurred.length; document++) {
    moments[0] = Math.max(moments[0]!, occurred[document]!);
    moments[1] = Math.max(moments[1]!, observed[document]!);
    moments[2] = Math.min(moments[2]!, expires[document]!);
    totals.count(lengths, document * fields.length, 1);
  }
  return Float64Array.of(...moments, ...totals.numbers());
}

/** Postings by term, with ascending documents. */
interface Inverted {
  /** Start of each term's postings, and the end of the last. */
  starts: Uint32Array;
  /** Max level of each term's postings. */
  peaks: Uint8Array;
  documents: Uint16Array;
  levels: Uint8Array;
  codes: Uint8Array;
  /** Packed occurrences by place, where the code is ESCAPE. */
  escapes: Map<number, number>;
}

function invert(
  { table, starts, terms, packed, lengths, fields, averages }: Source,
  codes: CodeTable,
): Inverted {
  const ends = new Uint32Array(table.size + 1);
  for (let place = 0; place < terms.length; place++) ends[terms[place]! + 1]!++;
  for (let term = 0; term < table.size; term++) ends[term + 1]! += ends[term]!;
  const result: Inverted = {
    starts: ends.slice(),
    peaks: new Uint8Array(table.size),
    documents: new Uint16Array(terms.length),
    levels: new Uint8Array(terms.length),
    codes: new Uint8Array(terms.length),
    escapes: new Map(),
  };
  const { peaks } = result;
  const measure: Measure = { factors: lengthFactors(averages), lengths, first: 0 };
  for (let document = 0; document + 1 < starts.length; document++) {
    measure.first = document * fields.length;
    for (let from = starts[document]!; from < starts[document + 1]!; from++) {
      const term = terms[from]!;
      const place = ends[term]!++;
      const code = codes.codeOf(packed[from]!);
      const level = levelOf(codes.weigh(code, packed[from]!, measure));
      if (code === ESCAPE) result.escapes.set(place, packed[from]!);
      if (level > peaks[term]!) peaks[term] = level;
      result.documents[place] = document;
      result.codes[place] = code;
      result.levels[place] = level;
    }
  }
  return result;
}

/**
 * Returns the level of a posting: the amount that it adds to a score, in 255ths of the max that any
 * posting of the term can add, rounded up. A search adds up levels to choose the documents that it
 * scores exactly, by the forward index.
 */
function levelOf(weighted: number): number {
  return Math.ceil(255 * weighted / (weighted + K));
}

/** Returns the start of each term's postings, with the max level in the upper 8 bits. */
function withPeaks({ starts, peaks }: Inverted): Uint32Array {
  const both = starts.slice();
  for (let term = 0; term < peaks.length; term++) {
    both[term] = (starts[term]! | peaks[term]! << 24) >>> 0;
  }
  return both;
}

/**
 * Builds the forward index: the terms of each document, ascending. It reads the postings term by
 * term, so that the terms of a document are written in order.
 */
function forwardIndexOf(
  source: Source,
  inverted: Inverted,
): Pick<
  Sections,
  | "forwardBlocks"
  | "forwardStarts"
  | "forwardEnds"
  | "forwardTerms"
  | "forwardCodes"
  | "escapePlaces"
  | "escapeCounts"
> {
  const blocks = blocksOf(source.table.size);
  const next = startsByBlock(source, blocks);
  const forwardEnds = endsOfBlocks(next, blocks);
  const forwardTerms = new Uint16Array(inverted.documents.length);
  const forwardCodes = new Uint8Array(forwardTerms.length);
  const escapes: [place: number, packed: number][] = [];
  for (let term = 0; term + 1 < inverted.starts.length; term++) {
    const block = term >>> 16;
    for (let from = inverted.starts[term]!; from < inverted.starts[term + 1]!; from++) {
      const place = next[inverted.documents[from]! * blocks + block]!++;
      const code = inverted.codes[from]!;
      forwardTerms[place] = term;
      forwardCodes[place] = code;
      if (code === ESCAPE) escapes.push([place, inverted.escapes.get(from)!]);
    }
  }
  escapes.sort(([a], [b]) => a - b);
  return {
    ...startsInBlocks(source.starts),
    forwardEnds,
    forwardTerms,
    forwardCodes,
    escapePlaces: Uint32Array.from(escapes, ([place]) => place),
    escapeCounts: Uint32Array.from(escapes, ([, packed]) => packed),
  };
}

/**
 * Returns the start of each document's terms in each block of terms, at document * blocks + block,
 * and the end of the last.
 */
function startsByBlock({ starts, terms }: Source, blocks: number): Uint32Array {
  const documents = starts.length - 1;
  const all = new Uint32Array(documents * blocks + 1);
  for (let document = 0; document < documents; document++) {
    const first = document * blocks + 1;
    for (let from = starts[document]!; from < starts[document + 1]!; from++) {
      all[first + (terms[from]! >>> 16)]!++;
    }
  }
  for (let place = 1; place < all.length; place++) all[place]! += all[place - 1]!;
  return all;
}

/**
 * Returns the end of each document's terms in every block but the last, relative to the start of
 * the document.
 */
function endsOfBlocks(starts: Uint32Array, blocks: number): Uint32Array {
  const documents = (starts.length - 1) / blocks;
  const ends = new Uint32Array(documents * (blocks - 1));
  for (let document = 0, at = 0; document < documents; document++) {
    const first = document * blocks;
    for (let block = 1; block < blocks; block++) {
      ends[at++] = starts[first + block]! - starts[first]!;
    }
  }
  return ends;
}
