/** Terms as bytes, found by hashing: no object a term. */
import type { Sections } from "./layout.ts";

/** First byte of a term that is a hostname; in front of words stands their language. */
export const HOSTNAME_SPACE = 2;

/** First byte of a facet term, such as `round:series_a`. */
export const FACET_SPACE = 3;

/** A term to look for. */
export interface Key {
  bytes: Uint8Array;
  hash: number;
}

const encoder = new TextEncoder();

/** @param space the place of the language in LANGUAGES, HOSTNAME_SPACE or FACET_SPACE */
export function keyOf(space: number, text: string): Key {
  const bytes = new Uint8Array(1 + 3 * text.length);
  bytes[0] = space;
  const end = encode(text, bytes, 1);
  return { bytes: bytes.subarray(0, end), hash: hashOfBytes(bytes, 0, end) };
}

/** Writes a text as UTF-8 from a place on. @returns where it ends */
export function encode(text: string, bytes: Uint8Array, from: number): number {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 127) return from + encoder.encodeInto(text, bytes.subarray(from)).written;
    bytes[from + at] = unit;
  }
  return from + text.length;
}

/** The key of a term that stands in bytes already. */
function keyOfBytes(bytes: Uint8Array, start: number, end: number): Key {
  return { bytes: bytes.subarray(start, end), hash: hashOfBytes(bytes, start, end) };
}

/** Returns the hash of a term that stands in bytes: FNV-1a with a final mix, for the upper bits. */
export function hashOfBytes(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let place = start; place < end; place++) {
    value = Math.imul(value ^ bytes[place]!, 0x01000193);
  }
  value ^= value >>> 15;
  value = Math.imul(value, 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}

export type Terms = Pick<Sections, "termBytes" | "termBlocks" | "termOffsets" | "termSlots">;

/** Starts of terms are counted from the first one of a block of 256. */
const BLOCK_BITS = 8;

/** Returns where the bytes of a term start: those of the one before end there. */
export function startOfTerm({ termBlocks, termOffsets }: Terms, term: number): number {
  return termBlocks[term >>> BLOCK_BITS]! + termOffsets[term]!;
}

/** Returns a term by its number as a key. */
export function keyOfTerm(terms: Terms, term: number): Key {
  return keyOfBytes(terms.termBytes, startOfTerm(terms, term), startOfTerm(terms, term + 1));
}

/**
 * A slot holds 0 or a term + 1 in its lower 24 bits, and the lower bits of its hash: most of the
 * terms that are not there are told by the slots alone. The upper bits of a hash tell its place, so
 * that a table may have any length.
 */
const TERM_BITS = 0x00ff_ffff;
const MARK_SHIFT = 24;

/** Slots for each term of a finished table. */
const SLOTS_PER_TERM = 6 / 5;

function placeOf(hash: number, slots: number): number {
  return Math.floor(hash * slots / 2 ** 32);
}

/** The number of a term, or -1. */
export function findTerm(terms: Terms, { bytes, hash }: Key): number {
  return find(terms, bytes, { start: 0, end: bytes.length, hash });
}

/** Returns the first term of a hash that passes a test, or -1. */
export function findHash(
  terms: Terms,
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

/** Returns the text that bytes are in UTF-8. */
export function textOfBytes(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) {
    // Copied, because a decoder takes no views of shared memory.
    if (bytes[at]! > 127) return decoder.decode(bytes.slice(start, end));
    text += String.fromCharCode(bytes[at]!);
  }
  return text;
}

function find(
  terms: Terms,
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
    const own = startOfTerm(terms, term);
    if (startOfTerm(terms, term + 1) - own !== size) continue;
    let same = 0;
    while (same < size && termBytes[own + same] === bytes[start + same]) same++;
    if (same === size) return term;
  }
}

let stamps = 0;

/** Gives terms their numbers, in the order of their arrival. */
export class TermTable implements Terms {
  /** Tells tables from each other. */
  readonly stamp = ++stamps;
  termBytes = new Uint8Array(1 << 16);
  /** All 0: starts are counted from the first term until the table is finished. */
  termBlocks = new Uint32Array(1 << 5);
  termOffsets = new Uint32Array(1 << 12);
  termSlots = new Uint32Array(1 << 13);
  size = 0;
  /** By term. */
  #hashes = new Uint32Array(1 << 12);
  readonly #scratch = new Uint8Array(1024);

  /** The number of a text; a new one where it has none. */
  addText(space: number, text: string): number {
    const scratch = 3 * text.length < this.#scratch.length
      ? this.#scratch
      : new Uint8Array(1 + 3 * text.length);
    scratch[0] = space;
    const end = encode(text, scratch, 1);
    return this.add(scratch, 0, end);
  }

  /** The number of the term that these bytes are. */
  add(bytes: Uint8Array, start: number, end: number): number {
    const own = hashOfBytes(bytes, start, end);
    const found = find(this, bytes, { start, end, hash: own });
    if (found >= 0) return found;
    this.#makeRoom(end - start);
    let place = this.termOffsets[this.size]!;
    for (let at = start; at < end; at++) this.termBytes[place++] = bytes[at]!;
    this.#hashes[this.size] = own;
    this.#link(this.termSlots, this.size);
    this.termOffsets[++this.size] = place;
    return this.size - 1;
  }

  /** Returns the hash of a term. */
  hashOf(term: number): number {
    return this.#hashes[term]!;
  }

  /** Cut to their size. */
  sections(): Terms {
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

  /** A table of all terms with so many slots. */
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

/** A copy with at least twice the room. */
export function grown<Numbers extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(
  numbers: Numbers,
  needed: number,
): Numbers {
  const Kind = numbers.constructor as new (length: number) => Numbers;
  const longer = new Kind(Math.max(2 * numbers.length, needed));
  longer.set(numbers);
  return longer;
}
