/** Documents to a segment, all at once: what sealing and merging have in common. */
import type { TermTable } from "./dictionary.ts";
import { type Field, K, lengthFactors, Totals } from "./fields.ts";
import { group, hashCompanies } from "./groups.ts";
import { blocksOf, ESCAPE, pack, type Sections } from "./layout.ts";
import type { PairFilters } from "./pairs.ts";
import { CodeTable, type Measure } from "./occurrences.ts";

/** Documents in the order of their attributes, then ids; columns of equal length: see layout.ts. */
export interface Source extends PairFilters {
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
  /** A document's terms, each once and in any order, with its packed occurrences. */
  starts: Uint32Array;
  terms: Uint32Array;
  packed: Uint32Array;
}

/** Builds a segment's buffer. */
export function assemble(source: Source): SharedArrayBuffer {
  const codes = new CodeTable(source.fields, source.packed);
  const inverted = invert(source, codes);
  const forward = turnBack(source, inverted);
  const { distinct: companies, places: companyOf } = distinctOf(source.company_ids);
  const occurred = distinctOf(source.occurred);
  const observed = distinctOf(source.observed);
  const expiries = distinctOf(source.expires);
  const amounts = distinctOf(source.amounts);
  const closes = distinctOf(source.closes);
  const sectors = distinctOf(source.sectors);
  const byCompany = group(companyOf, companies.length);
  const byId = Uint16Array.from(source.ids, (_, document) => document)
    .sort((a, b) => source.ids[a]! - source.ids[b]!);
  return pack({
    ids: source.ids,
    occurredOf: occurred.places,
    occurrences: occurred.distinct,
    observedOf: observed.places,
    observations: observed.distinct,
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

/** What is asked of all documents together, so that to open a segment reads none of them. */
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

/** Postings by term, documents rising. */
interface Inverted {
  /** Where each term's postings start, and at last where they end. */
  starts: Uint32Array;
  /** By term: the highest level of its postings. */
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
 * What a posting adds to a score, in 255ths of the most that any can add, rounded up: a search adds up
 * levels to tell which documents to score exactly, by the forward index.
 */
function levelOf(weighted: number): number {
  return Math.ceil(255 * weighted / (weighted + K));
}

/** Starts with the highest level of each term above them. */
function withPeaks({ starts, peaks }: Inverted): Uint32Array {
  const both = starts.slice();
  for (let term = 0; term < peaks.length; term++) {
    both[term] = (starts[term]! | peaks[term]! << 24) >>> 0;
  }
  return both;
}

/** Terms by document, rising: term after term, each document's places fill up in order. */
function turnBack(
  source: Source,
  inverted: Inverted,
): Pick<
  Sections,
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
    forwardStarts: source.starts,
    forwardEnds,
    forwardTerms,
    forwardCodes,
    escapePlaces: Uint32Array.from(escapes, ([place]) => place),
    escapeCounts: Uint32Array.from(escapes, ([, packed]) => packed),
  };
}

/** By document and block of terms: where its terms start, and at last where they end. */
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

/** By document and block but the last: where its terms end, counted from the document's start. */
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

/** Returns the distinct values of a column, and by document the place of its value among them. */
function distinctOf<Column extends Float64Array | Float32Array | Uint32Array>(
  values: Column,
): { distinct: Column; places: Uint16Array } {
  const Kind = values.constructor as new (numbers: Iterable<number>) => Column;
  const distinct = new Kind(new Set<number>(values)).sort() as Column;
  const numbers = new Map<number, number>();
  distinct.forEach((value: number, place: number) => numbers.set(value, place));
  return { distinct, places: Uint16Array.from(values, (value) => numbers.get(value)!) };
}
