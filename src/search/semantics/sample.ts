/** Learns a model from a sample of the documents of an index. */
import { startOfTerm, TermTable } from "../engine/dictionary.ts";
import { K } from "../engine/scoring.ts";
import { Segment } from "../engine/segment.ts";
import { LANGUAGES } from "../engine/words.ts";
import type { IndexState } from "../engine/segmented_index.ts";
import { learnDirections, type TermRows } from "./learn.ts";
import { DIMENSIONS, type ModelParts, SemanticModel } from "./model.ts";

/** Approximate max number of documents in the sample. More documents hardly change the model. */
const DOCUMENTS_MAX = 20_000;
/** Max number of terms. The most frequent ones are chosen. Their rows have to fit into 16 bits. */
const TERMS_MAX = 30_000;
/**
 * Min number of documents with a term. A rarer term does not show to which other terms it is
 * related.
 */
const FREQUENCY_MIN = 3;

const SEED = 2_026;

/** Returns the model of an index in its stored form. */
export function learnEncoded({ fields, segments }: IndexState): Uint8Array {
  const parts = learnModel(segments.map((state) => new Segment(state, fields)));
  return new SemanticModel(0, parts).encode();
}

/** Learns a model from a sample. Equal documents in equal segments give equal models. */
export function learnModel(segments: readonly Segment[]): ModelParts {
  const random = createRandom(SEED);
  const sampled = sample(segments);
  const { table, rarity, rows } = select(sampled);
  const directions = learnDirections(rows, { dimensions: DIMENSIONS, random });
  let largest = 0;
  for (const value of directions) largest = Math.max(largest, Math.abs(value));
  return {
    documents: segments.reduce((sum, { live }) => sum + live, 0),
    table: table.sections(),
    rarity,
    coordinates: Int16Array.from(directions, (value) => Math.round(32_767 * value / largest)),
  };
}

interface Sampled {
  table: TermTable;
  /** Terms of each document, and their weighted counts. */
  documents: { terms: number[]; counts: number[] }[];
  frequencies: number[];
}

function sample(segments: readonly Segment[]): Sampled {
  const live = segments.reduce((sum, segment) => sum + segment.live, 0);
  const share = Math.min(1, DOCUMENTS_MAX / live);
  const sampled: Sampled = { table: new TermTable(), documents: [], frequencies: [] };
  for (const segment of segments) {
    const numbers = new Int32Array(segment.parts.termOffsets.length - 1).fill(-1);
    for (let document = 0; document < segment.size; document++) {
      if (segment.isDeleted(document) || spread(segment.parts.ids[document]!) >= share) continue;
      sampled.documents.push(termsOf(segment, document, { numbers, ...sampled }));
    }
  }
  return sampled;
}

/**
 * Maps ids evenly to numbers from 0 to 1: the fractional part of their multiples of the golden
 * ratio.
 */
function spread(id: number): number {
  return (id * 0.618_033_988_749_895) % 1;
}

function termsOf(
  segment: Segment,
  document: number,
  { numbers, table, frequencies }: Omit<Sampled, "documents"> & { numbers: Int32Array },
): Sampled["documents"][number] {
  const { parts } = segment;
  const { termBytes } = parts;
  const sampled: Sampled["documents"][number] = { terms: [], counts: [] };
  segment.eachTerm(document, (term, count) => {
    // Hostnames and facets are terms, but not words.
    if (termBytes[startOfTerm(parts, term)]! >= LANGUAGES.length) return;
    const number = numbers[term]! >= 0 ? numbers[term]! : numbers[term] = table.add(
      termBytes,
      startOfTerm(parts, term),
      startOfTerm(parts, term + 1),
    );
    frequencies[number] = (frequencies[number] ?? 0) + 1;
    sampled.terms.push(number);
    sampled.counts.push(count);
  });
  return sampled;
}

/** Selects the terms of the model, and converts the documents to rows of length 1. */
function select({ table: all, documents, frequencies }: Sampled) {
  // A term in more than half of the documents distinguishes hardly any of them.
  const maxFrequency = documents.length / 2;
  const kept = Array.from(frequencies.keys())
    .filter((term) => frequencies[term]! >= FREQUENCY_MIN && frequencies[term]! <= maxFrequency)
    .sort((a, b) => frequencies[b]! - frequencies[a]! || a - b)
    .slice(0, TERMS_MAX);
  const table = new TermTable();
  const numbers = new Int32Array(all.size).fill(-1);
  for (const term of kept) {
    numbers[term] = table.add(all.termBytes, startOfTerm(all, term), startOfTerm(all, term + 1));
  }
  const rarity = Uint16Array.from(kept, (term) => {
    const frequency = frequencies[term]!;
    return Math.round(256 * Math.log(1 + (documents.length - frequency + 0.5) / (frequency + 0.5)));
  });
  return { table, rarity, rows: rowsOf(documents, { numbers, rarity }) };
}

function rowsOf(
  documents: Sampled["documents"],
  { numbers, rarity }: { numbers: Int32Array; rarity: Uint16Array },
): TermRows {
  const starts = new Uint32Array(documents.length + 1);
  const total = documents.reduce((sum, { terms }) => sum + terms.length, 0);
  const terms = new Uint32Array(total);
  const weights = new Float32Array(total);
  documents.forEach((document, row) => {
    let end = starts[row]!;
    let squares = 0;
    document.terms.forEach((term, n) => {
      const number = numbers[term]!;
      if (number < 0) return;
      const weight = rarity[number]! * document.counts[n]! / (document.counts[n]! + K);
      terms[end] = number;
      weights[end++] = weight;
      squares += weight * weight;
    });
    for (let at = starts[row]!; at < end; at++) weights[at]! /= Math.sqrt(squares);
    starts[row + 1] = end;
  });
  return { starts, terms, weights, width: rarity.length };
}

/** Returns a generator of random numbers from 0 to 1 by a seed: mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
