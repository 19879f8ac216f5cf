/**
 * Finds terms and companies in hash tables of numbers, without an object per term. The first byte
 * of a term is its space. It distinguishes the stems of each language, hostnames and facets.
 */
import type { Sections } from "./layout.ts";
import { memoized } from "./memoized.ts";
import { grown } from "./typed_arrays.ts";
import { LANGUAGES, stem } from "./words.ts";

/**
 * First byte of a term that is a hostname. The first byte of a stem is the place of its language in
 * LANGUAGES.
 */
export const HOSTNAME_SPACE = 2;

/** First byte of a facet term, such as `round:series_a`. */
export const FACET_SPACE = 3;

/** A term to look up: its bytes and their hash. */
export interface Key {
  bytes: Uint8Array;
  hash: number;
}

const encoder = new TextEncoder();

/**
 * Returns the key of a term.
 *
 * @param space the place of a language in LANGUAGES, HOSTNAME_SPACE or FACET_SPACE
 */
export function keyOf(space: number, text: string): Key {
  const bytes = new Uint8Array(1 + 3 * text.length);
  bytes[0] = space;
  const end = encode(text, bytes, 1);
  return { bytes: bytes.subarray(0, end), hash: hashOfBytes(bytes, 0, end) };
}

/**
 * Writes a text as UTF-8 into `bytes`, beginning at `from`.
 *
 * @returns the end of the text in `bytes`
 */
export function encode(text: string, bytes: Uint8Array, from: number): number {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 127) return from + encoder.encodeInto(text, bytes.subarray(from)).written;
    bytes[from + at] = unit;
  }
  return from + text.length;
}

/**
 * Returns the hash of a term from its bytes: FNV-1a. A final mix makes the upper bits, which
 * determine the slot, depend on all bytes.
 */
export function hashOfBytes(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let place = start; place < end; place++) {
    value = Math.imul(value ^ bytes[place]!, 0x01000193);
  }
  value ^= value >>> 15;
  value = Math.imul(value, 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}

/** Sections that contain the terms and their hash table. */
export type TermSections = Pick<Sections, "termBytes" | "termBlocks" | "termOffsets" | "termSlots">;

/**
 * Binary logarithm of the number of terms per block. The start of a term is relative to its block
 * of 8 terms, so that it usually fits into a byte.
 */
const BLOCK_BITS = 3;

/** Returns the start of a term's bytes, which is the end of the preceding term. */
export function startOfTerm({ termBlocks, termOffsets }: TermSections, term: number): number {
  return termBlocks[term >>> BLOCK_BITS]! + termOffsets[term]!;
}

/** Returns the key of a term by its number. */
export function keyOfTerm(terms: TermSections, term: number): Key {
  const bytes = terms.termBytes.subarray(startOfTerm(terms, term), startOfTerm(terms, term + 1));
  return { bytes, hash: hashOfBytes(bytes, 0, bytes.length) };
}

/**
 * Mask of the bits of a slot that contain the number of a term + 1. A free slot is 0. The upper 8
 * bits of a slot contain the lower 8 bits of the term's hash. A lookup compares them first, which
 * rules out most other terms without reading the bytes of these terms. The upper bits of a hash
 * determine its slot, so a table may have any length.
 */
const TERM_BITS = 0x00ff_ffff;

const MARK_SHIFT = 24;

/** Number of slots per term of a finished table. */
const SLOTS_PER_TERM = 8 / 7;

function placeOf(hash: number, slots: number): number {
  return Math.floor(hash * slots / 2 ** 32);
}

/** Returns the number of a term, or -1. */
export function findTerm(terms: TermSections, { bytes, hash }: Key): number {
  return find(terms, bytes, { start: 0, end: bytes.length, hash });
}

/** Returns the first term with this hash that passes a test, or -1. */
export function findHash(
  terms: TermSections,
  hash: number,
  test: (start: number, end: number) => boolean,
): number {
  const { termBytes, termSlots } = terms;
  const { length } = termSlots;
  const mark = hash & 0xff;
  for (let place = placeOf(hash, length);; place = place + 1 === length ? 0 : place + 1) {
    const slot = termSlots[place]!;
    if (slot === 0) return -1;
    if (slot >>> MARK_SHIFT !== mark) continue;
    const term = (slot & TERM_BITS) - 1;
    const start = startOfTerm(terms, term);
    const end = startOfTerm(terms, term + 1);
    if (hashOfBytes(termBytes, start, end) === hash && test(start, end)) return term;
  }
}

const decoder = new TextDecoder();

/** Decodes a text from UTF-8. */
export function textOfBytes(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) {
    // The bytes are copied, because a TextDecoder refuses views of shared memory.
    if (bytes[at]! > 127) return decoder.decode(bytes.slice(start, end));
    text += String.fromCharCode(bytes[at]!);
  }
  return text;
}

function find(
  terms: TermSections,
  bytes: Uint8Array,
  { start, end, hash }: { start: number; end: number; hash: number },
): number {
  const { termBytes, termSlots } = terms;
  const { length } = termSlots;
  const mark = hash & 0xff;
  const size = end - start;
  for (let place = placeOf(hash, length);; place = place + 1 === length ? 0 : place + 1) {
    const slot = termSlots[place]!;
    if (slot === 0) return -1;
    if (slot >>> MARK_SHIFT !== mark) continue;
    const term = (slot & TERM_BITS) - 1;
    const termStart = startOfTerm(terms, term);
    if (startOfTerm(terms, term + 1) - termStart !== size) continue;
    let same = 0;
    while (same < size && termBytes[termStart + same] === bytes[start + same]) same++;
    if (same === size) return term;
  }
}

let stamps = 0;

/** Number of terms that a new table has room for. */
const FIRST_TERMS = 1 << 12;

/** Numbers terms in the order of their arrival. */
export class TermTable implements TermSections {
  /** Number that identifies the table. */
  readonly stamp = ++stamps;
  termBytes = new Uint8Array(1 << 16);
  /**
   * Starts of blocks. They are always 0 here, so `termOffsets` contains absolute starts. `sections`
   * returns copies with starts that are relative to blocks.
   */
  termBlocks = new Uint32Array((FIRST_TERMS >>> BLOCK_BITS) + 1);
  termOffsets = new Uint32Array(FIRST_TERMS);
  termSlots = new Uint32Array(1 << 13);
  size = 0;
  /** Hash of each term. */
  #hashes = new Uint32Array(FIRST_TERMS);
  readonly #scratch = new Uint8Array(1024);

  /** Returns the number of a term from its text. A new term gets the next number. */
  addText(space: number, text: string): number {
    const scratch = 3 * text.length < this.#scratch.length
      ? this.#scratch
      : new Uint8Array(1 + 3 * text.length);
    scratch[0] = space;
    const end = encode(text, scratch, 1);
    return this.add(scratch, 0, end);
  }

  /** Returns the number of a term from its bytes. A new term gets the next number. */
  add(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashOfBytes(bytes, start, end);
    const known = find(this, bytes, { start, end, hash: hash });
    if (known >= 0) return known;
    this.#makeRoom(end - start);
    let place = this.termOffsets[this.size]!;
    for (let at = start; at < end; at++) this.termBytes[place++] = bytes[at]!;
    this.#hashes[this.size] = hash;
    this.#link(this.termSlots, this.size);
    this.termOffsets[++this.size] = place;
    return this.size - 1;
  }

  /**
   * Adds those of the first `size` terms of another table for which `isSelected` returns true.
   * Returns the new number of each term; 0 for an omitted one.
   */
  addSelected(
    terms: TermSections,
    size: number,
    isSelected: (term: number) => boolean,
  ): Uint32Array {
    const numbers = new Uint32Array(size);
    for (let term = 0; term < size; term++) {
      if (!isSelected(term)) continue;
      const start = startOfTerm(terms, term);
      numbers[term] = this.add(terms.termBytes, start, startOfTerm(terms, term + 1));
    }
    return numbers;
  }

  /** Returns the hash of a term. */
  hashOf(term: number): number {
    return this.#hashes[term]!;
  }

  /** Returns the finished sections, without unused room. */
  sections(): TermSections {
    const termBlocks = new Uint32Array((this.size >>> BLOCK_BITS) + 1);
    const termOffsets = this.termOffsets.slice(0, this.size + 1);
    for (let term = 0; term <= this.size; term++) {
      const block = term >>> BLOCK_BITS;
      if (term === block << BLOCK_BITS) termBlocks[block] = termOffsets[term]!;
      termOffsets[term]! -= termBlocks[block]!;
    }
    return {
      termBytes: this.termBytes.subarray(0, this.termOffsets[this.size]),
      termBlocks,
      termOffsets,
      termSlots: this.#linked(Math.ceil(SLOTS_PER_TERM * this.size) + 1),
    };
  }

  /** Returns a hash table of all terms with this number of slots. */
  #linked(slots: number): Uint32Array<ArrayBuffer> {
    const table = new Uint32Array(slots);
    for (let term = 0; term < this.size; term++) this.#link(table, term);
    return table;
  }

  #link(slots: Uint32Array, term: number): void {
    const hash = this.#hashes[term]!;
    let place = placeOf(hash, slots.length);
    while (slots[place] !== 0) place = place + 1 === slots.length ? 0 : place + 1;
    slots[place] = (hash << MARK_SHIFT | (term + 1)) >>> 0;
  }

  #makeRoom(bytes: number): void {
    const used = this.termOffsets[this.size]!;
    if (used + bytes > this.termBytes.length) this.termBytes = grown(this.termBytes, used + bytes);
    if (this.size + 2 > this.termOffsets.length) {
      this.termOffsets = grown(this.termOffsets, this.size + 2);
      this.termBlocks = new Uint32Array((this.termOffsets.length >>> BLOCK_BITS) + 1);
      this.#hashes = grown(this.#hashes, this.size + 2);
    }
    if (5 * (this.size + 1) > 4 * this.termSlots.length) {
      this.termSlots = this.#linked(2 * this.termSlots.length);
    }
  }
}

/** Returns the stems of a word by language, in the order of LANGUAGES. */
export const stemsOf: (word: string) => readonly string[] = memoized((word) =>
  LANGUAGES.map((language) => stem(word, language))
);

/** Returns the keys of a word's stems by language, in the order of LANGUAGES. */
export const keysOf: (word: string) => readonly Key[] = memoized((word) =>
  stemsOf(word).map((stem, space) => keyOf(space, stem))
);

/** Returns the key of a facet term. */
export const keyOfFacet: (facet: string) => Key = memoized((facet) => keyOf(FACET_SPACE, facet));

/** Value of a free slot of companies. */
const EMPTY = 0xffff;

const SLOTS_PER_COMPANY = 4 / 3;

/**
 * Returns the first slot to try for a company. The upper bits of its hash determine the slot, so a
 * table may have any length.
 */
function slotOf(company: number, { length }: Uint16Array): number {
  return Math.floor((hashCompany(company) >>> 0) * length / 2 ** 32);
}

/** Builds a hash table of places in `companies`. */
export function hashCompanies(companies: Float64Array): Uint16Array {
  const slots = new Uint16Array(Math.ceil(SLOTS_PER_COMPANY * companies.length) + 1).fill(EMPTY);
  companies.forEach((company, place) => {
    let slot = slotOf(company, slots);
    while (slots[slot] !== EMPTY) slot = slot + 1 === slots.length ? 0 : slot + 1;
    slots[slot] = place;
  });
  return slots;
}

/** Returns the place of a company, or -1. */
export function findCompany(
  { companies, companySlots }: { companies: Float64Array; companySlots: Uint16Array },
  company: number,
): number {
  const { length } = companySlots;
  for (let slot = slotOf(company, companySlots);; slot = slot + 1 === length ? 0 : slot + 1) {
    const place = companySlots[slot]!;
    if (place === EMPTY) return -1;
    if (companies[place] === company) return place;
  }
}

/** Hashes a safe integer. The hash may be negative. */
export function hashCompany(id: number): number {
  const value = Math.imul((id ^ Math.imul(id / 2 ** 32, 0x85ebca6b)) | 0, 0x9e3779b1);
  return value ^ (value >>> 15);
}
