/**
 * Engine that scores every posting of every word of a query, over typed arrays. It is simple but
 * fast: our engine, which skips postings, has to be faster. It indexes the word numbers of a
 * corpus, so that it shares no code with our engine.
 */
import assert from "node:assert/strict";
import { COUNTRIES, KINDS } from "../../src/contract/vocabulary.ts";
import { FIELDS } from "../corpus.ts";
import type { Query } from "../queries.ts";
import { Best } from "./best.ts";
import { fieldWeight, K, rarityOf } from "./bm25f.ts";
import type { Engine, Hit, NumberedDocument, NumberedTexts } from "./engine.ts";

/** Number of bits per field in a packed number of occurrences. They suffice for all benches. */
const BITS = [4, 6, 5, 10];
const FIELD_COUNT = FIELDS.length;
/** Number of distinct lengths of a field, from 0. Longer fields count as the longest of them. */
const LENGTHS = 256;
/** Weights of the scores of a company's three best observations in the score of the company. */
const SUPPORT_SHARES = [1, 1 / 8, 1 / 32];

/** Exhaustive scoring, of observations and of companies. */
export interface Exhaustive extends Engine<NumberedTexts> {
  fill(texts: NumberedTexts): void;
  /** Returns the best companies with their scores, best first. */
  shortlist(query: Query, companies: number): { company_id: number; score: number }[];
  /** Returns an engine with a precomputed score per posting. The documents must not change. */
  precomputed(): Exhaustive;
}

/** Creates the engine. Its postings contain occurrences by field, as those of our engine do. */
export function createExhaustive(): Exhaustive {
  let index: Index | undefined;
  let scratch: Scratch;
  const filled = () => index ?? assert.fail("not filled");
  return {
    name: "exhaustive",
    fill(corpus) {
      index = createIndex(corpus);
      scratch = createScratch(corpus);
    },
    search: (query, limit) => best(scratch, { limit, count: score(filled(), query, scratch) }),
    shortlist: (query, companies) =>
      bestCompanies(filled(), scratch, { companies, count: score(filled(), query, scratch) }),
    precomputed() {
      const impacts = impactsOf(filled());
      const count = (query: Query) => scoreImpacts({ ...filled(), impacts }, query, scratch);
      return {
        ...this,
        name: "exhaustive, scores precomputed",
        search: (query, limit) => best(scratch, { limit, count: count(query) }),
        shortlist: (query, companies) =>
          bestCompanies(filled(), scratch, { companies, count: count(query) }),
      };
    },
  };
}

interface Index {
  /** Number of the stem of each word, by the number of the word in the vocabulary. */
  stems: Uint32Array;
  /** Index of the first posting of each stem. Its last posting precedes those of the next stem. */
  starts: Uint32Array;
  documents: Uint32Array;
  /** Occurrences of each posting by field, packed as BITS defines. */
  occurrences: Uint32Array;
  /** Length of each field of each document. */
  lengths: Uint8Array;
  /** Weight of one occurrence, by field and length. */
  weights: Float64Array;
  /** Country and kind of each document in one number (see classOf). */
  classes: Uint8Array;
  companies: Uint32Array;
}

/**
 * Arrays that all queries reuse: scores of documents, documents with a score, the three best scores
 * of each company, and companies with a score. Between queries, all scores are 0.
 */
interface Scratch {
  scores: Float64Array;
  touched: Uint32Array;
  best: Float64Array;
  companies: Uint32Array;
}

function createScratch({ size, companies }: NumberedTexts): Scratch {
  return {
    scores: new Float64Array(size),
    touched: new Uint32Array(size),
    best: new Float64Array(companies * SUPPORT_SHARES.length),
    companies: new Uint32Array(companies),
  };
}

function createIndex(corpus: NumberedTexts): Index {
  const numbers = new Map<string, number>();
  const stems = Uint32Array.from(corpus.stems, (stem) => {
    if (!numbers.has(stem)) numbers.set(stem, numbers.size);
    return numbers.get(stem)!;
  });
  const starts = countPostings(corpus, { stems, count: numbers.size });
  const postings = starts[numbers.size]!;
  const index: Index = {
    stems,
    starts,
    documents: new Uint32Array(postings),
    occurrences: new Uint32Array(postings),
    lengths: new Uint8Array(corpus.size * FIELD_COUNT),
    weights: new Float64Array(FIELD_COUNT * LENGTHS),
    classes: new Uint8Array(corpus.size),
    companies: new Uint32Array(corpus.size),
  };
  const ends = starts.slice();
  for (const document of corpus.documents()) addPostings(index, document, ends);
  for (let field = 0; field < FIELD_COUNT; field++) setWeights(index, field, corpus.size);
  return index;
}

/** Returns the index of the first posting of each stem. */
function countPostings(
  corpus: NumberedTexts,
  { stems, count }: { stems: Uint32Array; count: number },
): Uint32Array {
  const starts = new Uint32Array(count + 1);
  const last = new Uint32Array(count);
  for (const { observation_id, words } of corpus.documents()) {
    for (const numbers of words) {
      for (const number of numbers) {
        const stem = stems[number]!;
        if (last[stem] !== observation_id) starts[stem + 1]!++;
        last[stem] = observation_id;
      }
    }
  }
  for (let stem = 0; stem < count; stem++) starts[stem + 1]! += starts[stem]!;
  return starts;
}

function addPostings(index: Index, document: NumberedDocument, ends: Uint32Array): void {
  const number = document.observation_id - 1;
  for (let field = 0, shift = 0; field < FIELD_COUNT; shift += BITS[field++]!) {
    const words = document.words[field]!;
    index.lengths[number * FIELD_COUNT + field] = Math.min(words.length, LENGTHS - 1);
    for (const word of words) {
      const stem = index.stems[word]!;
      let at = ends[stem]! - 1;
      if (at < index.starts[stem]! || index.documents[at] !== number) {
        at = ends[stem]!++;
        index.documents[at] = number;
      }
      index.occurrences[at]! += 1 << shift;
    }
  }
  index.classes[number] = classOf(document);
  index.companies[number] = document.company_id - 1;
}

function classOf({ country, kind }: NonNullable<Query["filter"]>): number {
  return COUNTRIES.indexOf(country) * KINDS.length + KINDS.indexOf(kind);
}

function setWeights({ lengths, weights }: Index, field: number, documents: number): void {
  let total = 0;
  let nonempty = 0;
  for (let document = 0; document < documents; document++) {
    const length = lengths[document * FIELD_COUNT + field]!;
    total += length;
    nonempty += Number(length > 0);
  }
  for (let length = 1; length < LENGTHS; length++) {
    weights[field * LENGTHS + length] = fieldWeight(field, { length, mean: total / nonempty });
  }
}

/** Scores documents that contain a word of the query and pass its filter. Returns their count. */
function score(index: Index, query: Query, { scores, touched }: Scratch): number {
  const { documents, occurrences, classes, starts } = index;
  const only = query.filter ? classOf(query.filter) : -1;
  let count = 0;
  for (const stem of stemsOf(index, query)) {
    const end = starts[stem + 1]!;
    const rarity = rarityOf(end - starts[stem]!, classes.length);
    for (let at = starts[stem]!; at < end; at++) {
      const document = documents[at]!;
      if (only >= 0 && classes[document] !== only) continue;
      const weighted = weigh(index, document, occurrences[at]!);
      if (scores[document] === 0) touched[count++] = document;
      scores[document]! += rarity * weighted * (K + 1) / (weighted + K);
    }
  }
  return count;
}

/** Does the same as `score`, with precomputed parts of scores. */
function scoreImpacts(
  index: Index & { impacts: Float32Array },
  query: Query,
  { scores, touched }: Scratch,
): number {
  const { documents, classes, starts, impacts } = index;
  const only = query.filter ? classOf(query.filter) : -1;
  let count = 0;
  for (const stem of stemsOf(index, query)) {
    const end = starts[stem + 1]!;
    const rarity = rarityOf(end - starts[stem]!, classes.length);
    for (let at = starts[stem]!; at < end; at++) {
      const document = documents[at]!;
      if (only >= 0 && classes[document] !== only) continue;
      if (scores[document] === 0) touched[count++] = document;
      scores[document]! += rarity * impacts[at]!;
    }
  }
  return count;
}

function stemsOf({ stems }: Index, { words }: Query): Set<number> {
  return new Set(words.map((word) => stems[word]!));
}

/** Returns the sum of the weights of the packed occurrences of a posting. */
function weigh({ lengths, weights }: Index, document: number, packed: number): number {
  let weighted = 0;
  let field = 0;
  for (let rest = packed; rest !== 0; rest >>>= BITS[field++]!) {
    const occurrences = rest & ((1 << BITS[field]!) - 1);
    if (occurrences === 0) continue;
    const length = lengths[document * FIELD_COUNT + field]!;
    weighted += occurrences * weights[field * LENGTHS + length]!;
  }
  return weighted;
}

/** Returns what each posting adds to a score, before multiplication by the rarity of its term. */
function impactsOf(index: Index): Float32Array {
  return Float32Array.from(index.documents, (document, at) => {
    const weighted = weigh(index, document, index.occurrences[at]!);
    return weighted * (K + 1) / (weighted + K);
  });
}

/** Returns the best touched documents, and resets all scores to 0. */
function best(
  { touched, scores }: Scratch,
  { limit, count }: { limit: number; count: number },
): Hit[] {
  const top = new Best(limit);
  for (let n = 0; n < count; n++) {
    const document = touched[n]!;
    top.offer(document + 1, scores[document]!);
    scores[document] = 0;
  }
  return top.ids.map((id, n) => ({ observation_id: id, score: top.scores[n]! }));
}

function bestCompanies(
  index: Index,
  scratch: Scratch,
  { companies, count }: { companies: number; count: number },
): { company_id: number; score: number }[] {
  const companyCount = group(index, scratch, count);
  const top = new Best(companies);
  for (let n = 0; n < companyCount; n++) {
    const company = scratch.companies[n]!;
    let score = 0;
    for (let place = 0; place < 3; place++) {
      score += SUPPORT_SHARES[place]! * scratch.best[3 * company + place]!;
      scratch.best[3 * company + place] = 0;
    }
    top.offer(company + 1, score);
  }
  return top.ids.map((id, n) => ({ company_id: id, score: top.scores[n]! }));
}

/** Collects the best scores of each touched company. Resets `scores`. @returns number of companies */
function group({ companies }: Index, scratch: Scratch, count: number): number {
  const { scores, touched, best } = scratch;
  let companyCount = 0;
  for (let n = 0; n < count; n++) {
    const document = touched[n]!;
    const company = companies[document]!;
    const score = scores[document]!;
    scores[document] = 0;
    const at = 3 * company;
    if (best[at] === 0) scratch.companies[companyCount++] = company;
    if (score > best[at]!) {
      best[at + 2] = best[at + 1]!;
      best[at + 1] = best[at]!;
      best[at] = score;
    } else if (score > best[at + 1]!) {
      best[at + 2] = best[at + 1]!;
      best[at + 1] = score;
    } else if (score > best[at + 2]!) {
      best[at + 2] = score;
    }
  }
  return companyCount;
}
